from __future__ import annotations

from pathlib import Path

import pytest

from speciate.engine import RunConfig
from speciate.engine.settings import over_task_defaults
from speciate.errors import TaskError
from speciate.tasks import Task, load_folder
from speciate.testing.foreign import foreign_task

FILES = {
    "evaluator.py": "def evaluate(program_path):\n    return {'combined_score': 1.0}\n",
    "initial_program.py": "x = 1\n",
}


def configured(folder: Path, config: str) -> Task:
    return foreign_task(folder, {**FILES, "config.yaml": config}, {})


def test_what_maps_becomes_settings_of_the_run(data: Path) -> None:
    task = load_folder(data / "openevolve/curve")
    config = over_task_defaults(RunConfig(), task)
    assert (config.seed, config.budget.candidates) == (7, 60)
    population = config.population
    assert (population.islands, population.archive.size) == (3, 10)
    assert (population.migration_interval, population.migration_fraction) == (60, 0.1)
    assert config.mutation.model == {"diff": 0.0, "full": 1.0, "crossover": 0.0}
    assert (config.sampling.temperatures, config.sampling.max_tokens) == ((0.7,), 2048)
    assert (config.inspirations.top, config.prompts.artifact_chars, config.llm.retry.attempts) == (3, 1000, 3)
    assert config.evaluation.slots == 2


def test_what_belongs_to_the_task_is_taken_over(data: Path) -> None:
    spec = load_folder(data / "openevolve/curve").spec
    assert spec.description == "Approximate the square root on [0, 1].\nUse no library.\n"
    assert (spec.limits.cpu_seconds, spec.limits.wall_seconds) == (20.0, 40.0)
    assert spec.parameters["feature_dimensions"] == ["size", "complexity"]


def test_what_does_not_map_is_told_with_the_reason_and_keys_are_not_shown(data: Path) -> None:
    (ignored,) = (line for line in load_folder(data / "openevolve/curve").remarks if "ignored" in line)
    for part in (
        "llm.primary_model (name models with --model)",
        "checkpoint_interval (every step is stored at once)",
        "database.feature_bins (cells need fixed ranges",
        "evaluator.max_retries",
        "house_rules",
    ):
        assert part in ignored
    assert "not-a-real-key" not in ignored
    assert "early_stopping_patience" not in ignored  # null is as good as no key


def test_a_users_own_settings_go_over_those_of_the_folder(data: Path) -> None:
    task = load_folder(data / "openevolve/curve")
    config = over_task_defaults(RunConfig(seed=1), task)
    assert (config.seed, config.population.islands) == (1, 3)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("max_iterations: many", "max_iterations should be int, not 'many'"),
        ("max_iterations: true", "max_iterations should be int, not True"),
        ("evaluator: {timeout: [1]}", r"evaluator\.timeout should be int or float, not \[1\]"),
        ("evaluator: {cascade_thresholds: [a]}", "cascade_thresholds should be numbers"),
        ("- a\n- b", "holds a list; expected settings by name"),
        ("a: [", "is not valid YAML"),
        ("a: !!python/object:os.system {}", "is not valid YAML"),
    ],
)
def test_a_config_that_cannot_be_used_is_refused(tmp_path: Path, config: str, message: str) -> None:
    staged = FILES["evaluator.py"] + "def evaluate_stage1(p): ...\n"
    with pytest.raises(TaskError, match=message):
        foreign_task(tmp_path, {**FILES, "evaluator.py": staged, "config.yaml": config}, {})


@pytest.mark.parametrize(
    ("config", "weights"),
    [
        ("diff_based_evolution: true", (1.0, 0.0)),
        ("full_rewrite_probability: 0.25", (0.75, 0.25)),
        ("diff_based_evolution: false\nfull_rewrite_probability: 0.25", (0.0, 1.0)),
    ],
)
def test_operators_follow_the_kind_of_evolution(
    tmp_path: Path, config: str, weights: tuple[float, float]
) -> None:
    model = over_task_defaults(RunConfig(), configured(tmp_path, config)).mutation.model
    assert (model["diff"], model["full"]) == weights


def test_artifacts_may_be_kept_out_of_prompts(tmp_path: Path) -> None:
    task = configured(tmp_path, "prompt:\n  max_artifact_bytes: 99\n  include_artifacts: false\n")
    assert over_task_defaults(RunConfig(), task).prompts.artifact_chars == 0


def test_a_settings_value_that_no_run_takes_is_told(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"defaults: .*migration_fraction"):
        over_task_defaults(RunConfig(), configured(tmp_path, "database:\n  migration_rate: 3\n"))


def test_an_empty_config_and_a_language_without_a_name_here_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    assert configured(tmp_path / "a", "").spec.defaults == {}
    named = configured(tmp_path / "b", "language: klingon\nfile_suffix: .c\ntarget_score: 2")
    assert (named.spec.language, named.spec.success) == ("c", 2.0)
