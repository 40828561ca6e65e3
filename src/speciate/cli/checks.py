"""What packages want the doctor to look at: entry points of a group, each a function that returns lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Final

GROUP: Final = "speciate.checks"
"""Entry points of this group name functions without arguments. Each returns what it found, a line a fact,
or raises what is wrong."""


@dataclass(frozen=True, slots=True)
class Check:
    """What one of them found.

    Attributes:
        name: the entry point's.
        facts: what it found, a line each.
        problem: what is wrong, or None.
    """

    name: str
    facts: tuple[str, ...]
    problem: str | None = None

    def lines(self) -> Iterator[str]:
        """Yields what to tell."""
        title = self.name.capitalize()
        yield from (f"{title}: {fact}" for fact in self.facts)
        if self.problem is not None:
            yield f"{title}: NOT in order. {self.problem}"


def run_checks() -> list[Check]:
    """Makes the checks of all installed packages, sorted by name."""
    return [_made(point) for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)]


def _made(point: EntryPoint) -> Check:
    try:
        check = point.load()
    except (ImportError, AttributeError) as error:
        return Check(point.name, (), f"{point.value} cannot be loaded: {error}")
    try:
        return Check(point.name, tuple(map(str, check())))
    except Exception as error:  # noqa: BLE001 -- other people's code: the doctor notes it and goes on
        return Check(point.name, (), str(error) or type(error).__name__)
