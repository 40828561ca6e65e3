from __future__ import annotations

from pathlib import Path

import pytest

from speciate.errors import TaskError
from speciate.tasks import load_folder
from speciate.tasks.formats import format_of
from speciate.testing.foreign import foreign_task

MARKED = "# EVOLVE-BLOCK-START\nx = 1\n# EVOLVE-BLOCK-END\n"
SCRIPT = "# takes --program_path and --results_dir\n"
EVALUATOR = "def evaluate(program_path):\n    return {'combined_score': 1.0}\n"


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


def test_folders_are_known_by_their_files(tmp_path: Path) -> None:
    (tmp_path / "se").mkdir()
    (tmp_path / "oe").mkdir()
    assert format_of(write(tmp_path / "se", evaluate__py=SCRIPT, initial__py=MARKED)).name == "shinka"
    oe = write(tmp_path / "oe", evaluator__py=EVALUATOR, initial_program__py=MARKED)
    assert format_of(oe).name == "openevolve"
    task = 'name = "mine"\nobjectives = [{ name = "combined_score" }]\n[program]\n'
    task += 'files = ["initial_program.py"]\n[evaluation]\nkind = "openevolve"\nevaluate = "evaluator.py"\n'
    assert format_of(write(oe, task__toml=task)).name == "native"


def test_a_folder_without_a_program_is_none(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"no evaluator\.py with an initial_program"):
        load_folder(write(tmp_path, evaluator__py=EVALUATOR))


def test_an_evaluate_py_of_another_contract_is_told(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"takes no --program_path and --results_dir.*task\.toml"):
        load_folder(write(tmp_path, evaluate__py=EVALUATOR, initial__py=MARKED))


def test_an_evaluator_without_evaluate_is_told(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"defines no evaluate\(program_path\)"):
        load_folder(write(tmp_path, evaluator__py="def evaluat(p): ...\n", initial_program__py=MARKED))


def test_an_evaluator_that_does_not_parse_is_told_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"evaluator\.py: line 1"):
        load_folder(write(tmp_path, evaluator__py="def evaluate(:\n", initial_program__py=MARKED))


def test_of_several_programs_the_user_names_one(tmp_path: Path) -> None:
    write(tmp_path, evaluate__py=SCRIPT, initial__py=MARKED, initial__c="int main(void) {}\n")
    with pytest.raises(
        TaskError, match=r"initial\.c, initial\.py; say which: --set task\.parameters\.program="
    ):
        load_folder(tmp_path)
    with pytest.raises(TaskError, match=r"there is no 'initial\.rs' among them"):
        load_folder(tmp_path, {"program": "initial.rs"})
    task = load_folder(tmp_path, {"program": "initial.c"})
    assert (task.initial.entry, task.spec.language, task.spec.program.mutable) == ("initial.c", "c", "whole")


def test_limits_are_parameters(tmp_path: Path) -> None:
    files = {"evaluate.py": SCRIPT, "initial.py": MARKED}
    task = foreign_task(
        tmp_path, files, {"cpu_seconds": 2, "memory_mb": 512, "repeats": 3, "stochastic": True}
    )
    limits, evaluation = task.spec.limits, task.spec.evaluation
    assert (limits.cpu_seconds, limits.memory_mb, evaluation.repeats, evaluation.stochastic) == (
        2,
        512,
        3,
        True,
    )
    with pytest.raises(TaskError, match="no parameter 'memory'; did you mean 'memory_mb'"):
        load_folder(tmp_path, {"memory": 1})
    with pytest.raises(TaskError, match=r"'limits\.memory_mb' should be greater"):
        load_folder(tmp_path, {"memory_mb": 1})


def test_without_markers_the_whole_program_may_change(tmp_path: Path) -> None:
    task = foreign_task(tmp_path, {"evaluate.py": SCRIPT, "initial.py": "x = 1\n"})
    assert task.spec.program.mutable == "whole"
    assert "all of the program may change" in task.remarks[-1]


def test_a_folder_of_both_systems_says_what_it_was_taken_for(tmp_path: Path) -> None:
    files = {
        "evaluate.py": SCRIPT,
        "evaluator.py": EVALUATOR,
        "initial.py": MARKED,
        "config_long.yaml": "a: 1",
    }
    task = foreign_task(tmp_path, files)
    assert task.format == "openevolve"
    assert task.remarks == (
        "not read: config_long.yaml",
        "evaluate.py is not used; a task.toml with evaluation.kind = 'shinka' would use it",
    )
