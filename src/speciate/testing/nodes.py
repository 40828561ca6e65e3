"""Ends of a log, driven by hand: what nodes would send, and patience for what they hear."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from speciate.ensembles.messages import Announcement, Parcel, pack, read_announcement
from speciate.ensembles.transport import Reading, Transport
from speciate.records import INITIAL, Joined, MessageId, Program, Seconds
from speciate.testing.knobs import knobs_program

ENSEMBLE = "some.ensemble"
PATIENCE: Seconds = 20.0


def joined(node: str, incarnation: str = "first") -> Joined:
    """Returns who a node is."""
    return Joined(ordinal=INITIAL, ensemble=ENSEMBLE, node=node, incarnation=incarnation)


def parcel(
    node: str, round: int, *, incarnation: str = "first", at: Seconds = 0.0, program: Program | None = None
) -> Parcel:
    """Returns the champion of a node's round: another program each round."""
    announcement = Announcement(
        ensemble=ENSEMBLE,
        task="knobs",
        node=node,
        incarnation=incarnation,
        round=round,
        proposer="genetic",
        fitness=float(round),
        at=at,
    )
    return pack(announcement, program or knobs_program(float(round), 1.0))


@asynccontextmanager
async def at_once(transport: Transport, node: str, *own: Parcel) -> AsyncIterator[Transport]:
    """Joins for as long as the block lasts."""
    try:
        await transport.join(joined(node), own=own)
        yield transport
    finally:
        await transport.leave(patience=0.0)


async def heard(
    transport: Transport, count: int, *, after: float = 0.0, senders: Sequence[str] | None = None
) -> Reading:
    """Waits until so many announcements have arrived after a position, and returns them.

    Raises:
        AssertionError: they do not come.
    """
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        reading = await transport.read(after, until=None, senders=senders)
        if len(reading.heard) >= count:
            return reading
        await asyncio.sleep(0.005)
    raise AssertionError(f"{len(reading.heard)} of {count} announcements came")


def ids(reading: Reading) -> Sequence[MessageId]:
    """Returns what was announced, in order."""
    return [read_announcement(each.data).id for each in reading.heard]
