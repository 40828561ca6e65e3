"""Logs that nodes of a test share: in one process on either clock, and over a real broker."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from typing_extensions import override

from speciate.ensembles.messages import Parcel
from speciate.ensembles.transport import Hub, Nats, Reading, Routes, Transport, read_address
from speciate.records import MessageId, Seconds
from speciate.testing.nats_server import NatsServer
from speciate.testing.nodes import at_once, heard, ids, parcel

PATIENCE: Seconds = 10.0
"""So long an end waits until everything is sent."""
SKEW: Seconds = 1e9
"""By so much the wall clocks of senders are wrong, into the past and into the future."""


class Meeting(ABC):
    """A log at which nodes meet, with clocks as they are there."""

    @abstractmethod
    def end(self) -> Transport:
        """Returns one node's end, which has not joined yet."""

    @abstractmethod
    async def publish(self, end: Transport, sent: Parcel) -> None:
        """Publishes what `champion` made, when it was made."""

    @abstractmethod
    async def read(
        self, end: Transport, count: int = 0, *, after: float = 0.0, senders: Sequence[str] | None = None
    ) -> Reading:
        """Reads at an end as soon as at least so many announcements are there."""

    @abstractmethod
    def champion(self, node: str, round: int) -> Parcel:
        """Returns what a node sends now."""

    @abstractmethod
    def lose(self) -> None:
        """Loses the log. Nobody may have an end of it; later ends are those of a new log."""

    @asynccontextmanager
    async def joined(self, node: str, *own: Parcel) -> AsyncIterator[Transport]:
        """Gives a node's end for as long as the block lasts, and then sees to it that all is sent."""
        async with at_once(self.end(), node, *own) as end:
            yield end
            assert await end.leave(patience=PATIENCE) == 0

    async def log(self) -> list[MessageId]:
        """Returns everything that is in the log, to one who has never read it."""
        async with self.joined("onlooker") as onlooker:
            return list(ids(await self.read(onlooker)))


class InProcess(Meeting):
    """Nodes of one process on the wall clock."""

    def __init__(self) -> None:
        self._hub = Hub(wall=True)

    @override
    def end(self) -> Transport:
        return self._hub.port()

    @override
    async def publish(self, end: Transport, sent: Parcel) -> None:
        await end.publish(sent, at=None)

    @override
    async def read(
        self, end: Transport, count: int = 0, *, after: float = 0.0, senders: Sequence[str] | None = None
    ) -> Reading:
        return await heard(end, count, after=after, senders=senders)

    @override
    def champion(self, node: str, round: int) -> Parcel:
        return parcel(node, round, at=SKEW * (-1) ** round)

    @override
    def lose(self) -> None:
        self._hub = Hub(wall=True)


class Copies:
    """Everything arrives three times, once of it later."""

    slowest: Seconds = 0.5

    def delays(self, message: MessageId, to: str, at: Seconds) -> Sequence[Seconds]:
        """See `Routes.delays`."""
        return (0.0, 0.5, 0.0)


class Virtual(Meeting):
    """Nodes of one process on the virtual clock: a second passes with everything that is done.

    Args:
        routes: how announcements travel; within `slowest` seconds, and in the order of sending.
    """

    def __init__(self, routes: Routes | None = None) -> None:
        self._routes = routes
        self._hub = Hub(routes=routes)
        self._present: list[Transport] = []
        self._now: Seconds = 0.0

    def _tick(self) -> Seconds:
        self._now += 1.0
        return self._now

    @override
    def end(self) -> Transport:
        return self._hub.port()

    @asynccontextmanager
    @override
    async def joined(self, node: str, *own: Parcel) -> AsyncIterator[Transport]:
        async with super().joined(node, *own) as end:
            self._present.append(end)
            try:
                yield end
            finally:
                self._present.remove(end)

    @override
    async def publish(self, end: Transport, sent: Parcel) -> None:
        await end.publish(sent, at=sent.announcement.at)

    @override
    async def read(
        self, end: Transport, count: int = 0, *, after: float = 0.0, senders: Sequence[str] | None = None
    ) -> Reading:
        now = self._tick()
        others = [other for other in self._present if other is not end]
        reading, *_ = await asyncio.gather(
            end.read(after, until=now, senders=senders),
            *(other.read(now, until=now, senders=None) for other in others),  # they have come so far, too
        )
        assert len(reading.heard) >= count, f"{len(reading.heard)} of {count} announcements came"
        return reading

    @override
    def champion(self, node: str, round: int) -> Parcel:
        return parcel(node, round, at=self._tick())

    @override
    def lose(self) -> None:
        self._hub = Hub(routes=self._routes)


class OverNats(InProcess):
    """Nodes that meet at a broker, a real one.

    Args:
        broker: runs already.
    """

    def __init__(self, broker: NatsServer) -> None:
        super().__init__()
        self.broker = broker

    @override
    def end(self) -> Transport:
        return Nats(read_address(self.broker.url, {}))

    @override
    def lose(self) -> None:
        self.broker.kill()
        self.broker.forget()
        self.broker.start()
