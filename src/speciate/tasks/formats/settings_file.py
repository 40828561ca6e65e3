"""Reading the settings of another system: a table says what becomes of each key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from speciate.errors import TaskError
from speciate.records import Json
from speciate.tasks.formats.native import read_text

# Any: what stands in somebody else's settings.
Values: TypeAlias = Mapping[str, Any]

TEXT: tuple[type, ...] = (str,)
NUMBER: tuple[type, ...] = (int, float)
WHOLE: tuple[type, ...] = (int,)
FLAG: tuple[type, ...] = (bool,)
LIST: tuple[type, ...] = (list, tuple)
TABLE: tuple[type, ...] = (dict,)


@dataclass(frozen=True, slots=True)
class Rule:
    """What becomes of one key.

    Attributes:
        kind: types its value may have.
        to: our setting of a run, dotted; or, if it is for the task, a name that its format knows.
        turn: makes our value of theirs, given all their values by dotted key; None takes it as it is.
        task: whether it is for the task, not a setting of a run.
    """

    kind: tuple[type, ...]
    to: str
    turn: Callable[[Any, Values], Json] | None = None
    task: bool = False


@dataclass(slots=True)
class Taken:
    """What a settings file came to.

    Attributes:
        run: settings of a run by dotted name.
        task: values for the task by name.
        used: one phrase a key that was taken over.
        ignored: one phrase a key that was not.
    """

    run: dict[str, Json] = field(default_factory=dict)
    task: dict[str, Json] = field(default_factory=dict)
    used: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)

    @property
    def settings(self) -> dict[str, Json]:
        """The settings of a run, nested."""
        nested: dict[str, Json] = {}
        for place, value in self.run.items():
            *tables, last = place.split(".")
            table = nested
            for name in tables:
                inner = table.setdefault(name, {})
                assert isinstance(inner, dict), "no rules name both a table and a value of it"
                table = inner
            table[last] = value
        return nested

    def remarks(self, file: str) -> tuple[str, ...]:
        """Returns what a user should know, one sentence for what was used and one for what was not."""
        said = []
        if self.used:
            said.append(f"{file}, used: {'; '.join(self.used)}")
        if self.ignored:
            said.append(f"{file}, ignored: {'; '.join(self.ignored)}")
        return tuple(said)


def take(given: Values, rules: Mapping[str, Rule], reasons: Mapping[str, str], where: Path) -> Taken:
    """Applies rules to settings.

    Args:
        given: the settings, nested. A null is as good as no key.
        rules: what becomes of a key, by dotted key.
        reasons: why a key is ignored, by dotted key or by the table that holds it.
        where: the file, for messages.

    Raises:
        TaskError: a value that would be used is of another type than it should be.
    """
    flat = dict(_flattened(given, rules))
    taken = Taken()
    for key, value in flat.items():
        rule = rules.get(key)
        if rule is None:
            reason = _reason(key, reasons)
            taken.ignored.append(f"{key} ({reason})" if reason else key)
            continue
        if not _fits(value, rule.kind):
            names = " or ".join(kind.__name__ for kind in rule.kind)
            raise TaskError(f"{where}: {key} should be {names}, not {value!r:.60}")
        try:
            ours = rule.turn(value, flat) if rule.turn else value
        except (ValueError, TypeError) as error:
            raise TaskError(f"{where}: {key} is {value!r:.60}, which cannot be used: {error}") from None
        (taken.task if rule.task else taken.run)[rule.to] = ours
        taken.used.append(f"{key} ({rule.to})")
    return taken


def _flattened(given: Values, rules: Mapping[str, Rule], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in given.items():
        key = f"{above}{name}"
        if isinstance(value, Mapping) and key not in rules:
            yield from _flattened(value, rules, f"{key}.")
        elif value is not None:
            yield key, value


def _fits(value: object, kind: tuple[type, ...]) -> bool:
    return isinstance(value, kind) and (bool in kind or not isinstance(value, bool))


def _reason(key: str, reasons: Mapping[str, str]) -> str:
    """Returns why a key is ignored; empty when nothing is known of it."""
    parts = key.split(".")
    places = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((reasons[place] for place in places if place in reasons), "")


def read_yaml(path: Path) -> Values:
    """Reads a YAML file that holds a mapping; an empty one is an empty mapping.

    Raises:
        TaskError: it is not YAML, or holds something else.
    """
    import yaml  # only folders with such a file pay for it

    try:
        value = yaml.safe_load(read_text(path))
    except (yaml.YAMLError, RecursionError) as error:
        raise TaskError(f"{path} is not valid YAML: {' '.join(str(error).split())}") from None
    if not isinstance(value, Mapping | None):
        raise TaskError(f"{path} holds a {type(value).__name__}; expected settings by name")
    return {str(name): inner for name, inner in (value or {}).items()}
