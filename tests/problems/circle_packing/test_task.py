import types
from pathlib import Path
from typing import Any

import pytest

from speciate.errors import TaskError
from speciate.problems.circle_packing import load, run, score
from speciate.records import Json
from speciate.tasks import Task


def answer(task: Task) -> dict[str, Any]:
    """Scores the task's initial program in this process."""
    module = types.ModuleType("candidate")
    exec(task.initial.source, module.__dict__)
    (case,) = score.cases(task.context)
    return score.aggregate([score.score(case, run.run(module, case["data"]))])


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, 1.602),
        ({"verifier": "exact"}, 1.602),
        ({"n": 32}, 1.487),
        ({"n": 21, "shape": "rectangle"}, 1.682),
    ],
)
def test_the_initial_program_of_each_variant_is_valid(parameters: dict[str, Json], expected: float) -> None:
    result = answer(load(parameters))
    assert result["objectives"]["sum_radii"] == pytest.approx(expected, abs=1e-3)
    assert result["public"]["exact_valid"] is True
    assert result["public"]["exact_sum_radii"] <= result["objectives"]["sum_radii"]
    assert 0 <= result["descriptor"]["border_share"] <= 1


def test_the_folder_holds_the_initial_program_of_the_default() -> None:
    task = load()
    assert task.folder is not None
    assert (task.folder / "initial.py").read_text("utf-8") == task.initial.source


def test_the_entry_file_and_the_scripts_exist() -> None:
    task = load()
    for name in (*task.spec.program.files, task.spec.evaluation.run, task.spec.evaluation.score):
        assert (Path(task.folder or "") / name).is_file()


@pytest.mark.parametrize(
    "parameters", [{"n": 2}, {"n": True}, {"n": "26"}, {"shape": "disc"}, {"verifier": "trust me"}, {"m": 26}]
)
def test_senseless_parameters_are_refused_in_one_sentence(parameters: dict[str, Json]) -> None:
    with pytest.raises(TaskError, match=next(iter(parameters))):
        load(parameters)


def test_the_description_tells_of_the_variant_at_hand_alone() -> None:
    told = load({"n": 21, "shape": "rectangle", "verifier": "exact"}).spec.description
    assert "21 circles" in told
    assert "[0, 2 - width]" in told
    assert "exactly" in told
    assert "width" not in load().spec.description
    assert "within 1e-06" in load().spec.description


def test_parameters_reach_the_cases() -> None:
    (case,) = score.cases(load({"n": 30, "verifier": "exact"}).context)
    assert case["data"] == {"n": 30, "shape": "square", "verifier": "exact"}
