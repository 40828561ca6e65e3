"""Events of a node that exchanges champions with others, and what names a message between nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from speciate.records.keyed import Keyed, TextRef
from speciate.records.types import Score, Seconds, TextHash


@dataclass(frozen=True, slots=True, order=True)
class MessageId:
    """What names a champion on its way within an ensemble. Nothing is applied twice under one name.

    Attributes:
        node: who sent it, by name.
        incarnation: which life of that name: a node that begins anew under an old name gets another one.
        round: the sender's round that the champion ended, from 0.
    """

    node: str
    incarnation: str
    round: int

    def __str__(self) -> str:
        return f"{self.node}/{self.incarnation}/{self.round}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined(Keyed):
    """The run became a node of an ensemble. Written once, before its first round.

    Attributes:
        ensemble: the ensemble's name.
        node: its own name there.
        incarnation: tells it from other runs that had or will have the same name.
    """

    step: Literal["joined"] = "joined"
    ensemble: str
    node: str
    incarnation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Published(Keyed):
    """The champion of a round was handed to the transport. `part` is the round's number.

    A round without a champion is published too, as a node without one.

    Attributes:
        round: the round, from 0.
        announcement: what was announced (canonical JSON).
        size: bytes of announcement and body.
        at: virtual time, or None on the wall clock.
    """

    step: Literal["published"] = "published"
    round: int
    announcement: TextRef
    size: int
    at: Seconds | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Received(Keyed):
    """A peer's champion was taken from the transport. `part` is the message's id.

    Attributes:
        node: who sent it.
        incarnation: see `MessageId`.
        round: the sender's round, from 0.
        program: pairs of (file name, content hash); empty if it was refused unread.
        proposer: who proposed it there, as the sender says.
        fitness: its first objective there, higher is better, as the sender says; None if it says nothing.
        size: bytes of the body.
        refused: why it was skipped: it joins no pool and is never evaluated. None if it was taken.
    """

    step: Literal["received"] = "received"
    node: str
    incarnation: str
    round: int
    program: tuple[tuple[str, TextHash], ...] = ()
    proposer: str = ""
    fitness: Score | None = None
    size: int = 0
    refused: str | None = None

    @property
    def id(self) -> MessageId:
        """The message's name."""
        return MessageId(self.node, self.incarnation, self.round)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drained(Keyed):
    """All that had arrived after a round was looked at. `part` is the round's number.

    Attributes:
        round: the own round, from 0.
        position: up to where the transport has been read.
        heard: announcements that were new.
        size: bytes of these announcements.
        listened: the nodes whose champions were wanted, by name.
        at: virtual time, or None on the wall clock.
    """

    step: Literal["drained"] = "drained"
    round: int
    position: float
    heard: int = 0
    size: int = 0
    listened: tuple[str, ...] = ()
    at: Seconds | None = None
