"""The edits simulated characters make: on lines of text, in any language, knowing nothing about the task."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from speciate.llm.characters import Character, Habit

_NUMBER = re.compile(r"(?<![\w.])(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?(?![\w.])")
_NEIGHBOURS: Mapping[str, str] = {
    " + ": " - ",
    " - ": " + ",
    " * ": " / ",
    " / ": " * ",
    " < ": " <= ",
    " <= ": " < ",
    " > ": " >= ",
    " >= ": " > ",
    " == ": " != ",
    " != ": " == ",
}
_TRIES = 8


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines [start, stop) of a program and what takes their place."""

    start: int
    stop: int
    lines: tuple[str, ...]


def edit(
    lines: Sequence[str], free: Sequence[int], character: Character, rng: np.random.Generator
) -> list[Hunk]:
    """Returns a character's edits of a program, top to bottom; they do not overlap.

    Args:
        lines: the program's lines.
        free: indices of the lines that may be touched, rising.
        character: whose habits to follow.
        rng: the only source of chance.
    """
    wanted = int(rng.integers(character.edits[0], character.edits[1], endpoint=True))
    names = tuple(character.habits)
    weights = np.array([character.habits[name] for name in names])
    hunks: list[Hunk] = []
    for _ in range(wanted * _TRIES):
        habit = names[int(rng.choice(len(names), p=weights / weights.sum()))]
        hunk = _HABITS[habit](lines, free, rng)
        if hunk is not None and not any(hunk.start < h.stop and h.start < hunk.stop for h in hunks):
            hunks.append(hunk)
        if len(hunks) == wanted:
            break
    return sorted(hunks, key=lambda hunk: hunk.start)


def apply(lines: Sequence[str], hunks: Sequence[Hunk]) -> list[str]:
    """Returns the lines with hunks (top to bottom, not overlapping) applied."""
    result: list[str] = []
    at = 0
    for hunk in hunks:
        result += [*lines[at : hunk.start], *hunk.lines]
        at = hunk.stop
    return [*result, *lines[at:]]


def _pick(candidates: Sequence[int], rng: np.random.Generator) -> int | None:
    return candidates[int(rng.integers(len(candidates)))] if candidates else None


def _tune(lines: Sequence[str], free: Sequence[int], rng: np.random.Generator) -> Hunk | None:
    return _renumber(lines, free, rng, lambda value: value * (1 + 0.05 * float(rng.standard_normal())))


def _redraw(lines: Sequence[str], free: Sequence[int], rng: np.random.Generator) -> Hunk | None:
    sign = -1.0 if rng.random() < 0.1 else 1.0
    return _renumber(lines, free, rng, lambda value: sign * value * 10 ** float(rng.uniform(-1, 1)))


def _renumber(
    lines: Sequence[str], free: Sequence[int], rng: np.random.Generator, change: Callable[[float], float]
) -> Hunk | None:
    at = _pick([i for i in free if _NUMBER.search(lines[i])], rng)
    if at is None:
        return None
    found = list(_NUMBER.finditer(lines[at]))
    number = found[int(rng.integers(len(found)))]
    new = _write(number.group(), change(float(number.group())), rng)
    line = lines[at][: number.start()] + new + lines[at][number.end() :]
    return Hunk(at, at + 1, (line,))


def _write(old: str, value: float, rng: np.random.Generator) -> str:
    """Returns a number in the manner of the one it replaces: whole numbers stay whole, and they do change."""
    if old.isdigit():
        whole = round(value)
        return str(whole if whole != int(old) else int(old) + (1 if rng.random() < 0.5 else -1))
    return repr(round(value, 6))


def _swap(lines: Sequence[str], free: Sequence[int], rng: np.random.Generator) -> Hunk | None:
    statements = {i for i in free if _is_statement(lines, i)}
    pairs = [
        i for i in sorted(statements) if i + 1 in statements and _depth(lines[i]) == _depth(lines[i + 1])
    ]
    at = _pick([i for i in pairs if lines[i] != lines[i + 1]], rng)
    return None if at is None else Hunk(at, at + 2, (lines[at + 1], lines[at]))


def _repeat(lines: Sequence[str], free: Sequence[int], rng: np.random.Generator) -> Hunk | None:
    at = _pick([i for i in free if _is_statement(lines, i)], rng)
    return None if at is None else Hunk(at, at + 1, (lines[at], lines[at]))


def _drop(lines: Sequence[str], free: Sequence[int], rng: np.random.Generator) -> Hunk | None:
    at = _pick([i for i in free if _is_statement(lines, i)], rng)
    return None if at is None else Hunk(at, at + 1, ())


def _flip(lines: Sequence[str], free: Sequence[int], rng: np.random.Generator) -> Hunk | None:
    places = [(i, sign) for i in free for sign in _NEIGHBOURS if sign in lines[i]]
    if not places:
        return None
    at, sign = places[int(rng.integers(len(places)))]
    return Hunk(at, at + 1, (lines[at].replace(sign, _NEIGHBOURS[sign], 1),))


def _is_statement(lines: Sequence[str], at: int) -> bool:
    """Says whether a line looks complete: it is not empty, opens nothing and nothing deeper follows it."""
    depth = _depth(lines[at])
    if depth is None or lines[at].rstrip().endswith((":", "{", "(", "[", ",", "\\")):
        return False
    below = _depth(lines[at + 1]) if at + 1 < len(lines) else None
    return below is None or below <= depth


def _depth(line: str) -> int | None:
    """Returns a line's indentation in characters, or None for an empty line."""
    return len(line) - len(line.lstrip()) if line.strip() else None


_HABITS: Mapping[Habit, Callable[[Sequence[str], Sequence[int], np.random.Generator], Hunk | None]] = {
    "tune": _tune,
    "redraw": _redraw,
    "swap": _swap,
    "repeat": _repeat,
    "drop": _drop,
    "flip": _flip,
}
