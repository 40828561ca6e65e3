"""Loads the problems ``atcoder`` and ``contest``."""

from __future__ import annotations

import ctypes
import math
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args  # parameters come from users

from speciate.errors import TaskError, UsageError, nearest
from speciate.problems.atcoder.ale import load_ale
from speciate.problems.atcoder.cases import Split, inputs, judge_of
from speciate.problems.atcoder.contests import CONTESTS
from speciate.problems.atcoder.run import COMPILE_SECONDS, GRACE, PATIENCE
from speciate.records import Context, Direction, Json, Program, text_hash
from speciate.tasks import Task, load_folder

FOLDER = Path(__file__).parent
EXAMPLE = FOLDER / "example"
MAIN = "main.cpp"
_LANDLOCK = 444


def load(parameters: Mapping[str, Json] | None = None) -> Task:
    """Returns a contest of AtCoder. Called through the entry point ``atcoder``.

    Args:
        parameters: replace those of task.toml, which describes them.

    Raises:
        TaskError: a parameter is unknown or has a value that makes no sense.
    """
    task = load_folder(FOLDER, parameters)
    settings = dict(task.spec.parameters)
    if _one_of("judge", settings["judge"], ("own", "ale_bench")) == "ale_bench":
        return load_ale(settings)
    contest = CONTESTS.get(str(settings["contest"]))
    if contest is None:
        raise TaskError(
            f"parameters.contest is {settings['contest']!r}; expected one of {', '.join(CONTESTS)}"
            f"{nearest(str(settings['contest']), CONTESTS)}"
        )
    count = settings["cases"]
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= 1000:
        raise TaskError(f"parameters.cases is {count!r}; expected a number of cases from 1 to 1000")
    own = FOLDER / "programs" / contest.initial
    file = Path(str(settings["initial"])).expanduser() if settings["initial"] else own
    if not file.is_file():
        raise TaskError(f"parameters.initial is {str(file)!r}; expected the file of a C++ program")
    source = file.read_text(encoding="utf-8")
    told = f"{contest.statement.strip()}\n(After {contest.source}.)"
    return _ready(task, settings, count, contest.direction, told, source)


def load_contest(parameters: Mapping[str, Json] | None = None) -> Task:
    """Returns a contest of the user's own folder. Called through the entry point ``contest``.

    The folder holds ``statement.md``, ``initial.cpp``, ``judge.py`` with ``score(input, output)`` (it
    raises ValueError for a wrong answer), and inputs ``public/*.txt`` and, for an audit, ``private/*.txt``.

    Args:
        parameters: ``folder`` (empty for the example that ships), ``split``, ``time_limit``, ``direction``.

    Raises:
        TaskError: a parameter is unknown or makes no sense, or the folder lacks a file.
    """
    own = parameters is not None and bool(parameters.get("folder"))
    usual = "maximize" if own else "minimize"  # fewer boxes are better in the example
    given: dict[str, Json] = {"folder": "", "split": "public", "time_limit": 2.0, "direction": usual}
    given |= parameters or {}
    known = ("folder", "split", "time_limit", "direction")
    for name in given:
        if name not in known:
            raise TaskError(
                f"there is no parameter {name!r}{nearest(name, known)} (known: {', '.join(known)})"
            )
    folder = Path(str(given["folder"])).expanduser().absolute() if given["folder"] else EXAMPLE
    for name in ("statement.md", "initial.cpp"):
        if not (folder / name).is_file():
            raise TaskError(f"{folder / name} is missing")
    direction: Direction = (
        "minimize"
        if _one_of("direction", given["direction"], get_args(Direction)) == "minimize"
        else "maximize"
    )
    split = _one_of("split", given["split"], get_args(Split))
    judge_of(folder)
    files = inputs(folder, split)
    task = load_folder(FOLDER)
    told = (folder / "statement.md").read_text(encoding="utf-8")
    source = (folder / "initial.cpp").read_text(encoding="utf-8")
    settings = {**given, "folder": str(folder)}
    ready = _ready(task, settings, len(files), direction, told, source)
    scored = "\n".join(path.read_text(encoding="utf-8") for path in [folder / "judge.py", *files])
    return replace(
        ready,
        spec=ready.spec.model_copy(update={"name": "contest"}),
        scored_by={**ready.scored_by, "folder": text_hash(scored)},
    )


def _ready(
    task: Task, settings: Mapping[str, Any], count: int, direction: Direction, told: str, source: str
) -> Task:
    """Returns the task with all that follows from its cases."""
    seconds = settings["time_limit"]
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0.01 <= seconds <= 60:
        raise TaskError(f"parameters.time_limit is {seconds!r}; expected seconds from 0.01 to 60")
    _one_of("split", settings["split"], get_args(Split))
    spec = task.spec
    # A case may cost the limit, a second until the kernel ends it, and what the judge beside it needs.
    cpu = COMPILE_SECONDS + count * (math.ceil(seconds) + 2.0)
    limits = spec.limits.model_copy(
        update={
            "cpu_seconds": cpu,
            "wall_seconds": 2 * COMPILE_SECONDS + count * (PATIENCE * seconds + GRACE + 1.0),
            "score_seconds": 30.0 + 2.0 * count,
        }
    )
    objective = spec.objectives[0].model_copy(update={"direction": direction})
    program = spec.program.model_copy(
        update={"files": (MAIN,), "mutable": "regions" if "EVOLVE-BLOCK-START" in source else "whole"}
    )
    changed = {
        "description": told,
        "limits": limits,
        "objectives": (objective,),
        "program": program,
        "parameters": dict(settings),
    }
    return replace(
        task,
        spec=spec.model_copy(update=changed),
        initial=Program.of({MAIN: source}),
        context=Context(settings=dict(settings)),
        scored_by={"contests": _identity()},
        ready=ready,
    )


def ready() -> None:
    """Raises UsageError where programs cannot be compiled or confined."""
    if shutil.which("g++") is None:
        raise UsageError(
            "g++ is not installed, and contests compile C++ (Debian, Ubuntu: apt-get install g++)"
        )
    if ctypes.CDLL(None).syscall(_LANDLOCK, None, 0, 1) < 1:
        raise UsageError(
            "this kernel has no Landlock (Linux 5.13, among lsm= of its command line); contests run behind it"
        )


def _identity() -> str:
    """Returns the identity of generators and judges."""
    return text_hash(
        "\n".join(path.read_text(encoding="utf-8") for path in sorted((FOLDER / "contests").glob("*.py")))
    )


def _one_of(name: str, value: object, known: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in known:
        raise TaskError(
            f"parameters.{name} is {value!r}; expected one of {', '.join(known)}{nearest(str(value), known)}"
        )
    return value
