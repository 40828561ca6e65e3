from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from speciate.errors import TaskError
from speciate.records import Json, Program, Result
from speciate.tasks import Task, list_tasks, load_folder, load_task, scaffold, task_from_functions

MARKED = "# EVOLVE-BLOCK-START\nx = 1\n# EVOLVE-BLOCK-END\n"
MINIMAL = 'name = "small"\n[[objectives]]\nname = "score"\n'


def folder(path: Path, toml: str = MINIMAL, **files: str) -> Path:
    """Writes a split task; `files` maps names with ``__`` for the dot to texts."""
    texts = {"initial__py": MARKED, "run__py": "", "score__py": "", **files}
    for name, text in texts.items():
        (path / name.replace("__", ".")).write_bytes(text.encode())
    (path / "task.toml").write_text(toml)
    return path


def problem(path: Path, toml: str, parameters: Mapping[str, Json] | None = None, **files: str) -> str:
    with pytest.raises(TaskError) as caught:
        load_task(folder(path, toml, **files), parameters)
    return str(caught.value)


def test_a_minimal_folder_loads(tmp_path: Path) -> None:
    task = load_task(folder(tmp_path))
    assert (task.name, task.folder, task.initial) == ("small", tmp_path, Program.of({"initial.py": MARKED}))


def test_line_ends_and_odd_characters_arrive_unchanged(tmp_path: Path) -> None:
    text = MARKED.replace("\n", "\r\n") + "\x0c# é"
    assert load_task(folder(tmp_path, initial__py=text)).initial.source == text


def test_parameters_become_the_settings_of_the_context(tmp_path: Path) -> None:
    toml = MINIMAL + '[parameters]\nn = 26\nslack = 1e-6\nkind = "square"\n'
    task = load_task(folder(tmp_path, toml), {"n": 32, "slack": 0})
    assert task.context.settings == task.spec.parameters == {"n": 32, "slack": 0.0, "kind": "square"}
    assert task.context.hash == load_folder(tmp_path, {"slack": 0.0, "n": 32}).context.hash
    assert task.context.hash != load_folder(tmp_path).context.hash


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"m": 1}, "no parameter 'm'"),
        ({"slak": 1.0}, "no parameter 'slak'; did you mean 'slack'?"),
        ({"n": 2.5}, "parameter 'n' should be int like 26, not 2.5"),
        ({"n": True}, "parameter 'n' should be int like 26, not True"),
        ({"slack": "0"}, "parameter 'slack' should be float like 0.5, not '0'"),
    ],
)
def test_a_wrong_parameter_is_refused(tmp_path: Path, given: dict[str, Json], message: str) -> None:
    assert message in problem(tmp_path, MINIMAL + "[parameters]\nn = 26\nslack = 0.5\n", given)


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ('name = "x\n', "is not valid TOML: .*line 1"),
        ('name = "x"\n', "'objectives' is missing"),
        (MINIMAL + "[limts]\n", r"unknown key 'limts'; did you mean 'limits'\?"),
        (
            MINIMAL + "[limits]\ncpu_second = 1\n",
            r"unknown key 'limits.cpu_second'; did you mean 'cpu_seconds'\?",
        ),
        (MINIMAL + "direcion = 1\n", r"unknown key 'objectives.0.direcion'; did you mean 'direction'\?"),
        (
            MINIMAL + 'direction = "up"\n',
            "'objectives.0.direction' should be 'maximize' or 'minimize', not 'up'",
        ),
        (MINIMAL + '[limits]\ncpu_seconds = "1"\n', "'limits.cpu_seconds' should be number, not '1'"),
        (
            MINIMAL + "[limits]\ncpu_seconds = 0\n",
            "'limits.cpu_seconds' should be greater than or equal to 0.1, not 0",
        ),
        (
            MINIMAL + "[limits]\nmemory_mb = 99999999999999\n",
            "'limits.memory_mb' should be less than or equal to",
        ),
        (MINIMAL + "[limits]\nwall_seconds = inf\n", "limits.wall_seconds must be finite"),
        (MINIMAL + "[limits]\nnetwork = true\n", "'limits.network' should be False, not True"),
        (MINIMAL + "[parameters]\nday = 2020-01-01\n", "dates and times"),
        ('language = "pyhton"\n' + MINIMAL, r"unknown language 'pyhton'; did you mean 'python'\?"),
        (MINIMAL + '[[objectives]]\nname = "score"\n', "two objectives are called 'score'"),
        (MINIMAL + '[[descriptors]]\nname = "a"\n', "descriptor 'a' needs either edges or range"),
        (MINIMAL + '[[descriptors]]\nname = "a"\nedges = [2, 1]\n', "descriptor 'a' needs increasing edges"),
        (MINIMAL + '[[descriptors]]\nname = "a"\nedges = [1]\nbins = 3\n', "leave bins out"),
        (MINIMAL + '[[descriptors]]\nname = "a"\nrange = [1, nan]\n', "needs a finite range"),
        (MINIMAL + '[evaluation]\nkind = "command"\n', "evaluation.command is missing"),
        (MINIMAL + '[evaluation]\nkind = "plain"\nthresholds = [1.0]\n', "thresholds need stages"),
        (MINIMAL + "[program]\nfiles = []\n", "program.files is empty"),
        (MINIMAL + '[program]\nfiles = ["run.py"]\n', "evaluation files are never evolved"),
        (MINIMAL + '[sandbox]\nfiles = ["score.py"]\n', "which candidates must never see"),
        ('imports_allowed = []\nlanguage = "c"\n' + MINIMAL, "imports_allowed is for Python"),
        (
            MINIMAL + '[program]\nfiles = ["inital.py"]\n',
            r"'inital.py', which is no file in .*did you mean 'initial.py'\?",
        ),
        (MINIMAL + '[program]\nfiles = ["../secret.py"]\n', "relative to the task folder and stay in it"),
        (MINIMAL + '[program]\nfiles = ["/etc/passwd"]\n', "relative to the task folder and stay in it"),
    ],
)
def test_a_faulty_task_toml_is_explained(tmp_path: Path, toml: str, message: str) -> None:
    said = problem(tmp_path, toml)
    assert said.startswith(str(tmp_path))
    assert re.search(message, said)


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    said = problem(tmp_path, 'name = "x"\nlanguge = "c"\n[limits]\ncpu_seconds = -1\n')
    assert "has 3 problems:" in said
    assert [line[:4] for line in said.split("\n")[1:]] == ["  - "] * 3


