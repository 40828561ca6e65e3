"""What was asked for on the command line, read and checked."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from speciate.errors import UsageError
from speciate.problems.corewar.redcode import Dialect
from speciate.problems.corewar.scoring import Protocol
from speciate.problems.corewar.settings import PRESETS, Settings

_LARGEST_DIGITS = 12
"""More digits than any rule or address has; a longer number is not worth reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A battle to be fought.

    Attributes:
        names: files, folders and built-in warriors.
        preset: name of the rules.
        settings: the rules, single ones changed.
        rounds: rounds of each battle; None for those of the positions, else of the rules.
        positions: where the warriors stand, [round][warrior]; None draws them.
        seed: of drawn positions.
        protocol: what the battle is about.
        statistics: what is counted.
        dialect: what the assembler accepts.
        tournament: whether everyone meets everyone, two at a time.
        threads: battles fought at once.

    Raises:
        UsageError: one wish excludes another.
    """

    names: tuple[str, ...]
    preset: str
    settings: Settings
    rounds: int | None
    positions: list[list[int]] | None
    seed: int
    protocol: Protocol
    statistics: Literal["verdict", "full"]
    dialect: Dialect
    tournament: bool
    threads: int

    def __post_init__(self) -> None:
        if not self.tournament:
            return
        if self.protocol != "pmars":
            raise UsageError(f"a tournament is fought under pmars; leave out --protocol {self.protocol}")
        if self.positions is not None:
            raise UsageError("a tournament draws its positions for each pair; leave out --positions")
        if self.statistics != "verdict":
            raise UsageError("a tournament counts wins alone; leave out --statistics")

    @property
    def fought_rounds(self) -> int:
        """How many rounds each battle has."""
        if self.rounds is not None:
            return self.rounds
        return self.settings.rounds if self.positions is None else len(self.positions)

    @property
    def fought_rules(self) -> Settings:
        """The rules with the rounds that are fought, for which warriors are assembled."""
        return self.settings.but(rounds=self.fought_rounds)

    @property
    def changed(self) -> bool:
        """Whether a rule differs from the preset's."""
        return self.settings.but(rounds=1) != PRESETS[self.preset].but(rounds=1)

    @property
    def in_pairs(self) -> bool:
        """Whether no core holds more than two warriors."""
        return self.tournament or self.protocol == "survival"


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How the user wants to see it.

    Attributes:
        as_json: whether stdout is kept for one JSON object.
        watch: whether the rounds are shown as they go on.
        speed: cycles a second; None lets a round take 20 seconds, and many about a minute.
        frames: how many pictures of the first round are printed instead; None for none.

    Raises:
        UsageError: one wish excludes another.
    """

    as_json: bool
    watch: bool
    speed: float | None
    frames: int | None

    def __post_init__(self) -> None:
        if self.speed is None:
            return
        if not self.watch or self.frames is not None:
            raise UsageError("--speed is for --watch without --frames")
        if not (math.isfinite(self.speed) and self.speed > 0):
            raise UsageError(f"--speed is {self.speed:g}; expected cycles a second, more than 0")

    @property
    def pictures(self) -> bool:
        """Whether rounds are shown."""
        return self.watch or self.frames is not None


def changed_rules(settings: Settings, changes: Sequence[str]) -> Settings:
    """Returns the rules with some of them changed.

    Args:
        settings: the rules.
        changes: ``rule=value`` each; a later one goes over an earlier one.

    Raises:
        ConfigError: there is no such rule, or its value makes no sense.
        UsageError: a change is not of that form.
    """
    values: dict[str, int | None] = {}
    for change in changes:
        name, sign, text = change.partition("=")
        value = _number(text)
        if not sign or value is None:
            raise UsageError(f"--set {change}: expected RULE=VALUE with a whole number, as cycles=20000")
        values[name.strip()] = value
    return settings.but(**values)


def read_positions(text: str) -> list[list[int]]:
    """Returns positions, [round][warrior], from ``0,4000;0,2000``.

    Raises:
        UsageError: it is not of that form.
    """
    rows = [[_number(word) for word in row.split(",")] for row in text.split(";")]
    positions = [[value for value in row if value is not None] for row in rows]
    if list(map(len, positions)) != list(map(len, rows)):
        raise UsageError(
            f"--positions {text!r}: expected whole numbers, with commas between warriors and semicolons "
            'between rounds, as "0,4000;0,2000"'
        )
    return positions


def _number(text: str) -> int | None:
    """Returns a whole number, or None if the text is none."""
    word = text.strip()
    return int(word) if re.fullmatch(rf"[+-]?[0-9]{{1,{_LARGEST_DIGITS}}}", word) else None
