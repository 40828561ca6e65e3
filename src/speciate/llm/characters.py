"""Characters that stand in for models. Made up: what they do says nothing about any real model.

A character is a way of working: how many places it edits, which kinds of edit it likes, how often its answer
is badly formed, how long it takes and what it charges. None has a number for how good it is.

Other packages may bring characters along that answer something else than requests for programs, by entry
points of the group ``speciate.characters`` that name a `GuestCharacter`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Literal, TypeAlias

import numpy as np

from speciate.errors import ConfigError
from speciate.llm.config import ModelPrice
from speciate.records import Request, Seconds

GROUP = "speciate.characters"
"""Entry points of this group name objects of `GuestCharacter`."""

Habit: TypeAlias = Literal["tune", "redraw", "swap", "repeat", "drop", "flip"]
"""A kind of edit.

- ``tune``: a number, by a few per cent.
- ``redraw``: a number, by up to an order of magnitude, sometimes its sign.
- ``swap``: two neighbouring lines of equal indentation.
- ``repeat``: a line once more.
- ``drop``: a line less.
- ``flip``: an operator or comparison into its neighbour.
"""


@dataclass(frozen=True, slots=True)
class Character:
    """How one made-up model works.

    Attributes:
        habits: kinds of edit with their weights.
        edits: fewest and most places it edits in one answer.
        chatter: probability of talk around the answer.
        malformed: probability that a diff lacks a marker or a full text its fence.
        misquoted: probability that a diff quotes the program wrongly.
        cut: probability that the answer stops in the middle.
        latency: median seconds it says it takes.
        spread: standard deviation of the logarithm of the seconds.
        price: what it says it charges; nobody is paid.
    """

    habits: Mapping[Habit, float]
    edits: tuple[int, int]
    chatter: float
    malformed: float
    misquoted: float
    cut: float
    latency: Seconds
    spread: float
    price: ModelPrice


CHARACTERS: Mapping[str, Character] = {
    "careful": Character(
        habits={"tune": 8, "flip": 1, "swap": 1},
        edits=(1, 2),
        chatter=0.1,
        malformed=0.01,
        misquoted=0.01,
        cut=0.0,
        latency=6.0,
        spread=0.3,
        price=ModelPrice(input=1.0, output=5.0),
    ),
    "bold": Character(
        habits={"redraw": 6, "swap": 2, "repeat": 2, "drop": 1, "flip": 2},
        edits=(2, 6),
        chatter=0.4,
        malformed=0.05,
        misquoted=0.05,
        cut=0.02,
        latency=4.0,
        spread=0.5,
        price=ModelPrice(input=2.0, output=10.0),
    ),
    "sloppy": Character(
        habits={"tune": 3, "redraw": 3, "drop": 2, "repeat": 1},
        edits=(1, 4),
        chatter=0.7,
        malformed=0.2,
        misquoted=0.2,
        cut=0.05,
        latency=1.0,
        spread=0.5,
        price=ModelPrice(input=0.1, output=0.4),
    ),
    "slow": Character(
        habits={"tune": 5, "redraw": 2, "swap": 2, "flip": 2},
        edits=(1, 3),
        chatter=0.2,
        malformed=0.02,
        misquoted=0.02,
        cut=0.01,
        latency=30.0,
        spread=1.0,
        price=ModelPrice(input=3.0, output=15.0),
    ),
}
"""All characters by name."""


@dataclass(frozen=True, slots=True)
class GuestCharacter:
    """A character that another package brings along.

    Attributes:
        answer: answers a request, by its text and the stream of the call alone. Raises ModelRefusedError for
            a call that is to fail.
        latency: median seconds it says it takes.
        spread: standard deviation of the logarithm of the seconds.
        price: what it says it charges; nobody is paid.
    """

    answer: Callable[[Request, np.random.Generator], str]
    latency: Seconds
    spread: float
    price: ModelPrice


def character_names() -> tuple[str, ...]:
    """Returns the names of all characters, our own first."""
    return (*CHARACTERS, *sorted(point.name for point in entry_points(group=GROUP)))


def character(name: str) -> Character | GuestCharacter:
    """Returns a character by name.

    Raises:
        KeyError: there is none of this name.
        ConfigError: the package that should bring it along cannot be imported, or brings something else.
    """
    if name in CHARACTERS:
        return CHARACTERS[name]
    points = {point.name: point for point in entry_points(group=GROUP)}
    point = points[name]
    try:
        found = point.load()
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"the character {name!r} ({point.value}) cannot be loaded: {error}") from error
    if not isinstance(found, GuestCharacter):
        raise ConfigError(f"{point.value} should be a GuestCharacter, not {type(found).__name__}")
    return found
