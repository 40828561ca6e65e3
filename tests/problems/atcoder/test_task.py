"""Whole evaluations: real compiler, real sandbox, short limits."""

import asyncio
import shutil
from pathlib import Path

import pytest

from speciate.errors import TaskError
from speciate.evaluators import EvaluationConfig, build_evaluator
from speciate.problems.atcoder import load, load_contest
from speciate.problems.atcoder.contests import CONTESTS
from speciate.records import FailureKind, Json, Outcome
from speciate.tasks import Task, load_task

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="contests compile C++ with g++")

ADD = """#include <cstdio>
int main() { int a, b; if (scanf("%d %d", &a, &b) != 2) return 1; printf("%d\\n", a + b); }
"""


def evaluated(task: Task, *sources: str) -> list[Outcome]:
    async def go() -> list[Outcome]:
        evaluator = build_evaluator(task, EvaluationConfig(slots=1))
        try:
            await evaluator.start()
            programs = [task.initial.replace("main.cpp", source) for source in sources]
            return [await evaluator.evaluate(program, task.context) for program in programs]
        finally:
            await evaluator.close()

    return asyncio.run(go())


@pytest.fixture
def sums(tmp_path: Path) -> Path:
    """A contest folder: print the sum of two numbers; the score is the sum."""
    (tmp_path / "statement.md").write_text("Print the sum.")
    (tmp_path / "initial.cpp").write_text(ADD)
    (tmp_path / "judge.py").write_text(
        "def score(given, printed):\n"
        "    if int(printed) != sum(map(int, given.split())):\n"
        "        raise ValueError('not the sum')\n"
        "    return int(printed)\n"
    )
    for split, numbers in (("public", ("1 2", "3 4")), ("private", ("10 20",))):
        (tmp_path / split).mkdir()
        for k, pair in enumerate(numbers):
            (tmp_path / split / f"{k}.txt").write_text(pair)
    return tmp_path


@pytest.mark.parametrize("contest", sorted(CONTESTS))
def test_the_initial_programs_score(contest: str) -> None:
    task = load({"contest": contest, "cases": 1, "time_limit": 0.2})
    (outcome,) = evaluated(task, task.initial.source)
    assert outcome.result is not None, outcome.failure
    assert task.spec.objectives[0].direction == CONTESTS[contest].direction
    assert task.objectives[0].outward(outcome.result.objectives[0]) > 100


def test_verdicts_and_compiler_messages_are_feedback(sums: Path) -> None:
    task = load_contest({"folder": str(sums), "time_limit": 0.1})
    sources = {
        "fine": ADD,
        "compile": ADD.replace("a + b", "a + c"),
        "wrong": ADD.replace("a + b", "a - b"),
        "slow": "int main() { volatile int k = 0; for (;;) k = k + 1; }",
        "crash": "#include <cstdlib>\nint main() { abort(); }",
    }
    found = dict(zip(sources, evaluated(task, *sources.values()), strict=True))
    fine = found.pop("fine")
    assert fine.result is not None
    assert fine.result.objectives == (5.0,)
    told = {name: o.failure.feedback for name, o in found.items() if o.failure is not None}
    assert all(o.failure and o.failure.kind is FailureKind.INVALID for o in found.values())
    assert "was not declared" in told["compile"]
    assert "not the sum" in told["wrong"]
    assert "CPU time" in told["slow"]
    assert "SIGABRT" in told["crash"]


def test_a_running_program_sees_no_file_and_no_compiler(sums: Path) -> None:
    (sums / "judge.py").write_text("def score(given, printed):\n    return int(printed)\n")
    task = load_contest({"folder": str(sums), "time_limit": 0.5})
    probe = """
    #include <cstdio>
    #include <fcntl.h>
    #include <unistd.h>
    int main() {
        const char* places[] = {"/usr/bin/g++", "/etc/passwd", "/proc/self/status", "/task/run.py",
                                "input.txt"};
        int seen = 0;
        for (auto place : places) seen += open(place, O_RDONLY) >= 0;
        seen += open("/tmp/new", O_WRONLY | O_CREAT, 0600) >= 0;
        char memory[64];
        snprintf(memory, sizeof memory, "/proc/%d/mem", getppid());
        seen += open(memory, O_RDONLY) >= 0;
        execl("/usr/bin/g++", "g++", "--version", (char*)0);
        execl("/bin/sh", "sh", "-c", "echo 100", (char*)0);
        printf("%d", seen);
    }
    """
    (outcome,) = evaluated(task, probe)
    assert outcome.result is not None, outcome.failure
    assert outcome.result.objectives == (0.0,)


def test_a_program_that_breaks_off_the_conversation_is_told_so() -> None:
    task = load({"contest": "ahc025", "cases": 1, "time_limit": 0.2})
    silent, senseless = evaluated(
        task,
        "int main() {}",
        '#include <cstdio>\nint main() { puts("1 1 0 0"); fflush(stdout); getchar(); }',
    )
    assert silent.failure is not None
    assert "after 0 of" in silent.failure.feedback
    assert senseless.failure is not None
    assert "makes no sense" in senseless.failure.feedback


def test_public_and_private_cases_share_no_seed() -> None:
    from speciate.problems.atcoder.cases import exercises

    public, private = (
        {e.name for e in exercises(load({"split": split, "cases": 3}).context.settings)}
        for split in ("public", "private")
    )
    assert len(public) == len(private) == 3
    assert not public & private


@pytest.mark.parametrize(
    "parameters",
    [
        {"contest": "ahc1"},
        {"cases": 0},
        {"cases": True},
        {"split": "secret"},
        {"time_limit": 0},
        {"speed": 1},
    ],
)
def test_senseless_parameters_are_refused_by_name(parameters: dict[str, Json]) -> None:
    with pytest.raises(TaskError, match=next(iter(parameters))):
        load(parameters)


def test_a_folder_without_what_a_contest_needs_is_refused(sums: Path) -> None:
    (sums / "public" / "0.txt").unlink()
    (sums / "public" / "1.txt").unlink()
    with pytest.raises(TaskError, match="holds no input"):
        load_contest({"folder": str(sums)})
    (sums / "judge.py").unlink()
    with pytest.raises(TaskError, match=r"judge\.py"):
        load_contest({"folder": str(sums)})


def test_the_example_scores() -> None:
    task = load_contest({"time_limit": 0.2})
    (outcome,) = evaluated(task, task.initial.source)
    assert outcome.result is not None, outcome.failure
    assert 10 <= task.objectives[0].outward(outcome.result.objectives[0]) <= 40


def test_a_program_of_one_s_own_may_begin(tmp_path: Path) -> None:
    (tmp_path / "mine.cpp").write_text(ADD)
    task = load({"initial": str(tmp_path / "mine.cpp")})
    assert task.initial.source == ADD
    assert task.spec.program.mutable == "whole"


def test_both_problems_are_found_by_name(sums: Path) -> None:
    assert load_task("atcoder").name == "atcoder"
    assert (
        load_task("contest", {"folder": str(sums), "direction": "minimize"}).objectives[0].direction
        == "minimize"
    )
