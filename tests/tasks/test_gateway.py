"""What a task must say that lets its candidates ask a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from speciate.errors import TaskError
from speciate.evaluators import evaluator_hash
from speciate.records import Json
from speciate.tasks import Gateway, gateway_of, load_folder
from speciate.testing.agents import CALLS, write_agent_task


def test_parameters_say_whom_how_often_and_how_long(tmp_path: Path) -> None:
    folder = write_agent_task(tmp_path / "task", model="simulated:careful")
    assert gateway_of(load_folder(folder).spec) == Gateway("simulated:careful", CALLS, 123)
    other = load_folder(folder, {"model": "simulated:bold", "calls": 7})
    assert gateway_of(other.spec) == Gateway("simulated:bold", 7, 123)
    assert evaluator_hash(other) != evaluator_hash(load_folder(folder))  # another model is another scoring


def test_without_a_gateway_nobody_is_asked(tmp_path: Path) -> None:
    folder = write_agent_task(tmp_path / "task")
    toml = folder / "task.toml"
    toml.write_text(toml.read_text().replace("gateway = true", "gateway = false"))
    assert gateway_of(load_folder(folder).spec) is None


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"model": " "}, "needs parameters.model"),
        ({"calls": 0}, "needs parameters.calls, a number of at least 1, not 0"),
        ({"max_tokens": -1}, "needs parameters.max_tokens"),
    ],
)
def test_nonsense_is_refused_on_loading(tmp_path: Path, parameters: dict[str, Json], message: str) -> None:
    with pytest.raises(TaskError, match=message):
        load_folder(write_agent_task(tmp_path / "task"), parameters)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("gateway = true", 'gateway = true\nkind = "plain"\nevaluate = "run.py"', 'needs kind = "split"'),
        ("gateway = true", "gateway = true\ncompany = true", "exclude each other"),
        ("calls = 3", "", "needs parameters.calls"),
    ],
)
def test_a_gateway_fits_split_tasks_alone(tmp_path: Path, old: str, new: str, message: str) -> None:
    folder = write_agent_task(tmp_path / "task")
    toml = folder / "task.toml"
    toml.write_text(toml.read_text().replace(old, new))
    with pytest.raises(TaskError, match=message):
        load_folder(folder)
