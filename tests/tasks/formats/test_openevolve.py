"""The contract of OpenEvolve's evaluators, clause by clause, in the sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from speciate.records import FailureKind, Json
from speciate.tasks import Task, load_folder
from speciate.testing.foreign import SHORT, failed, fates, foreign_task, judged, scored

EXEC = """
import asyncio
from openevolve.evaluation_result import EvaluationResult

def evaluate(program_path):
    names = {"EvaluationResult": EvaluationResult}
    exec(compile(open(program_path).read(), "somewhere", "exec"), names)
    return names["answer"]()
"""

IMPORTING = """
import importlib.util

def evaluate(program_path):
    spec = importlib.util.spec_from_file_location("program", program_path)
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    return {"combined_score": program.answer()}
"""


def evaluator(folder: Path, script: str, program: str = "def answer():\n    return 1\n") -> Task:
    return foreign_task(folder, {"evaluator.py": script, "initial_program.py": program})


def answering(*answers: str) -> list[str]:
    """Returns programs that answer these expressions."""
    return [f"def answer():\n    return {answer}\n" for answer in answers]


def test_without_a_combined_score_the_mean_of_the_numbers_counts(data: Path) -> None:
    result = scored(load_folder(data / "openevolve/curve"))
    # Of 0.5 and 0.5: `size` is a feature, `passed` no number.
    assert result.objectives[0] == pytest.approx(0.5)
    assert result.public == {"closeness": pytest.approx(0.5), "smoothness": 0.5, "size": 20.0, "passed": True}


def test_scores_are_taken_as_they_come(tmp_path: Path) -> None:
    task = evaluator(tmp_path, EXEC)
    outcomes = fates(
        task,
        *answering(
            "{'combined_score': -2}",
            "EvaluationResult({'combined_score': 1e9})",
            "EvaluationResult.from_dict({'a': 1, 'b': 2, 'c': float('nan'), 'error': 9})",
            "{'error': '', 'combined_score': 6}",
            "{'combined_score': __import__('numpy').float32(0.5)}",
        ),
    )
    assert [outcome.fitness for outcome in outcomes] == [(-2.0,), (1e9,), (4.0,), (6.0,), (0.5,)]


def test_numbers_that_are_all_features_are_averaged_all_the_same(data: Path) -> None:
    task = load_folder(data / "openevolve/curve", {"feature_dimensions": ["closeness", "smoothness", "size"]})
    assert scored(task).objectives[0] == pytest.approx(7.0)


def test_an_evaluator_gets_the_arguments_of_its_config(tmp_path: Path) -> None:
    files = {
        "evaluator.py": """
            def evaluate(path, *, scale=1.0, **more):
                return {"combined_score": scale * more["n"]}
            """,
        "initial_program.py": "x = 1\n",
        "config.yaml": "evaluator:\n  evaluator_args: {scale: 2.5, n: 2}\n",
    }
    assert scored(foreign_task(tmp_path, files)).objectives == (5.0,)
    given: dict[str, Json] = {**SHORT, "evaluator_args": {"n": 3}}
    assert scored(foreign_task(tmp_path, files, given)).objectives == (3.0,)
    files["evaluator.py"] = "def evaluate(path):\n    return {'combined_score': 1.0}\n"
    failure = failed(foreign_task(tmp_path, files))
    assert (failure.kind, "unexpected keyword" in failure.message) == (FailureKind.SCORE, True)


def test_an_evaluator_may_be_asynchronous(tmp_path: Path) -> None:
    script = "async def evaluate(program_path):\n    return {'combined_score': 3.0}\n"
    assert scored(evaluator(tmp_path, script)).objectives == (3.0,)


def test_a_result_class_of_the_evaluators_own_is_understood(tmp_path: Path) -> None:
    script = """
        class Mine:
            metrics = {"combined_score": 2.0}
            artifacts = {"note": "own"}

        def evaluate(program_path):
            return Mine()
        """
    result = scored(evaluator(tmp_path, script))
    assert (result.objectives, result.artifacts) == ((2.0,), {"note": "own"})


def test_artifacts_are_kept_as_text_and_odd_metrics_are_named(data: Path) -> None:
    result = scored(load_folder(data / "openevolve/artifacts"))
    assert result.artifacts == {"table": "one 3\ntwo 3\nthree 5", "raw": "one two three\ufffd"}
    assert (result.public, result.extra) == ({}, {"metrics_left_out": ["lengths"]})


def test_a_large_artifact_is_cut_and_fails_nobody(tmp_path: Path) -> None:
    program = answering("EvaluationResult({'combined_score': 1.0}, {'log': 'x' * (8 << 20)})")[0]
    result = scored(evaluator(tmp_path, EXEC), program)
    assert len(result.artifacts["log"]) < 70_000
    assert "[cut" in result.artifacts["log"]


def test_a_text_under_error_is_a_refusal(data: Path) -> None:
    task = load_folder(data / "openevolve/artifacts")
    failure = failed(task, "def words():\n    return ['zero']\n")
    assert failure.kind is FailureKind.INVALID
    assert failure.feedback == "forbidden: zero\nstderr:\nsee the list"


BREACHES = {
    "None": (FailureKind.MALFORMED, "returned a NoneType"),
    "0.5": (FailureKind.MALFORMED, "returned a float"),
    "{}": (FailureKind.MALFORMED, "it returned nothing"),
    "{'error': 0.0}": (FailureKind.MALFORMED, "no combined_score and no other number; it returned error"),
    "{'combined_score': 'high'}": (FailureKind.MALFORMED, "no combined_score and no other number"),
    "{'combined_score': float('nan')}": (FailureKind.NON_FINITE, "NaN"),
    "{'combined_score': float('-inf')}": (FailureKind.NON_FINITE, "infinite"),
    "EvaluationResult([1])": (FailureKind.MALFORMED, "returned a EvaluationResult"),
    "{}['x']": (FailureKind.SCORE, "KeyError: 'x'"),
    "exit(4)": (FailureKind.EXIT, "SystemExit: 4"),
}


def test_answers_that_break_the_contract_are_told(tmp_path: Path) -> None:
    failures = [outcome.failure for outcome in fates(evaluator(tmp_path, EXEC), *answering(*BREACHES))]
    assert [failure and failure.kind for failure in failures] == [kind for kind, _ in BREACHES.values()]
    for failure, (_, message) in zip(failures, BREACHES.values(), strict=True):
        assert failure is not None
        assert message in failure.message


FATES = {
    "def answer(:\n": FailureKind.SYNTAX,
    "import no_such_module\n": FailureKind.IMPORT,
    "def answer():\n    return [][1]\n": FailureKind.EXCEPTION,
    "def answer():\n    while True: pass\n": FailureKind.CPU_LIMIT,
    "def answer():\n    return bytearray(1 << 30)\n": FailureKind.MEMORY_LIMIT,
    "def other():\n    return 1\n": FailureKind.SCORE,
}


def test_each_way_to_fail_has_its_kind_and_harms_nobody_else(tmp_path: Path) -> None:
    *failures, good = fates(evaluator(tmp_path, IMPORTING), *FATES, "def answer():\n    return 5\n")
    assert [o.failure and o.failure.kind for o in failures] == list(FATES.values())
    assert good.fitness == (5.0,)


def test_a_missing_library_of_the_evaluators_is_not_the_candidates_fault(tmp_path: Path) -> None:
    failure = failed(evaluator(tmp_path, "import no_such_library\ndef evaluate(p): ...\n"))
    assert failure.kind is FailureKind.SCORE
    assert "No module named 'no_such_library' (evaluator.py, line 1)" in failure.message


def stages(first: float, second: float, third: float) -> str:
    return f"first, second, third = {first}, {second}, {third}\n"


def test_a_cascade_goes_on_while_thresholds_are_reached(data: Path) -> None:
    task = load_folder(data / "openevolve/cascade")
    assert task.spec.evaluation.thresholds == (0.5, 0.6)
    result = scored(task)
    assert (result.objectives, result.public) == ((0.7,), {"first": 0.9, "second": 0.8, "third": 0.7})
    assert (result.artifacts, result.feedback) == ({"note": "two: 0.8"}, "")
    exact, first, second = fates(task, stages(0.5, 0.6, 0.1), stages(0.4, 1, 1), stages(0.5, 0.5, 1))
    assert (exact.fitness, first.fitness, second.fitness) == ((0.1,), (0.4,), (0.5,))
    assert first.result is not None
    assert first.result.public == {"first": 0.4}
    assert first.result.feedback == "stopped after stage 1: the score is 0.4 and must be at least 0.5"


def test_a_stopped_candidate_fails_if_that_is_wanted(data: Path) -> None:
    task = load_folder(data / "openevolve/cascade", {"stopped": "fails"})
    failure = failed(task, stages(0.5, 0.3, 1))
    assert failure.kind is FailureKind.BELOW_THRESHOLD
    assert failure.feedback == "note:\ntwo: 0.3"


def test_a_stage_that_refuses_or_raises_ends_the_cascade(tmp_path: Path) -> None:
    script = """
        def evaluate(program_path):
            return {"combined_score": 1.0}

        def evaluate_stage1(program_path):
            text = open(program_path).read()
            return {"validity": 0.0, "error": text} if "bad" in text else {"combined_score": 0.9}

        def evaluate_stage2(program_path):
            raise RuntimeError("stage two")
        """
    task = evaluator(tmp_path, script)
    assert task.spec.evaluation.thresholds == (0.5, 0.75)  # OpenEvolve's own, without a config
    refused, broken = fates(task, "bad = 1\n", "good = 1\n")
    assert refused.failure is not None
    assert (refused.failure.kind, refused.failure.feedback) == (FailureKind.INVALID, "bad = 1\n")
    assert broken.failure is not None
    assert (broken.failure.kind, "stage two" in broken.failure.message) == (FailureKind.SCORE, True)


def test_without_a_cascade_evaluate_is_called_whatever_stages_there_are(tmp_path: Path) -> None:
    files = {
        "evaluator.py": """
            def evaluate(program_path):
                return {"combined_score": 2.0}

            def evaluate_stage1(program_path):
                raise OSError
            """,
        "initial_program.py": "x = 1\n",
        "config.yaml": "evaluator:\n  cascade_evaluation: false\n",
    }
    task = foreign_task(tmp_path, files)
    assert (task.spec.evaluation.thresholds, scored(task).objectives) == ((), (2.0,))


def test_an_evaluator_may_run_the_program_in_a_process_of_its_own(data: Path) -> None:
    task = load_folder(data / "openevolve/subprocess")
    assert scored(task).objectives[0] == pytest.approx(0.3)
    failure = failed(task, "def run():\n    raise ValueError('no')\n")
    assert failure.kind is FailureKind.INVALID
    assert "ValueError: no" in failure.feedback


def test_a_subprocess_does_not_outlive_its_limits(data: Path) -> None:
    task = load_folder(data / "openevolve/subprocess", SHORT)
    outcome = judged(task, "def run():\n    while True: pass\n")
    assert outcome.failure is not None
    assert outcome.failure.kind in (FailureKind.CPU_LIMIT, FailureKind.WALL_LIMIT)


def test_a_program_may_be_any_text(data: Path) -> None:
    task = load_folder(data / "openevolve/words")
    assert (task.spec.language, task.spec.program.mutable) == ("text", "whole")
    assert scored(task).objectives == (3.0,)


def test_a_task_toml_gives_an_evaluator_cells_and_limits(data: Path, tmp_path: Path) -> None:
    task = load_folder(data / "openevolve/curve")
    toml = """
        name = "curve in cells"
        objectives = [{ name = "closeness" }, { name = "size", direction = "minimize" }]
        program = { files = ["initial_program.py"] }
        evaluation = { kind = "openevolve", evaluate = "evaluator.py" }
        limits = { cpu_seconds = 2.0 }

        [[descriptors]]
        name = "smoothness"
        range = [0.0, 1.0]
        """
    script = (data / "openevolve/curve/evaluator.py").read_text()
    files = {"task.toml": toml, "evaluator.py": script, "initial_program.py": task.initial.source}
    own = foreign_task(tmp_path, files, {})
    assert (own.format, own.forgeable, own.spec.limits.cpu_seconds) == ("native", True, 2.0)
    result = scored(own)
    assert list(result.objectives) == pytest.approx([0.5, -20.0])
    assert result.descriptor == (0.5,)


def test_names_of_a_search_are_not_there(tmp_path: Path) -> None:
    failure = failed(evaluator(tmp_path, "from openevolve import OpenEvolve\ndef evaluate(p): ...\n"))
    assert failure.kind is FailureKind.SCORE
    assert "cannot import name 'OpenEvolve'" in failure.message


def test_the_helpers_for_metrics_agree_with_the_score(tmp_path: Path) -> None:
    script = """
        from openevolve.utils.metrics_utils import get_fitness_score, safe_numeric_average

        METRICS = {"a": 1.0, "b": 3.0, "word": "x", "flag": True, "nan": float("nan")}

        def evaluate(program_path):
            assert safe_numeric_average(METRICS) == 2.0
            assert get_fitness_score({**METRICS, "combined_score": 7}) == 7.0
            assert get_fitness_score(METRICS, ["b"]) == 1.0
            assert get_fitness_score({}) == safe_numeric_average({}) == 0.0
            return {"combined_score": get_fitness_score(METRICS)}
        """
    assert scored(evaluator(tmp_path, script)).objectives == (2.0,)
