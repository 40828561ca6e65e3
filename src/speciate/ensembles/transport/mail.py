"""What has come and not been read, and what is not yet sent: a node's two trays at a broker."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Container, Sequence
from itertools import takewhile

from speciate.ensembles.messages import Parcel
from speciate.ensembles.transport.base import Heard, Reading
from speciate.ensembles.transport.positions import mark_of, number_of
from speciate.records import MessageId

ROOM = 64 * 1024 * 1024
"""Bytes of announcements that wait to be read at most; more stay at the broker until there is room."""


class Inbox:
    """Announcements as they come, so that whoever reads never waits.

    A broker may lose its log and begin anew; see `positions`.
    """

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._heard: deque[tuple[int, Heard]] = deque()
        self._bytes = 0
        self._born: str | None = None
        self._end = 0
        self._last = 0
        self._mark = 0.0
        self._read = asyncio.Event()

    def begin(self, born: str, end: int) -> int:
        """A connection has found the log.

        Args:
            born: tells this log from one that was lost.
            end: the number of its last message.

        Returns:
            The number of the last message that is here already.
        """
        if self._born != born or end < self._last:
            self._heard.clear()
            self._bytes = self._last = 0
        self._born, self._mark, self._end = born, mark_of(born), end
        return self._last

    def put(self, sequence: int, heard: Heard | None) -> None:
        """Takes an announcement in, unless it is here already. None for one that nobody here wants."""
        if sequence <= self._last:
            return
        if heard is not None:
            self._heard.append((sequence, heard))
            self._bytes += len(heard.data)
        self._last, self._end = sequence, max(self._end, sequence)

    async def room(self) -> None:
        """Returns as soon as there is room for more."""
        while self._bytes > self._room:
            self._read.clear()
            await self._read.wait()

    def read(self, after: float, senders: Container[str] | None) -> Reading:
        """Returns what came after a position; see `Transport.read`."""
        if self._born is None:
            return Reading((), after)
        first = number_of(after, self._mark, self._end)
        self._make_room(first)
        fresh = list(takewhile(lambda pair: pair[0] > first, reversed(self._heard)))
        heard = (heard for _, heard in reversed(fresh) if senders is None or heard.sender in senders)
        return Reading(tuple(heard), max(self._last, first) + self._mark)

    def _make_room(self, first: int) -> None:
        """Forgets what was read before, as soon as there is much of it."""
        while self._bytes > self._room // 2 and self._heard[0][0] <= first:
            self._bytes -= len(self._heard.popleft()[1].data)
        self._read.set()


class Outbox:
    """A node's own champions. All are kept: a broker may lose its store.

    Args:
        own: what was published in earlier sessions, oldest first.
    """

    def __init__(self, own: Sequence[Parcel] = ()) -> None:
        self._own = {parcel.announcement.id: parcel for parcel in own}
        self._waiting = deque(self._own)
        self._changed = asyncio.Event()

    def put(self, parcel: Parcel) -> None:
        """Takes a champion; one that is here already is not taken twice."""
        message = parcel.announcement.id
        if message not in self._own:
            self._own[message] = parcel
            self._waiting.append(message)
            self._changed.set()

    def begin(self, present: Container[MessageId]) -> None:
        """A connection has found these in the log: all others are to be sent, in their order."""
        self._waiting = deque(message for message in self._own if message not in present)
        self._changed.set()

    async def next(self) -> Parcel:
        """Waits for a champion that is to be sent. It stays the next one until it is `sent`."""
        while not self._waiting:
            self._changed.clear()
            await self._changed.wait()
        return self._own[self._waiting[0]]

    def sent(self, message: MessageId) -> None:
        """The broker has it."""
        if self._waiting and self._waiting[0] == message:
            self._waiting.popleft()
        self._changed.set()

    async def empty(self) -> None:
        """Returns as soon as everything is sent."""
        while self._waiting:
            self._changed.clear()
            await self._changed.wait()

    def __len__(self) -> int:
        return len(self._waiting)
