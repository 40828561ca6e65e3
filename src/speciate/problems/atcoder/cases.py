"""Which cases a candidate meets: drawn from seeds, or read from a user's folder."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias  # a case crosses the sandbox as plain data

from speciate.errors import TaskError
from speciate.problems.atcoder.contests import CONTESTS, Verdict, Wrong

Split: TypeAlias = Literal["public", "private"]

PRIVATE: Final = 1_000_000
"""The first private seed; public seeds begin at 0. No run reads a private one, an audit no public one."""

SHOWN: Final = ("weights", "queries")
"""What the judge inside the sandbox needs beside the input. The binary cannot look into the judge."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """One case.

    Attributes:
        name: its name.
        data: what enters the sandbox.
        judge: returns the absolute score of a verdict; raises `Wrong`.
    """

    name: str
    data: Mapping[str, Any]
    judge: Callable[[Verdict], float]


def exercises(settings: Mapping[str, Any]) -> list[Exercise]:
    """Returns the cases of a task's parameters.

    Raises:
        TaskError: the folder lacks a judge or inputs.
    """
    if settings.get("folder"):
        return _read(Path(settings["folder"]), settings["split"], float(settings["time_limit"]))
    contest = CONTESTS[settings["contest"]]
    first = PRIVATE if settings["split"] == "private" else 0
    found = []
    for seed in range(first, first + settings["cases"]):
        case = contest.generate(seed)
        data = {"input": case["input"], "time_limit": float(settings["time_limit"])}
        data |= {key: case[key] for key in SHOWN if key in case}
        found.append(Exercise(f"seed-{seed}", data, partial(contest.judge, case)))
    return found


def _read(folder: Path, split: str, time_limit: float) -> list[Exercise]:
    """Returns the cases of a user's folder: ``public/*.txt`` or ``private/*.txt``, judged by its judge.py."""
    score = judge_of(folder)
    found = []
    for path in inputs(folder, split):
        text = path.read_text(encoding="utf-8")

        def judge(verdict: Verdict, text: str = text) -> float:
            try:
                return float(score(text, verdict.stdout))
            except ValueError as error:
                raise Wrong(str(error)) from None

        found.append(Exercise(path.stem, {"input": text, "time_limit": time_limit}, judge))
    return found


def inputs(folder: Path, split: str) -> list[Path]:
    """Returns the inputs of a split, by name; raises TaskError if there are none."""
    found = sorted((folder / split).glob("*.txt"))
    if not found:
        raise TaskError(f"{folder / split} holds no input; put one *.txt a case there")
    return found


def judge_of(folder: Path) -> Callable[[str, str], float]:
    """Returns ``score(input, output)`` of a folder's judge.py; raises TaskError if it has none."""
    path = folder / "judge.py"
    if not path.is_file():
        raise TaskError(
            f"{path} is missing; it defines score(input, output), which raises ValueError for a wrong one"
        )
    found: Callable[[str, str], float] | None = runpy.run_path(str(path)).get("score")
    if found is None:
        raise TaskError(f"{path} defines no score(input, output)")
    return found