def test_bad_markers_text_and_links_in_files_are_told_with_the_file(tmp_path: Path) -> None:
    assert "initial.py, line 1" in problem(tmp_path, MINIMAL, initial__py="# EVOLVE-BLOCK-END\n")
    assert "no EVOLVE-BLOCK markers" in problem(tmp_path, MINIMAL, initial__py="x = 1\n")
    (tmp_path / "initial.py").write_bytes(b"x\n\xff\n")
    with pytest.raises(TaskError, match=r"initial.py, line 2: not UTF-8"):
        load_task(tmp_path)
    (tmp_path / "initial.py").unlink()
    (tmp_path / "initial.py").symlink_to("/etc/hostname")
    with pytest.raises(TaskError, match="link that leads out"):
        load_task(tmp_path)


def test_missing_folders_and_names_say_what_there_is(tmp_path: Path) -> None:
    missing: list[tuple[str | Path, str]] = [
        (tmp_path / "no", "there is no folder"),
        (tmp_path, "has no task.toml, .*; `speciate init`"),
        (__file__, "is a file; give the task's folder"),
        ("circle_pakcing", r"did you mean 'circle_packing'\?"),
        ("", "there is no problem and no folder ''"),
    ]
    for where, message in missing:
        with pytest.raises(TaskError, match=message):
            load_task(where)


def test_a_problem_comes_before_a_folder_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("circle_packing", "mine"):
        Path(name).mkdir()
        folder(Path(name))
    assert "circle_packing" in list_tasks()
    assert load_task("circle_packing").name == "circle_packing"
    assert load_task("./circle_packing").name == "small"
    assert load_task(Path("circle_packing")).name == "small"
    assert load_task("mine").name == "small"


def judge(program: Program, context: object) -> Result:
    return Result(objectives=(float(len(program.source)),))


def test_a_task_is_made_of_functions() -> None:
    task = task_from_functions(
        name="long", initial="x", score=judge, parameters={"n": 1}, seeds=[7], direction="minimize"
    )
    assert (task.spec.evaluation.kind, task.spec.program.mutable) == ("trusted", "whole")
    assert task.trusted is judge
    assert (task.context.settings, task.context.seeds) == ({"n": 1}, (7,))
    assert task.objectives[0].direction == "minimize"
    marked = task_from_functions(
        name="m", initial=MARKED.replace("#", ";"), score=judge, language_name="redcode"
    )
    assert (marked.spec.program.mutable, marked.initial.entry) == ("regions", "initial.red")


def test_faulty_functions_tasks_are_refused() -> None:
    with pytest.raises(TaskError, match="two objectives are called 'a'"):
        task_from_functions(name="t", initial="x", score=judge, objectives=["a", "a"])
    with pytest.raises(TaskError, match="never closed"):
        task_from_functions(name="t", initial="# EVOLVE-BLOCK-START", score=judge)


def test_loading_gives_the_same_task_from_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scaffold(tmp_path / "a b")
    monkeypatch.chdir(tmp_path)
    here: Task = load_task("a b")
    assert here == load_task(tmp_path / "a b")
    assert here.folder is not None
    assert here.folder.is_absolute()
