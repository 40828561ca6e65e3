"""Contest problems with answers and years, from a file of JSON lines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from speciate.errors import TaskError
from speciate.problems.aime.answers import MOST
from speciate.records import Json

SHIPPED = Path(__file__).parent / "problems.jsonl"
"""Thirty problems of our own; `proofs` proves their answers."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem.

    Attributes:
        name: unique in its file.
        text: the statement.
        answer: an integer from 0 to 999.
        year: the contest's year; our own problems have 1, 2 and 3.
    """

    name: str
    text: str
    answer: int
    year: int


def read_problems(path: Path) -> tuple[Problem, ...]:
    """Reads a file with one JSON object a line: ``problem``, ``answer``, ``year``, and perhaps ``name``.

    Raises:
        TaskError: the file cannot be read, or a line is no problem; the message names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise TaskError(f"cannot read problems from {path}: {error}") from error
    found: list[Problem] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(problem_of(json.loads(line), number=len(found) + 1))
            except (ValueError, TaskError) as error:
                raise TaskError(f"{path}, line {number}: {error}") from None
    names = [problem.name for problem in found]
    for name in names:
        if names.count(name) > 1:
            raise TaskError(f"{path}: two problems are called {name!r}")
    if not found:
        raise TaskError(f"{path} holds no problem")
    return tuple(found)


def problem_of(row: object, *, number: int) -> Problem:
    """Returns a problem from a row of a data set.

    Args:
        row: a mapping with ``problem``, ``answer`` and ``year``; answer and year may be texts.
        number: its number, which names it when it has no ``name``.

    Raises:
        TaskError: something is missing or makes no sense.
    """
    if not isinstance(row, Mapping):
        raise TaskError(f"expected an object with problem, answer and year, got {row!r:.60}")
    text, year = row.get("problem"), _integer(row, "year")
    if not isinstance(text, str) or not text.strip():
        raise TaskError("problem must be a text")
    answer = _integer(row, "answer")
    if not 0 <= answer <= MOST:
        raise TaskError(f"answer must be an integer from 0 to {MOST}, not {answer}")
    return Problem(str(row.get("name") or f"{year}-{number:02d}"), text.strip(), answer, year)


def _integer(row: Mapping[str, object], name: str) -> int:
    value = row.get(name)
    try:
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            return int(value)
    except ValueError:
        pass
    raise TaskError(f"{name} must be an integer, not {value!r}")


def source(parameters: Mapping[str, Json]) -> Path:
    """Returns the file that the parameter ``problems`` names; an empty one stands for our own."""
    named = parameters["problems"]
    return Path(str(named)) if named else SHIPPED


def chosen(parameters: Mapping[str, Json]) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """Returns the problems of the search and those held out from it.

    Raises:
        TaskError: the file is no good, or a year is asked for that it does not have or in both roles.
    """
    problems = read_problems(source(parameters))
    years, heldout = _years(parameters, "years"), _years(parameters, "heldout")
    known = sorted({problem.year for problem in problems})
    for year in (*years, *heldout):
        if year not in known:
            raise TaskError(
                f"there are no problems of the year {year}; {source(parameters)} has the years {known}. "
                "Bring yours by --set task.parameters.problems=FILE"
            )
    if both := sorted(set(years) & set(heldout)):
        raise TaskError(f"the year {both[0]} cannot be searched on and held out at once")
    searched = years or [year for year in known if year not in heldout]
    parts = tuple(tuple(p for p in problems if p.year in group) for group in (searched, heldout))
    if not parts[0]:
        raise TaskError("all years are held out; nothing is left to search on")
    return parts[0], parts[1]


def _years(parameters: Mapping[str, Json], name: str) -> list[int]:
    value = parameters[name]
    years = [year for year in value if isinstance(year, int)] if isinstance(value, Sequence) else []
    if not isinstance(value, list) or len(years) < len(value):
        raise TaskError(f"parameters.{name} is {value!r}; expected a list of years")
    return years
