from __future__ import annotations

import asyncio
import math
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from textwrap import dedent
from typing import TypeVar

import numpy as np
import pytest

from speciate.errors import SandboxError, ScoreError
from speciate.evaluators.jobs import Case
from speciate.evaluators.score_pool import ScorePool
from speciate.evaluators.score_process import Answer, ScoreProcess
from speciate.records import CaseResult, Context, Failure, FailureKind, Program
from speciate.tasks import DescriptorSpec, Limits, ObjectiveSpec, Task, TaskSpec

T = TypeVar("T")

SCORE = """
import os, sys, time
import numpy as np

def cases(context):
    return [{"name": "a", "data": {"n": context.settings.get("n", 1)}, "answer": 42}, {"name": "b"}]

def score(case, data):
    if isinstance(data, np.ndarray): return {"values": {"x": data.sum()}, "valid": np.True_}
    if data == "raise": raise ValueError("cannot use this")
    if data == "hang": time.sleep(60)
    if data == "die": os._exit(3)
    if data == "print": print("x" * 1000); sys.stdout.flush()
    if data == "nonsense": return {"vlaues": {}}
    if data == "exit": sys.exit(1)
    if data == "nan": return float("nan")
    if data == "set": return {"values": {"x": {1, 2}}}
    return {"values": {"x": data, "secret": case.get("answer", 0)}, "feedback": case["name"]}
"""


def task(folder: Path, score: str = SCORE, seconds: float = 20.0) -> Task:
    (folder / "score.py").write_text(dedent(score))
    spec = TaskSpec(name="t", objectives=(ObjectiveSpec(name="x"),), limits=Limits(score_seconds=seconds))
    return Task(spec, Program.of({"initial.py": ""}), folder=folder)


def with_process(made: Task, use: Callable[[ScoreProcess], Awaitable[T]]) -> T:
    async def go() -> T:
        process = ScoreProcess(made)
        try:
            return await use(process)
        finally:
            await process.close()
            await process.close()

    return asyncio.run(go())


def judged(made: Task, data: object) -> CaseResult:
    (found,) = judge(made, data)
    assert isinstance(found, tuple)
    return found[0]


def judge(made: Task, *data: object) -> list[tuple[CaseResult, ...] | Failure]:
    async def use(process: ScoreProcess) -> list[tuple[CaseResult, ...] | Failure]:
        return [await process.score(Context(), [Answer("a", "a", datum, 0.5)]) for datum in data]

    return with_process(made, use)


def test_cases_come_without_what_only_score_code_may_see(tmp_path: Path) -> None:
    context = Context(settings={"n": 7})
    cases = with_process(task(tmp_path), lambda process: process.cases(context))
    assert cases == (Case("a", {"n": 7}), Case("b"))


def test_score_sees_the_whole_case_and_the_measured_seconds_are_kept(tmp_path: Path) -> None:
    result = judged(task(tmp_path), 1.5)
    assert result == CaseResult("a", {"x": 1.5, "secret": 42}, True, "a", 0.5)


def test_arrays_cross_and_numpy_scalars_come_back_plain(tmp_path: Path) -> None:
    result = judged(task(tmp_path), np.array([1.5, 2.0]))
    assert (type(result.values["x"]), result.values["x"], result.valid) == (float, 3.5, True)


def test_a_bare_number_is_the_first_objective_and_nan_stays_a_number(tmp_path: Path) -> None:
    result = judged(task(tmp_path), "nan")
    assert math.isnan(float(result.values["x"]))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("raise", "score() raised ValueError: cannot use this (score.py, line 10)"),
        ("die", "died (exit status 3)"),
        ("exit", "SystemExit"),
    ],
)
def test_raising_and_dying_is_the_candidates_failure_and_the_next_is_fine(
    tmp_path: Path, data: str, said: str
) -> None:
    failed, fine = judge(task(tmp_path), data, 2.0)
    assert isinstance(failed, Failure)
    assert failed.kind is FailureKind.SCORE
    assert said in failed.message
    assert isinstance(fine, tuple)


