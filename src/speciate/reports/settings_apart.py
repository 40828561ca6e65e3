"""In which settings runs differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from speciate.records import Json
from speciate.store import Session

_FREE = ("seed",)
"""Settings in which runs of one kind may differ."""

_CAPS = "budget."
"""How far a run goes sets no kinds apart: runs are compared at a budget that all have spent."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A setting that is not the same in all runs.

    Attributes:
        key: with dots, as ``--set`` takes it.
        values: one a run; None both for nothing and for a setting that the run's version did not know.
    """

    key: str
    values: tuple[Json, ...]


def differences(configs: Sequence[Mapping[str, Json]]) -> tuple[Difference, ...]:
    """Returns the settings that differ, sorted by key, the seed left out.

    Args:
        configs: the complete settings of each run.
    """
    flat = [dict(_flat(config)) for config in configs]
    keys = sorted({key for one in flat for key in one} - set(_FREE))
    found = [Difference(key, tuple(one.get(key) for one in flat)) for key in keys]
    return tuple(one for one in found if any(value != one.values[0] for value in one.values))


def last_settings(config: Mapping[str, Json], sessions: Sequence[Session]) -> Mapping[str, Json]:
    """Returns a run's settings as its last session had them.

    Sessions note what is not as it is by default; a setting that was put back to its default stays as it was.

    Args:
        config: the complete settings that it began with.
        sessions: its sessions.
    """
    last = sessions[-1].facts.get("settings") if sessions else None
    return _over(config, last) if isinstance(last, dict) else config


def _over(below: Mapping[str, Json], above: Mapping[str, Json]) -> Mapping[str, Json]:
    merged = dict(below)
    for name, value in above.items():
        old = merged.get(name)
        merged[name] = dict(_over(old, value)) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def groups(apart: Sequence[Difference], runs: int) -> tuple[tuple[int, ...], ...]:
    """Returns which runs have equal settings but for their caps: places, in the order of the first one.

    Args:
        apart: the settings that differ.
        runs: how many runs there are.
    """
    found: dict[str, list[int]] = {}
    for place in range(runs):
        found.setdefault(repr([one.values[place] for one in decisive(apart)]), []).append(place)
    return tuple(tuple(places) for places in found.values())


def decisive(apart: Sequence[Difference]) -> tuple[Difference, ...]:
    """Returns the differences that set kinds of runs apart: all but those of the caps."""
    return tuple(one for one in apart if not one.key.startswith(_CAPS))


def label(apart: Sequence[Difference], place: int) -> str:
    """Returns what sets a run apart, in words: ``policy=weighted, islands=2``."""
    named = [f"{one.key.rpartition('.')[2]}={words(one.values[place])}" for one in decisive(apart)]
    return ", ".join(named) or "equal settings"


def words(value: Json) -> str:
    """Returns a setting's value as people read it."""
    match value:
        case None:
            return "none"
        case bool():
            return str(value).lower()
        case list():
            return "+".join(words(one) for one in value) or "none"
        case _:
            return str(value)


def _flat(value: Json | Mapping[str, Json], prefix: str = "") -> Iterator[tuple[str, Json]]:
    """Yields the settings one by one; a list is one setting, and so is an empty table."""
    if isinstance(value, Mapping) and value:
        for name, inner in value.items():
            yield from _flat(inner, f"{prefix}.{name}" if prefix else name)
    elif not isinstance(value, Mapping):
        yield prefix, value
