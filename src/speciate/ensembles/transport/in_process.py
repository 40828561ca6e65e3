"""All nodes in one process, on a virtual clock or on the wall clock.

On the virtual clock a reader waits until no other node can publish anything more at or before its own time:
the others have all come that far, or have left. So what it reads depends on declared times alone, never on
how long anything really took; and a node that is slow in virtual time is far ahead soon, and delays nobody.
"""

from __future__ import annotations

import asyncio
import heapq
from bisect import bisect_left, bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final, Protocol
from uuid import uuid4

from typing_extensions import override

from speciate.ensembles.messages import Parcel
from speciate.ensembles.transport.base import Halted, Heard, Reading, Transport
from speciate.ensembles.transport.positions import mark_of, number_of
from speciate.errors import ConfigError
from speciate.records import Joined, MessageId, Seconds

_DIRECT: Final = (0.0,)


class Routes(Protocol):
    """How announcements travel on the virtual clock."""

    slowest: Seconds
    """No announcement travels longer."""

    def delays(self, message: MessageId, to: str, at: Seconds) -> Sequence[Seconds]:
        """Returns how long each copy of an announcement sent at this time travels; empty if all are lost."""
        ...


class Direct:
    """Everything arrives at once, and once."""

    slowest: Seconds = 0.0

    def delays(self, message: MessageId, to: str, at: Seconds) -> Sequence[Seconds]:
        """See `Routes.delays`."""
        return _DIRECT


class Clocks(Protocol):
    """How the nodes' own clocks go together on the virtual clock: who begins late, is away, or dies.

    A node's own clock shows the time it has lived. Whoever is away lives no time meanwhile and then goes on
    where it was, as a node does that was killed and started again.
    """

    def begins(self, node: str) -> Seconds:
        """Returns when a node begins to live; until then nobody knows its name."""
        ...

    def when(self, node: str, own: Seconds) -> Seconds | None:
        """Returns the time of all at which a node's own clock shows this, or None: it dies before.

        It never falls as the own clock goes on.
        """
        ...


class Together:
    """All begin at once and live to the end."""

    def begins(self, node: str) -> Seconds:
        """See `Clocks.begins`."""
        return 0.0

    def when(self, node: str, own: Seconds) -> Seconds | None:
        """See `Clocks.when`."""
        return own


@dataclass(frozen=True, slots=True)
class _Sent:
    """An announcement in the log.

    Attributes:
        at: when it was sent: virtual time, or its number in the log on the wall clock.
        id: its name.
        head: its bytes.
    """

    at: float
    id: MessageId
    head: bytes


@dataclass(slots=True)
class _Member:
    joined: Joined
    horizon: Seconds = 0.0
    sent: list[_Sent] = field(default_factory=list)


