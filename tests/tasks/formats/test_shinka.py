"""The contract of ShinkaEvolve's evaluation scripts, clause by clause, in the sandbox."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from speciate.records import FailureKind, Program
from speciate.tasks import Task, load_folder
from speciate.testing.foreign import failed, fates, foreign_task, judged, scored

PROGRAM = "def run(seed):\n    return seed\n"

HELPER = """
import argparse
from shinka.core import run_shinka_eval

parser = argparse.ArgumentParser()
parser.add_argument("--program_path", required=True)
parser.add_argument("--results_dir", required=True)
given = parser.parse_args()

def mean(results):
    return {"combined_score": sum(results) / len(results)}

more = dict(experiment_fn_name="run", num_runs=3, aggregate_metrics_fn=mean)
"""

BY_HAND = """
import json
import sys
from pathlib import Path

folder = Path(sys.argv[sys.argv.index("--results_dir") + 1])
program = Path(sys.argv[sys.argv.index("--program_path") + 1])

def write(name, value):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(value if isinstance(value, str) else json.dumps(value))
"""


def helper(folder: Path, settings: str = "", program: str = PROGRAM) -> Task:
    """Returns a task whose script calls the helper with further settings."""
    call = "\nrun_shinka_eval(given.program_path, given.results_dir, **more)\n"
    return foreign_task(folder, {"evaluate.py": HELPER + dedent(settings) + call, "initial.py": program})


def by_hand(folder: Path, script: str, program: str = PROGRAM) -> Task:
    """Returns a task whose script writes its files without the helper."""
    return foreign_task(folder, {"evaluate.py": BY_HAND + dedent(script), "initial.py": program})


def test_runs_are_aggregated_and_without_arguments_get_seeds_from_one(tmp_path: Path) -> None:
    assert scored(helper(tmp_path)).objectives == (2.0,)


def test_arguments_are_made_for_each_run(tmp_path: Path) -> None:
    task = helper(tmp_path, "more.update(num_runs=2, get_experiment_kwargs=lambda run: {'seed': 10 * run})")
    assert scored(task).objectives == (5.0,)


def test_metrics_feedback_and_extra_data_go_where_they_belong(data: Path) -> None:
    result = scored(load_folder(data / "shinka/intervals"))
    assert result.objectives[0] == pytest.approx(0.5)
    assert result.public == {"covered_worst": pytest.approx(0.5), "runs": 2}
    assert result.private == {"secret_target": 1.0}
    assert result.feedback == "0.500 of the line is bare"
    extra = result.extra["extra_data"]
    assert isinstance(extra, dict)
    assert extra["centres"] == pytest.approx([0.1, 0.1 + 0.8 / 3, 0.9 - 0.8 / 3, 0.9])
    assert (result.extra["num_valid_runs"], result.extra["num_invalid_runs"]) == (2, 0)


def test_times_stay_outside_so_that_equal_evaluations_are_equal(data: Path) -> None:
    task = load_folder(data / "shinka/intervals")
    assert scored(task) == scored(task)


def test_an_invalid_run_makes_the_candidate_invalid_and_says_why(data: Path) -> None:
    task = load_folder(data / "shinka/intervals")
    source = task.initial.source.replace("0.5 / count", "1.5 / count")
    failure = failed(task, source)
    assert failure.kind is FailureKind.INVALID
    assert failure.feedback.startswith("Validation failed: ")
    assert "of the line is bare" in failure.feedback


def test_a_validator_may_refuse_without_a_word(tmp_path: Path) -> None:
    failure = failed(helper(tmp_path, "more.update(validate_fn=lambda result: (result < 3, None))"))
    assert (failure.kind, failure.feedback) == (FailureKind.INVALID, "Validation failed")


def test_runs_stop_early_when_their_mean_is_sure(data: Path) -> None:
    result = scored(load_folder(data / "shinka/noisy"))
    assert result.public == {"runs": 4}
    stop = result.extra["early_stop"]
    assert isinstance(stop, dict)
    assert (stop["method"], stop["triggered"], stop["prediction"]) == ("bayesian", True, "beats")
    assert (stop["runs_completed"], stop["runs_requested"]) == (4, 30)


def test_an_early_stop_method_of_the_scripts_own_is_asked(tmp_path: Path) -> None:
    own = """
        from shinka.utils.eval_stop import EarlyStopDecision, EarlyStopMethod

        class Second(EarlyStopMethod):
            def check(self, scores, threshold):
                return EarlyStopDecision(len(scores) == 2, "uncertain", 0.0, len(scores))

        more.update(num_runs=9, early_stop_method=Second(), early_stop_threshold=0.0)
        """
    assert scored(helper(tmp_path, own)).objectives == (1.5,)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("early_stop_method='ci'", "early_stop_threshold"),
        ("early_stop_method='luck', early_stop_threshold=1", "'luck'"),
        ("early_stop_method='ci', early_stop_threshold=1, run_workers=2", "run_workers=1"),
        ("run_workers=0", "at least 1"),
    ],
)
def test_settings_that_contradict_each_other_are_the_scripts_fault(
    tmp_path: Path, settings: str, message: str
) -> None:
    failure = failed(helper(tmp_path, f"more.update({settings})"))
    assert failure.kind is FailureKind.SCORE
    assert message in failure.message


def test_workers_run_the_candidate_in_processes_of_their_own(data: Path) -> None:
    result = scored(load_folder(data / "shinka/workers"))
    assert (result.objectives, result.public) == ((-8.0,), {"elsewhere": True})


@pytest.mark.parametrize(
    ("body", "said"),
    [("return 1 / 0", "ZeroDivisionError"), ("import os; os._exit(1)", "ended before it had answered")],
)
def test_a_candidate_that_fails_in_a_worker_is_to_blame(tmp_path: Path, body: str, said: str) -> None:
    failure = failed(helper(tmp_path, "more.update(run_workers=2)", f"def run(seed):\n    {body}\n"))
    assert failure.kind is FailureKind.EXCEPTION
    assert said in failure.message


FATES = {
    "def run(seed:\n": FailureKind.SYNTAX,
    "import no_such_module\n": FailureKind.IMPORT,
    "def run(seed):\n    return [][1]\n": FailureKind.EXCEPTION,
    "import sys\ndef run(seed):\n    sys.exit(3)\n": FailureKind.EXIT,
    "import os\ndef run(seed):\n    os._exit(0)\n": FailureKind.EXIT,
    "import os\ndef run(seed):\n    os.kill(os.getpid(), 11)\n": FailureKind.CRASH,
    "def run(seed):\n    while True: pass\n": FailureKind.CPU_LIMIT,
    "def run(seed):\n    return bytearray(1 << 30)\n": FailureKind.MEMORY_LIMIT,
    "def run(seed):\n    print('x' * (17 << 20))\n": FailureKind.OUTPUT_LIMIT,
    "def run(seed):\n    return float('nan')\n": FailureKind.NON_FINITE,
    "def run(seed):\n    return -float('inf')\n": FailureKind.NON_FINITE,
    "def ran(seed):\n    return 1\n": FailureKind.INVALID,
    "def run(seed):\n    return 'one'\n": FailureKind.SCORE,
}


def test_each_way_to_fail_has_its_kind_and_harms_nobody_else(tmp_path: Path) -> None:
    *failures, good = fates(helper(tmp_path), *FATES, PROGRAM)
    assert [o.failure and o.failure.kind for o in failures] == list(FATES.values())
    assert good.fitness == (2.0,)


def test_waiting_is_bounded_too(tmp_path: Path) -> None:
    files = {"evaluate.py": HELPER + "run_shinka_eval(given.program_path, given.results_dir, **more)\n"}
    task = foreign_task(tmp_path, {**files, "initial.py": PROGRAM}, {"wall_seconds": 0.5})
    assert failed(task, "import time\ndef run(seed):\n    time.sleep(60)\n").kind is FailureKind.WALL_LIMIT


def test_a_traceback_shows_the_candidates_lines_alone(tmp_path: Path) -> None:
    failure = failed(helper(tmp_path), "def run(seed):\n    return [][1]\n")
    assert 'File "initial.py", line 2, in run' in failure.feedback
    assert "wrap_eval" not in failure.feedback


def test_what_score_code_raises_is_not_the_candidates_fault(tmp_path: Path) -> None:
    failure = failed(
        helper(tmp_path, "\ndef judge(result):\n    return {}['x']\nmore['validate_fn'] = judge\n")
    )
    assert failure.kind is FailureKind.SCORE
    assert "KeyError: 'x' (evaluate.py, line " in failure.message


def test_a_script_without_the_helper_writes_its_files_itself(data: Path) -> None:
    task = load_folder(data / "shinka/handwritten")
    result = scored(task)
    assert (result.objectives, result.public, result.extra) == (
        (-0.5,),
        {"worst": 0.5},
        {"extra_data": [1, 2]},
    )
    assert result.artifacts == {"table.txt": "a table for the next prompt"}
    failure = failed(task, "def guess(x):\n    return x + 3\n")
    assert (failure.kind, failure.feedback) == (FailureKind.INVALID, "off by 3.000")


def test_a_program_of_another_language_is_the_scripts_to_run(data: Path) -> None:
    task = load_folder(data / "shinka/compiled")
    assert (task.spec.language, scored(task).public) == ("c", {"error": 0.5})
    failure = failed(task, task.initial.source.replace("0.5 * x;", "0.5 * y;"))
    assert failure.kind is FailureKind.INVALID
    assert "undeclared" in failure.feedback


CORRECT = "write('correct.json', {'correct': True})\n"

BREACHES = {
    "pass": (FailureKind.MALFORMED, "wrote no correct.json"),
    "raise SystemExit(2)": (FailureKind.EXIT, "SystemExit: 2"),
    "raise SystemExit": (FailureKind.EXIT, "SystemExit"),
    "write('correct.json', '{')": (FailureKind.MALFORMED, "correct.json is not JSON"),
    "write('correct.json', {'correct': 1})": (FailureKind.MALFORMED, "takes true or false"),
    CORRECT: (FailureKind.MALFORMED, "wrote no metrics.json"),
    f"{CORRECT}write('metrics.json', [1])": (FailureKind.MALFORMED, "holds no JSON object"),
    f"{CORRECT}write('metrics.json', '[' * 100_000)": (FailureKind.MALFORMED, "metrics.json is not JSON"),
    f"{CORRECT}write('metrics.json', ' ' * (5 << 20))": (FailureKind.MALFORMED, "has more than"),
    f"{CORRECT}write('metrics.json', {{'score': 1}})": (
        FailureKind.MALFORMED,
        "has no combined_score; it has score",
    ),
    f"{CORRECT}write('metrics.json', {{'combined_score': 'high'}})": (
        FailureKind.MALFORMED,
        "expected a number",
    ),
    f"{CORRECT}write('metrics.json', {{'combined_score': float('nan')}})": (FailureKind.NON_FINITE, "NaN"),
    f"{CORRECT}write('metrics.json', {{'combined_score': 1, 'public': [1]}})": (
        FailureKind.MALFORMED,
        "public and private metrics are JSON objects",
    ),
    f"{CORRECT}raise OSError('full')": (FailureKind.SCORE, "OSError: full"),
}


def test_files_that_break_the_contract_are_told(tmp_path: Path) -> None:
    task = by_hand(tmp_path, "exec(program.read_text())")
    failures = [outcome.failure for outcome in fates(task, *BREACHES)]
    assert [failure and failure.kind for failure in failures] == [kind for kind, _ in BREACHES.values()]
    for failure, (_, message) in zip(failures, BREACHES.values(), strict=True):
        assert failure is not None
        assert message in failure.message


def test_correct_false_needs_no_metrics_and_no_reason(tmp_path: Path) -> None:
    failure = failed(by_hand(tmp_path, "write('correct.json', {'correct': False, 'error': None})"))
    assert (failure.kind, failure.feedback) == (FailureKind.INVALID, "the script does not say why")


def test_an_exit_status_after_both_files_changes_nothing(tmp_path: Path) -> None:
    script = (
        "write('correct.json', {'correct': True}); write('metrics.json', {'combined_score': 4})\nsys.exit(1)"
    )
    assert scored(by_hand(tmp_path, script)).objectives == (4.0,)


def test_odd_metrics_and_feedback_become_readable(tmp_path: Path) -> None:
    script = """
        write("correct.json", {"correct": True, "error": None})
        write("metrics.json", {
            "combined_score": -1e300, "public": {"list": [1, 2], "none": None, "word": "é"}, "private": None,
            "text_feedback": ["first", {"second": 2}], "mood": "good",
        })
        """
    result = scored(by_hand(tmp_path, script))
    assert result.objectives == (-1e300,)
    assert (result.public, result.private) == ({"list": "[1, 2]", "word": "é"}, {})
    assert (result.feedback, result.extra) == ('first\n{"second": 2}', {"mood": "good"})


def test_large_extra_data_and_feedback_are_cut_and_marked(tmp_path: Path) -> None:
    settings = """
        def mean(results):
            return {"combined_score": 1.0, "text_feedback": "x" * 200_000, "extra_data": ["y" * 1000] * 3000}
        more["aggregate_metrics_fn"] = mean
        """
    result = scored(helper(tmp_path, settings))
    assert "[cut" in result.feedback
    assert list(result.extra) == ["left_out"]


def test_of_several_evaluations_the_last_counts(tmp_path: Path) -> None:
    """A script may try the candidate with arguments that it does not take, and then with others."""
    first = (
        "run_shinka_eval(given.program_path, given.results_dir, **more, get_experiment_kwargs=lambda run: {})"
    )
    assert scored(helper(tmp_path, first)).objectives == (2.0,)


def test_noise_on_stdout_and_stderr_is_no_answer(tmp_path: Path) -> None:
    noisy = (
        "import os\nos.write(1, b'{}' * 9000)\nos.write(2, b'\\xff' * 9000)\ndef run(seed):\n    return 1.0\n"
    )
    assert scored(helper(tmp_path), noisy).objectives == (1.0,)


def test_names_of_a_search_may_be_imported_but_start_nothing(tmp_path: Path) -> None:
    names = """
        from shinka.core import EvolutionConfig, ShinkaEvolveRunner
        from shinka.database import DatabaseConfig
        from shinka.launch import LocalJobConfig
        settings = EvolutionConfig(num_generations=4), DatabaseConfig(), LocalJobConfig()
        assert settings[0].num_generations == 4
        """
    assert judged(helper(tmp_path, names)).valid
    failure = failed(helper(tmp_path, dedent(names) + "ShinkaEvolveRunner(evo_config=settings[0])\n"))
    assert failure.kind is FailureKind.SCORE
    assert "ShinkaEvolveRunner cannot be used inside an evaluation" in failure.message


def test_repeats_are_averaged(tmp_path: Path) -> None:
    files = {
        name: (helper(tmp_path).folder or tmp_path).joinpath(name).read_text() for name in ("evaluate.py",)
    }
    task = foreign_task(tmp_path, files, {"repeats": 2})
    outcome = judged(task)
    assert (outcome.fitness, outcome.evaluations) == ((2.0,), 2)


def test_further_objectives_and_descriptors_are_metrics_by_name(data: Path) -> None:
    loaded = load_folder(data / "shinka/intervals")
    objectives = [{"name": "score"}, {"name": "secret_target", "direction": "minimize"}]
    spec = loaded.spec.model_validate(
        {
            **loaded.spec.model_dump(),
            "objectives": objectives,
            "descriptors": [{"name": "covered_worst", "range": (0, 1)}],
        }
    )
    result = scored(Task(spec, Program(loaded.initial.files), folder=loaded.folder))
    assert list(result.objectives) == pytest.approx([0.5, -1.0])
    assert list(result.descriptor or ()) == pytest.approx([0.5])
