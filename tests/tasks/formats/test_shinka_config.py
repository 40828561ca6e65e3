from __future__ import annotations

from pathlib import Path

import pytest

from speciate.engine import RunConfig
from speciate.engine.settings import over_task_defaults
from speciate.errors import TaskError
from speciate.tasks import Task, load_folder
from speciate.tasks.formats.shinka_config import RULES
from speciate.testing.foreign import foreign_task

FILES = {"evaluate.py": "# takes --program_path and --results_dir\n", "initial.py": "x = 1\n"}


def started(folder: Path, text: str) -> Task:
    return foreign_task(folder, {**FILES, "run_evo.py": text}, {})


def test_settings_of_the_three_configs_are_taken_over(data: Path) -> None:
    task = load_folder(data / "shinka/intervals")
    assert task.spec.description == "Cover the line from 0 to 1 with intervals\nthat do not overlap."
    assert task.spec.limits.cpu_seconds == 90.0
    config = over_task_defaults(RunConfig(), task)
    assert (config.budget.candidates, config.population.islands, config.population.archive.size) == (
        40,
        2,
        12,
    )
    assert config.mutation.model == {"diff": 0.6, "full": 0.3, "crossover": 0.1}


def test_what_is_not_used_is_told(data: Path) -> None:
    remarks = "\n".join(load_folder(data / "shinka/intervals").remarks)
    assert "evo_config.llm_models (name models with --model)" in remarks
    assert "db_config.parent_selection_strategy" in remarks
    assert "not read: shinka_long.yaml" in remarks


def test_a_start_script_is_read_and_never_run(tmp_path: Path) -> None:
    text = """
        import shinka_is_not_here
        raise SystemExit("this was run")
        config = shinka.core.EvolutionConfig(num_generations=7, task_sys_msg=made_up(), **more)
        """
    task = started(tmp_path, text)
    assert task.spec.defaults == {"budget": {"candidates": 7}}
    assert task.spec.description == ""


def test_a_start_script_of_another_python_is_passed_over(tmp_path: Path) -> None:
    task = started(tmp_path, "print 'old'\n")
    assert "run_evo.py is not read" in "\n".join(task.remarks)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("EvolutionConfig(num_generations='ten')", "num_generations should be int, not 'ten'"),
        ("LocalJobConfig(time='soon')", "job_config.time is 'soon', which cannot be used"),
    ],
)
def test_a_setting_that_does_not_fit_is_refused(tmp_path: Path, call: str, message: str) -> None:
    with pytest.raises(TaskError, match=message):
        started(tmp_path, f"{call}\n")


def test_pictures_are_not_drawn_and_that_is_told(tmp_path: Path) -> None:
    task = foreign_task(tmp_path, {**FILES, "evaluate.py": "results_dir\nplotting_fn = None\n"}, {})
    assert "plotting_fn is not called" in "\n".join(task.remarks)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90),
        ("02:03", 123),
        ("01:02:03", 3723),
        ("1-02", 93600),
        ("1-02:30", 95400),
        ("2-00:00:05", 172805),
    ],
)
def test_times_are_read_as_slurm_writes_them(text: str, seconds: float) -> None:
    turn = RULES["job_config.time"].turn
    assert turn is not None
    assert turn(text, {}) == seconds