class Hub:
    """The log that the nodes of one process share.

    Args:
        expected: the names of all nodes: until each has joined nobody reads on the virtual clock.
        routes: how announcements travel.
        clocks: how the nodes' own clocks go together.
        wall: whether the nodes live on the wall clock. Then announcements are numbered as they come, and what
            was sent in earlier sessions is numbered anew.
    """

    def __init__(
        self,
        expected: Sequence[str] = (),
        *,
        routes: Routes | None = None,
        clocks: Clocks | None = None,
        wall: bool = False,
    ) -> None:
        self._wall = wall
        self._mark = mark_of(uuid4().hex)
        self._waiting = set(expected)
        self._routes = routes or Direct()
        self.clocks = clocks or Together()
        self._members: dict[str, _Member] = {}
        self._bodies: dict[MessageId, bytes] = {}
        self._claims: dict[str, str] = {}
        self._left: set[str] = set()
        self._names: Sequence[str] | None = None
        self._complete: Seconds = 0.0
        # The least horizon decides who may read. Entries of either heap that no longer hold are dropped when
        # they come up, so that a reader costs no look at all nodes and wakes nobody but those who can go on.
        self._horizons: list[tuple[Seconds, str]] = []
        self._readers: list[tuple[Seconds, int, asyncio.Future[None]]] = []
        self._asked = 0
        self._length = 0
        self._halted = False

    def port(self, name: str = "") -> Transport:
        """Returns a new node's end of it.

        Args:
            name: whose, if it is known: one that leaves without ever having joined is waited for no more.
        """
        return _Port(self, name)

    def expect(self, name: str) -> None:
        """Lets readers wait for one more node."""
        self._waiting.add(name)
        self._names = None

    def join(self, joined: Joined) -> None:
        """Takes a name.

        Raises:
            ConfigError: another incarnation has it.
        """
        held = self._claims.setdefault(joined.node, joined.incarnation)
        if held != joined.incarnation:
            raise ConfigError(
                f"there is a node {joined.node} in {joined.ensemble} already: choose another name"
            )
        self._waiting.discard(joined.node)
        self._left.discard(joined.node)
        member = self._members.setdefault(joined.node, _Member(joined))
        heapq.heappush(self._horizons, (member.horizon, joined.node))
        self._names = None
        self._stir()

    def append(self, parcel: Parcel, at: Seconds | None) -> None:
        """Adds an announcement; what is in the log already is not added again.

        Args:
            parcel: the champion.
            at: virtual time; counts for nothing on the wall clock.
        """
        message = parcel.announcement.id
        if message in self._bodies:
            return
        self._length += 1
        member = self._members[message.node]
        insort(
            member.sent,
            _Sent(self._length if self._wall or at is None else at, message, parcel.head),
            key=attrgetter("at"),
        )
        self._bodies[message] = parcel.body

    async def reached(self, node: str, time: Seconds) -> None:
        """Returns when nobody can publish at or before this time any more. This node has come so far."""
        member = self._members[node]
        if time > member.horizon:
            member.horizon = time
            heapq.heappush(self._horizons, (time, node))
            self._stir()
        while not self._open(time):
            if self._halted:
                raise Halted
            await self._turn(time)

    def _open(self, time: Seconds) -> bool:
        """Whether nobody can publish at or before this time any more."""
        if self._waiting:
            return False
        while self._horizons:
            horizon, name = self._horizons[0]
            if name not in self._left and self._members[name].horizon == horizon:
                return horizon >= time
            heapq.heappop(self._horizons)
        return True

    async def _turn(self, time: Seconds) -> None:
        """Returns when the log may be open up to this time, or all are to stop."""
        self._asked += 1
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self._readers, (time, self._asked, turn))
        await turn

    def halt(self) -> None:
        """Lets nobody wait any longer: all have been asked to stop."""
        self._halted = True
        self._stir()

    def leave(self, node: str) -> None:
        """Lets the others go on without it."""
        self._left.add(node)
        self._waiting.discard(node)
        self._names = None
        self._stir()

    def _stir(self) -> None:
        """Wakes those who can go on."""
        while self._readers and (self._halted or self._open(self._readers[0][0])):
            _, _, turn = heapq.heappop(self._readers)
            if not turn.done():  # else its reader was cancelled
                turn.set_result(None)

    def names(self, now: Seconds | None) -> Sequence[str]:
        """Returns all nodes but those that begin to live later, sorted; None is after all have begun."""
        if self._names is None:
            self._names = sorted({*self._members, *self._waiting})
            self._complete = max(map(self.clocks.begins, self._names), default=0.0)
        if now is None or now >= self._complete:
            return self._names
        return [name for name in self._names if self.clocks.begins(name) <= now]

    def arrived(
        self, node: str, after: float, until: float, senders: Sequence[str] | None
    ) -> list[tuple[float, _Sent]]:
        """Returns what arrived at a node later than `after` and not later than `until`, in that order."""
        slowest = self._routes.slowest
        found = [
            (sent.at + delay, sent)
            for name in (self._members if senders is None else senders)
            if name != node and name in self._members
            for sent in _between(self._members[name].sent, after - slowest, until)
            for delay in self._routes.delays(sent.id, node, sent.at)
            if after < sent.at + delay <= until
        ]
        return sorted(found, key=lambda pair: (pair[0], pair[1].id))

    @property
    def end(self) -> float:
        """The position after all announcements, on the wall clock."""
        return self._length + self._mark

    def since(self, position: float) -> int:
        """Returns how many announcements had been read at a position, on the wall clock."""
        return number_of(position, self._mark, self._length)

    def body(self, message: MessageId) -> bytes | None:
        """Returns the program behind an announcement, or None if there is no such announcement."""
        return self._bodies.get(message)


def _between(sent: Sequence[_Sent], after: float, until: float) -> Sequence[_Sent]:
    first = bisect_left(sent, after, key=attrgetter("at"))
    last = bisect_right(sent, until, lo=first, key=attrgetter("at"))
    return sent[first:last]


class _Port(Transport):
    def __init__(self, hub: Hub, name: str) -> None:
        self._hub = hub
        self._name = name
        self._now: Seconds | None = None

    def _time(self, own: Seconds | None) -> Seconds | None:
        """Returns the time of all, or None on the wall clock; a node that is dead by then gets no further."""
        if own is None:
            return None
        self._now = self._hub.clocks.when(self._name, own)
        if self._now is None:
            self._hub.leave(self._name)
            raise Halted
        return self._now

    @override
    async def join(self, joined: Joined, *, own: Sequence[Parcel]) -> None:
        self._name = joined.node
        self._hub.join(joined)
        for parcel in own:
            self._hub.append(parcel, parcel.announcement.at)

    @override
    async def publish(self, parcel: Parcel, *, at: Seconds | None) -> None:
        self._hub.append(parcel, self._time(at))

    @override
    async def read(self, after: float, *, until: Seconds | None, senders: Sequence[str] | None) -> Reading:
        until = self._time(until)
        if until is not None:
            await self._hub.reached(self._name, until)
        position = self._hub.end if until is None else until
        first = float(self._hub.since(after)) if until is None else after
        arrived = self._hub.arrived(self._name, first, position, senders)
        return Reading(tuple(Heard(sent.head, sent.id.node) for _, sent in arrived), position)

    @override
    async def fetch(self, wanted: Sequence[MessageId]) -> Mapping[MessageId, bytes]:
        found = {message: self._hub.body(message) for message in wanted}
        return {message: body for message, body in found.items() if body is not None}

    @override
    async def members(self) -> Sequence[str]:
        return self._hub.names(self._now)

    @override
    async def leave(self, *, patience: Seconds) -> int:
        self._hub.leave(self._name)
        return 0
