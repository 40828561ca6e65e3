"""What a contest consists of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any  # a case crosses the sandbox as plain data

from speciate.records import Direction


class Wrong(ValueError):  # noqa: N818  # the contest's own word for it
    """An answer breaks the rules; the message says which."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a program printed for one case.

    Attributes:
        stdout: what it printed, or its last line where it asked a judge before.
        queries: what it asked, a line each.
    """

    stdout: str
    queries: str = ""


@dataclass(frozen=True, slots=True)
class Contest:
    """A contest with a generator and a judge.

    Attributes:
        name: its name.
        source: where the statement stands.
        direction: of the absolute score.
        statement: the rules, for prompts; our own words.
        generate: returns the case of a seed: ``input`` and what else the judge needs. Equal seeds give equal
            cases.
        judge: returns the absolute score of a verdict on a case; raises `Wrong` for one against the rules.
        initial: file of the initial program, in the folder ``programs``.
    """

    name: str
    source: str
    direction: Direction
    statement: str
    generate: Callable[[int], Mapping[str, Any]]
    judge: Callable[[Mapping[str, Any], Verdict], float]
    initial: str
