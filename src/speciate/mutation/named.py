"""Proposers that other packages bring along, found by name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import TypeAlias

from speciate.errors import ConfigError, nearest
from speciate.mutation.base import Proposer
from speciate.tasks import Task

GROUP = "speciate.proposers"
"""Entry points of this group are factories; the name of the entry point is how a spec begins."""

ProposerFactory: TypeAlias = Callable[[str, Task], Proposer]
"""Builds a proposer from what follows ``name:`` in its spec (empty if nothing does) and the task of the run.
Raises ConfigError if it makes no sense of the argument or has nothing to say to the task."""


def proposer_names() -> tuple[str, ...]:
    """Returns the names of all installed proposers, sorted. The built-in ``genetic`` is none of them."""
    return tuple(sorted(_points()))


def is_named(spec: str) -> bool:
    """Returns whether a spec begins with the name of an installed proposer."""
    return _name(spec) in _points()


def open_proposer(spec: str, task: Task) -> Proposer:
    """Builds the proposer that a spec names. Its name becomes the whole spec: that is the arm it is.

    Args:
        spec: ``name`` or ``name:argument``.
        task: what it will propose for.

    Raises:
        ConfigError: there is none of this name, it cannot be imported, or it refuses argument or task.
    """
    point = _point(spec)
    try:
        factory = point.load()
    except (ImportError, AttributeError) as error:
        raise ConfigError(
            f"the proposer {point.name!r} ({point.value}) cannot be imported: {error}"
        ) from error
    proposer = factory(spec.partition(":")[2], task)
    if not isinstance(proposer, Proposer):
        raise ConfigError(f"{point.value} should return a Proposer, not {type(proposer).__name__}")
    proposer.name = spec
    return proposer


def proposer_origin(spec: str) -> str:
    """Returns where a proposer comes from, for the record: its package with version, and its factory.

    Raises:
        ConfigError: there is none of this name.
    """
    point = _point(spec)
    package = f"{point.dist.name} {point.dist.version}, " if point.dist is not None else ""
    return f"{package}{point.value}"


def _name(spec: str) -> str:
    return spec.partition(":")[0]


def _point(spec: str) -> EntryPoint:
    points = _points()
    if (point := points.get(_name(spec))) is None:
        known = ", ".join(points) or "none"
        raise ConfigError(f"there is no proposer {spec!r}{nearest(_name(spec), points)} (installed: {known})")
    return point


def _points() -> Mapping[str, EntryPoint]:
    return _points_on(tuple(sys.path))


@lru_cache(maxsize=8)
def _points_on(path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """Looks through all packages installed along `path`; that takes so long that it is done once."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}
