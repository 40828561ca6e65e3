from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from speciate.errors import TaskError
from speciate.evaluators import (
    EvaluationConfig,
    TrustedEvaluator,
    build_evaluator,
    build_outcome_cache,
    evaluator_hash,
)
from speciate.records import Context, Program, Result
from speciate.tasks import Task, task_from_functions
from speciate.testing.evaluators import write_task

FILES = {
    "initial.py": "X = 1",
    "run.py": "def run(program, case): return program.X",
    "score.py": "def cases(context): return [{'name': 'a'}]\ndef score(case, data): return data",
    "data.txt": "7",
}


def task(folder: Path, changed: Mapping[str, str] = FILES, **spec: object) -> Task:
    return write_task(folder, {**FILES, **changed}, initial="initial.py", **spec)


def length(program: Program, context: Context) -> Result:
    return Result((float(len(program.source)),))


def first_byte(program: Program, context: Context) -> Result:
    return Result((float(ord(program.source[0])),))


def trusted(score: Callable[[Program, Context], Result], stochastic: bool = False) -> Task:
    return task_from_functions(
        name="t", initial="abc", score=score, language_name="text", stochastic=stochastic
    )


def test_a_trusted_task_needs_no_sandbox() -> None:
    evaluator = build_evaluator(trusted(length), EvaluationConfig(trusted_threads=True, slots=3))
    assert isinstance(evaluator, TrustedEvaluator)
    assert evaluator.slots == 3


def test_a_split_task_needs_a_folder() -> None:
    made = trusted(length)
    spec = made.spec.model_copy(
        update={"evaluation": made.spec.evaluation.model_copy(update={"kind": "split"})}
    )
    with pytest.raises(TaskError, match="folder"):
        build_evaluator(Task(spec, made.initial), EvaluationConfig(slots=1))


def test_stages_belong_to_split_tasks(tmp_path: Path) -> None:
    made = task(tmp_path, evaluation={"kind": "plain", "thresholds": [1.0]})
    with pytest.raises(TaskError, match="thresholds need kind 'split'"):
        build_evaluator(made, EvaluationConfig())


@pytest.mark.parametrize(
    ("stochastic", "cache", "enabled"), [(False, True, True), (True, True, False), (False, False, False)]
)
def test_the_cache_is_off_for_stochastic_tasks(*, stochastic: bool, cache: bool, enabled: bool) -> None:
    made = trusted(length, stochastic=stochastic)
    assert build_outcome_cache(made, EvaluationConfig(cache=cache)).enabled is enabled


@pytest.mark.parametrize("settings", [{"slot": 3}, {"slots": 0}, {"slots": 100_000}])
def test_unknown_and_impossible_settings_are_errors(settings: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        EvaluationConfig.model_validate(settings)


@pytest.mark.parametrize("name", ["run.py", "score.py", "data.txt", "helper.py"])
def test_each_file_of_the_scoring_counts(tmp_path: Path, name: str) -> None:
    sandbox = {"files": ["data.txt"]}
    before = evaluator_hash(task(tmp_path, {"helper.py": "A = 1"}, sandbox=sandbox))
    assert evaluator_hash(task(tmp_path, {"helper.py": "A = 1"}, sandbox=sandbox)) == before
    assert (
        evaluator_hash(task(tmp_path, {"helper.py": "A = 1", name: "# changed"}, sandbox=sandbox)) != before
    )


@pytest.mark.parametrize(
    "spec",
    [
        {"limits": {"cpu_seconds": 3.0}},
        {"evaluation": {"repeats": 2}},
        {"parameters": {"n": 3}},
        {"objectives": [{"name": "x", "direction": "minimize"}]},
    ],
)
def test_settings_of_the_scoring_count(tmp_path: Path, spec: dict[str, object]) -> None:
    assert evaluator_hash(task(tmp_path, FILES, **spec)) != evaluator_hash(task(tmp_path))


def test_what_decides_scores_outside_of_the_folder_changes_the_identity(tmp_path: Path) -> None:
    plain = task(tmp_path)
    older, newer = (replace(plain, scored_by={"simulator": each}) for each in ("1", "2"))
    assert len({evaluator_hash(each) for each in (plain, older, newer)}) == 3
    assert evaluator_hash(replace(plain, scored_by={})) == evaluator_hash(plain)


def test_what_does_not_score_does_not_count(tmp_path: Path) -> None:
    before = evaluator_hash(task(tmp_path))
    assert evaluator_hash(task(tmp_path, {"initial.py": "X = 2"}, description="new", success=1.0)) == before


def test_functions_are_told_apart_by_their_source() -> None:
    assert evaluator_hash(trusted(length)) != evaluator_hash(trusted(first_byte))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    made = task(tmp_path)
    (tmp_path / "score.py").unlink()
    with pytest.raises(TaskError, match=r"score\.py"):
        evaluator_hash(made)
