from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from speciate.errors import TaskError
from speciate.tasks import load_task, python_syntax, scaffold


def module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def judged(folder: Path, program: ModuleType) -> Any:  # Any: what a task's own score code returns
    run, score = module(folder / "run.py"), module(folder / "score.py")
    results = []
    for case in score.cases(load_task(folder).context):
        answer = score.score(case, run.run(program, case["data"]))
        results.append({"case": case["name"], "seconds": 0.0, **answer})
    return score.aggregate(results)


def test_the_scaffold_is_a_task_that_judges_its_own_program(tmp_path: Path) -> None:
    written = scaffold(tmp_path / "new")
    assert {path.name for path in written} == {"task.toml", "initial.py", "run.py", "score.py"}
    task = load_task(tmp_path / "new")
    assert python_syntax(task.initial.source) is None
    result = judged(tmp_path / "new", module(tmp_path / "new" / "initial.py"))
    assert set(result["objectives"]) == {objective.name for objective in task.objectives}
    assert set(result["descriptor"]) == {axis.name for axis in task.spec.descriptors}
    assert 0 < result["objectives"]["digits"] < 1


def test_the_scaffolds_success_is_within_reach_by_numbers_and_by_structure(tmp_path: Path) -> None:
    scaffold(tmp_path)
    program, initial = ModuleType("program"), judged(tmp_path, module(tmp_path / "initial.py"))
    exec(
        "import math\ndef period(a):\n    b = 1 - math.cos(a)\n    return 1 + 0.125 * b + 0.1 * b * b",
        program.__dict__,
    )
    better = judged(tmp_path, program)
    program.__dict__["period"] = module(tmp_path / "score.py").true_period
    best = judged(tmp_path, program)
    assert initial["objectives"]["digits"] < better["objectives"]["digits"] < best["objectives"]["digits"]
    assert best["objectives"]["digits"] > (load_task(tmp_path).spec.success or 0)


@pytest.mark.parametrize("answer", [None, [1.0], [float("nan")] * 60, ["1"] * 60, {"a": 1}])
def test_the_scaffold_refuses_strange_answers(tmp_path: Path, answer: object) -> None:
    scaffold(tmp_path)
    score = module(tmp_path / "score.py")
    case = score.cases(load_task(tmp_path).context)[0]
    assert score.score(case, answer)["valid"] is False


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "score.py").write_text("mine")
    with pytest.raises(TaskError, match=r"score\.py is there already"):
        scaffold(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["score.py"]


def test_an_unknown_language_or_a_file_in_the_way_is_told(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"no template for 'pythn'; did you mean 'python'\?"):
        scaffold(tmp_path, "pythn")
    (tmp_path / "file").touch()
    with pytest.raises(TaskError, match="cannot be written"):
        scaffold(tmp_path / "file" / "below")
