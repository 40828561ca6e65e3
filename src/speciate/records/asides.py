"""What is done for the run as a whole, beside its candidates: notes, and wordings of the system prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from speciate.records.keyed import Keyed

NoteKind: TypeAlias = Literal["summaries", "insights", "recommendations"]
"""The three parts of an update of the scratchpad, in the order in which a model is asked for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted(Keyed):
    """The scratchpad took in what a model made of the last candidates. `part` is the same as `kind`.

    `ordinal` is the candidate whose placement made the update due. The model calls behind it have that
    ordinal too, and `aside` parts.

    Attributes:
        update: number of the update, from 1.
        kind: which part of it.
        lines: numbered lines: summaries by ordinal, insights from 1, recommendations by their own numbers.
        dropped: recommendations that leave the scratchpad, by number.
        contradictions: pairs of (new recommendation, standing one it contradicts), as the model says.
        surplus: recommendations in the reply for which there was no room.
        error: why nothing came of it, or None.
    """

    step: Literal["noted"] = "noted"
    update: int
    kind: NoteKind
    lines: tuple[tuple[int, str], ...] = ()
    dropped: tuple[int, ...] = ()
    contradictions: tuple[tuple[int, int], ...] = ()
    surplus: int = 0
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reworded(Keyed):
    """A model was asked for another wording of the system prompt.

    `ordinal` is the candidate whose placement made the update due. The model call behind it has that ordinal
    too, and an `aside_part`.

    Attributes:
        update: number of the update, from 1.
        parent: number of the wording that was to be varied.
        number: number of the new wording, or None if there is none.
        text: the new wording, or an empty string.
        summary: one line from the model on what is different.
        retired: number of the wording that made room for it, or None.
        error: why nothing came of it, or None.
    """

    step: Literal["reworded"] = "reworded"
    update: int
    parent: int
    number: int | None = None
    text: str = ""
    summary: str = ""
    retired: int | None = None
    error: str | None = None


Aside: TypeAlias = Literal["scratchpad", "wordings"]
"""What model calls are about that are made for the run as a whole, not for their ordinal's candidate."""

_ASIDES: tuple[Aside, ...] = get_args(Aside)


def aside_part(about: Aside, what: str) -> str:
    """Returns the `part` of a model call that is made for the run as a whole."""
    return f"{about}.{what}"


def aside(event: Keyed) -> Aside | None:
    """Returns what a model call is about that no candidate made; the candidate of its ordinal may be closed.

    Args:
        event: the call, asked or replied.

    Returns:
        None for calls of a candidate.
    """
    return next((about for about in _ASIDES if event.part.startswith(f"{about}.")), None)