def test_a_hanging_score_is_killed_at_its_deadline(tmp_path: Path) -> None:
    failed, fine = judge(task(tmp_path, seconds=1.0), "hang", 2.0)
    assert isinstance(failed, Failure)
    assert (failed.kind, "within 1 s" in failed.message) == (FailureKind.SCORE, True)
    assert isinstance(fine, tuple)


def test_what_score_prints_does_not_disturb_the_channel(tmp_path: Path) -> None:
    printed = [*judge(task(tmp_path), *["print"] * 100, 2.0)]
    assert all(isinstance(result, tuple) for result in printed)


@pytest.mark.parametrize(("data", "said"), [("nonsense", "did you mean 'values'"), ("set", "a set")])
def test_nonsense_from_score_is_the_candidates_failure(tmp_path: Path, data: str, said: str) -> None:
    failed, fine = judge(task(tmp_path), data, 2.0)
    assert isinstance(failed, Failure)
    assert failed.kind is FailureKind.SCORE
    assert said in failed.message
    assert str(tmp_path) not in failed.message
    assert isinstance(fine, tuple)


@pytest.mark.parametrize(
    ("score", "said"),
    [
        ("import no_such_thing", "no_such_thing"),
        ("raise SystemExit(2)", "SystemExit"),
        ("def cases(context): return []", r"no function score\(case, data\)"),
        ("import os; os._exit(7)", "exit status 7"),
    ],
)
def test_a_file_that_cannot_be_loaded_blames_the_task(tmp_path: Path, score: str, said: str) -> None:
    with pytest.raises(ScoreError, match=said):
        with_process(task(tmp_path, score), lambda process: process.start())


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ("[]", "at least one case"),
        ("[{'name': 'a'}, {'name': 'a'}]", "name of its own"),
        ("[{'name': 'a', 'data': {1, 2}}]", "set"),
        ("[{'name': 'a', 'stage': -1}]", "stage"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_bad_cases_blame_the_task(tmp_path: Path, returned: str, said: str) -> None:
    score = f"def cases(context): return {returned}\ndef score(case, data): return 0\n"
    with pytest.raises(ScoreError, match=said):
        with_process(task(tmp_path, score), lambda process: process.cases(Context()))


def test_without_aggregate_the_mean_over_cases_is_taken(tmp_path: Path) -> None:
    found = [CaseResult("a", {"x": 1.0, "d": 5}), CaseResult("b", {"x": 2.0, "d": 6}, feedback="slow")]
    made = task(tmp_path)
    spec = made.spec.model_copy(update={"descriptors": (DescriptorSpec(name="d", edges=(1.0,)),)})
    answer = with_process(Task(spec, made.initial, folder=tmp_path), lambda process: process.aggregate(found))
    assert answer == {"objectives": {"x": 1.5}, "descriptor": {"d": 5.5}, "feedback": "b: slow"}


def test_score_can_import_and_open_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("N = 3\n")
    (tmp_path / "data.txt").write_text("4")
    score = """
        def cases(context):
            import helper
            return [{"name": "a", "data": helper.N + int(open("data.txt").read())}]
        def score(case, data): return 0
        """
    cases = with_process(task(tmp_path, score), lambda process: process.cases(Context()))
    assert cases[0].data == 7


def test_a_cancelled_question_does_not_answer_the_next(tmp_path: Path) -> None:
    async def use(process: ScoreProcess) -> tuple[CaseResult, ...] | Failure:
        await process.start()
        slow = asyncio.create_task(process.score(Context(), [Answer("a", "a", "hang", 0.0)]))
        await asyncio.sleep(0.2)
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow
        return await process.score(Context(), [Answer("b", "b", 5.0, 0.0)])

    result = with_process(task(tmp_path), use)
    assert isinstance(result, tuple)
    assert result[0].case == "b"


def test_a_process_closed_in_the_midst_of_a_question_blames_nobody(tmp_path: Path) -> None:
    async def use(process: ScoreProcess) -> None:
        await process.start()
        slow = asyncio.create_task(process.score(Context(), [Answer("a", "a", "hang", 0.0)]))
        await asyncio.sleep(0.2)
        await process.close()
        with pytest.raises(SandboxError, match="closed"):
            await slow
        with pytest.raises(SandboxError, match="closed"):
            await process.start()

    with_process(task(tmp_path), use)


def test_what_score_code_printed_stays_out_of_the_failure(tmp_path: Path) -> None:
    made = task(tmp_path, SCORE.replace("os._exit(3)", "print('the answer is 42', flush=True); os.abort()"))
    (failed,) = judge(made, "die")
    assert isinstance(failed, Failure)
    assert failed.message == "the task's score.py died (signal 6)"


def test_what_broken_score_code_printed_is_shown_to_the_user(tmp_path: Path) -> None:
    with pytest.raises(ScoreError, match="no licence"):
        with_process(
            task(tmp_path, "import os; print('no licence', flush=True); os._exit(1)"), ScoreProcess.start
        )


def test_whatever_score_code_started_dies_with_it(tmp_path: Path) -> None:
    score = """
        import subprocess
        def cases(context):
            return [{"name": str(subprocess.Popen(["sleep", "60"]).pid)}]
        def score(case, data): return 0
        """
    (case,) = with_process(task(tmp_path, score), lambda process: process.cases(Context()))
    assert ends(int(case.name))


def test_the_process_holds_no_descriptor_of_the_engine(tmp_path: Path) -> None:
    score = """
        import os
        def cases(context): return [{"name": n} for n in sorted(os.listdir("/proc/self/fd"), key=int)]
        def score(case, data): return 0
        """
    with (tmp_path / "secret").open("w") as secret:
        os.set_inheritable(secret.fileno(), True)
        cases = with_process(task(tmp_path, score), lambda process: process.cases(Context()))
    assert len(cases) == 5  # three standard ones, the socket, the listing itself


def test_a_killed_engine_leaves_no_score_process(tmp_path: Path) -> None:
    made = task(
        tmp_path, SCORE.replace("time.sleep(60)", "open('pid', 'w').write(str(os.getpid())); time.sleep(60)")
    )
    engine = f"""
import asyncio
from pathlib import Path
from speciate.evaluators.score_process import Answer, ScoreProcess
from speciate.records import Context, Program
from speciate.tasks import Task, TaskSpec
spec = TaskSpec.model_validate({made.spec.model_dump(mode="json")!r})
process = ScoreProcess(Task(spec, Program.of({{"initial.py": ""}}), folder=Path({str(tmp_path)!r})))
asyncio.run(process.score(Context(), [Answer("a", "a", "hang", 0.0)]))
"""
    running = subprocess.Popen([sys.executable, "-c", engine])
    pid_file = tmp_path / "pid"
    while not (pid_file.exists() and pid_file.read_text()):
        assert running.poll() is None
        time.sleep(0.02)
    running.kill()
    running.wait()
    pid = int(pid_file.read_text())
    assert ends(pid)


def ends(pid: int) -> bool:
    for _ in range(500):
        if not alive(pid):
            return True
        time.sleep(0.02)
    return False


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_pool_adds_processes_when_candidates_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("speciate.evaluators.score_pool.PATIENCE", 0.05)
    score = """
        import time
        def cases(context): return [{"name": "a"}]
        def score(case, data): time.sleep(0.1); return data
        """

    async def go() -> tuple[int, list[tuple[CaseResult, ...] | Failure]]:
        pool = ScorePool(task(tmp_path, score), most=2)
        await pool.start()
        try:
            asked = [pool.score(Context(), [Answer("a", "a", n, 0.0)]) for n in range(6)]
            return len(pool), await asyncio.gather(*asked)
        finally:
            assert len(pool) == 2
            await pool.close()

    before, found = asyncio.run(go())
    assert before == 1
    assert [r[0].values["x"] for r in found if isinstance(r, tuple)] == [0, 1, 2, 3, 4, 5]
