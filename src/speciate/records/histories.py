"""Events as JSON, in order, and compared: what makes two histories equal."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from pydantic import TypeAdapter
from pydantic_core import to_json as to_json_bytes

from speciate.records.asides import Noted, Reworded
from speciate.records.events import (
    ArmsChanged,
    Asked,
    Chosen,
    EpochOpened,
    Evaluated,
    Event,
    IslandOpened,
    Migrated,
    Patched,
    Placed,
    RejectedEvent,
    Replied,
    RoundEnded,
    Started,
)
from speciate.records.keyed import Key, TextRef
from speciate.records.outcome import Outcome
from speciate.records.peers import Drained, Joined, Published, Received
from speciate.records.program import Program
from speciate.records.types import Ordinal, TextHash

STEPS: tuple[str, ...] = (
    "chosen",
    "asked",
    "replied",
    "rejected",
    "patched",
    "started",
    "evaluated",
    "placed",
    "migrated",
    "island_opened",
    "noted",
    "reworded",
    "arms_changed",
    "round_ended",
    "joined",
    "published",
    "received",
    "drained",
    "epoch_opened",
)
"""Steps in the order in which they happen within an attempt; sorts equal histories equally."""

_TYPES: tuple[type[Event], ...] = (
    Chosen, Asked, Replied, Patched, RejectedEvent, Started, Evaluated, Placed, Migrated,
    IslandOpened, Noted, Reworded, ArmsChanged, RoundEnded, EpochOpened,
    Joined, Published, Received, Drained,
)  # fmt: skip
_ADAPTERS: dict[str, TypeAdapter[Event]] = {
    str(kind.__dataclass_fields__["step"].default): TypeAdapter(kind) for kind in _TYPES
}
_KEY = {"ordinal", "attempt", "step", "part"}


def key(event: Event) -> Key:
    """Returns the event's identity within a history."""
    return event.ordinal, event.attempt, event.step, event.part


def sort_key(event: Event) -> tuple[Ordinal, int, int, str]:
    """Returns what sorts a history by key, steps in the order of `STEPS`."""
    return event.ordinal, event.attempt, STEPS.index(event.step), event.part


def to_json(event: Event) -> bytes:
    """Encodes an event as compact JSON without its key and without defaults.

    Metrics that are NaN or infinite are written as the constants that Python's own JSON uses.

    Raises:
        pydantic_core.PydanticSerializationError: a text holds half a surrogate pair, which JSON cannot say.
    """
    # Two steps, because `dump_json` writes a non-finite number in a union as null, which cannot be read back.
    plain = _ADAPTERS[event.step].dump_python(event, exclude=_KEY, exclude_defaults=True)
    return to_json_bytes(plain, inf_nan_mode="constants")


def from_json(data: bytes, event_key: Key) -> Event:
    """Decodes what `to_json` wrote.

    Raises:
        pydantic.ValidationError: the data is not an event of this step.
        KeyError: there is no such step.
    """
    ordinal, attempt, step, part = event_key
    head = json.dumps({"ordinal": ordinal, "attempt": attempt, "part": part}).encode()
    body = data.lstrip()[1:]
    return _ADAPTERS[step].validate_json(head[:-1] + (b"}" if body.strip() == b"}" else b"," + body))


def stable(event: Event) -> Event:
    """Returns the event without what may differ between two equal runs (durations, memory)."""
    match event:
        case Replied():
            return replace(event, seconds=0.0)
        case Evaluated():
            return replace(event, outcome=_untimed(event.outcome))
        case Patched() | RejectedEvent() if event.novelty is not None:
            return replace(event, novelty=replace(event.novelty, seconds=0.0))
        case _:
            return event


def _untimed(outcome: Outcome) -> Outcome:
    result = outcome.result
    if result is not None:
        result = replace(result, cases=tuple(replace(case, seconds=0.0) for case in result.cases))
    return replace(outcome, result=result, seconds=0.0, cpu_seconds=0.0, memory_mb=None)


def history(events: Iterable[Event]) -> list[Event]:
    """Returns the events sorted by key and made `stable`: two runs are equal when their histories are."""
    return [stable(event) for event in sorted(events, key=sort_key)]


def text_refs(event: Event) -> list[TextHash]:
    """Returns the hashes of all texts the event refers to."""
    match event:
        case Asked():
            return [p.text for m in event.messages for p in m.parts if isinstance(p, TextRef)]
        case Replied():
            return [event.text.text]
        case Patched() | Received():
            return [digest for _, digest in event.program]
        case Published():
            return [event.announcement.text]
        case EpochOpened():
            return [event.context.text]
        case _:
            return []


def program_refs(program: Program) -> dict[TextHash, str]:
    """Returns the texts of a program by content hash, as `Store.append` takes them."""
    return {digest: program.text(name) for name, digest in program.manifest}
