"""What became of the champions that the nodes of an ensemble sent each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from speciate.records import RECEIVED, Drained, Placement, PlacementKind, Published, Received
from speciate.store import Candidate, RunHistory


@dataclass(frozen=True, slots=True)
class Arrival:
    """A champion of a peer, and what became of it.

    Attributes:
        sender: whose champion it was.
        receiver: who got it.
        age: own rounds minus the sender's, when it was taken: 0 for the same round, above 0 for one that is
            late or whose sender is behind, below 0 for one of a sender that is ahead.
        size: bytes of the program.
        refused: whether it was refused unread, was turned away here, or has no score here.
        opened: whether it came to live in a cell that was empty.
    """

    sender: str
    receiver: str
    age: int
    size: int
    refused: bool
    opened: bool


@dataclass(frozen=True, slots=True)
class Link:
    """What went from one node to another.

    Attributes:
        sender: whose champions.
        receiver: who got them.
        received: champions taken, and scored here.
        opened: those of them that came to live in a cell that was empty.
        rejected: champions that were refused unread, were turned away, or have no score here.
        size: bytes of the programs that were taken.
        age: mean of `Arrival.age` over those taken, or None without any.
        oldest: the highest, or None.
    """

    sender: str
    receiver: str
    received: int
    opened: int
    rejected: int
    size: int
    age: float | None
    oldest: int | None


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The champions of a whole ensemble, counted.

    Attributes:
        published: rounds that nodes announced.
        received: champions taken, once for each node that took them.
        opened: see `Link`; so is the next.
        rejected: see there.
    """

    published: int
    received: int
    opened: int
    rejected: int


def arrivals(receiver: str, history: RunHistory) -> Iterator[Arrival]:
    """Yields the champions that a node took or refused, in the order of arrival.

    Those of a drain that has not ended are no part of the pool yet, and are not yielded.
    """
    sown = iter([one for one in history.candidates.values() if one.choice.operator == RECEIVED])
    waiting: list[Received] = []
    for event in history.exchange:
        match event:
            case Received():
                waiting.append(event)
            case Drained():
                for received in waiting:
                    grown = None if received.refused else next(sown, None)
                    yield _arrival(receiver, event, received, grown)
                waiting = []
            case Published():
                pass


def _arrival(receiver: str, drained: Drained, received: Received, grown: Candidate | None) -> Arrival:
    return Arrival(
        received.node,
        receiver,
        drained.round - received.round,
        received.size,
        refused=received.refused is not None
        or (grown is not None and grown.status in ("rejected", "failed")),
        opened=grown is not None and any(map(_opens, grown.placements)),
    )


def _opens(placed: tuple[int, Placement]) -> bool:
    return placed[1].cell is not None and placed[1].kind is PlacementKind.NEW


def links(histories: Mapping[str, RunHistory]) -> list[Link]:
    """Returns the links over which anything came, by receiver and sender."""
    came = [arrival for name, history in histories.items() for arrival in arrivals(name, history)]
    ends = attrgetter("receiver", "sender")
    return [_link(list(group)) for _, group in groupby(sorted(came, key=ends), key=ends)]


def _link(came: Sequence[Arrival]) -> Link:
    taken = [arrival for arrival in came if not arrival.refused]
    ages = [arrival.age for arrival in taken]
    return Link(
        came[0].sender,
        came[0].receiver,
        received=len(taken),
        opened=sum(arrival.opened for arrival in taken),
        rejected=len(came) - len(taken),
        size=sum(arrival.size for arrival in taken),
        age=math.fsum(ages) / len(ages) if ages else None,
        oldest=max(ages, default=None),
    )


def exchanged(histories: Mapping[str, RunHistory], found: Sequence[Link]) -> Exchanged:
    """Adds up the links of an ensemble."""
    published = sum(
        isinstance(event, Published) for history in histories.values() for event in history.exchange
    )
    return Exchanged(
        published,
        sum(link.received for link in found),
        sum(link.opened for link in found),
        sum(link.rejected for link in found),
    )
