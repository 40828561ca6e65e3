"""Nodes on any host, which exchange champions through a NATS broker with JetStream.

All that may take time happens in the background: connecting, sending and listening go on beside the search,
which asks for what has come and hands over what is to go. A broker that is not there delays nobody; what
was meant for it goes when it is back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from itertools import chain, repeat
from typing import Any

from typing_extensions import override

from speciate.ensembles.messages import Parcel
from speciate.ensembles.transport.address import Address
from speciate.ensembles.transport.base import Heard, Reading, Transport
from speciate.ensembles.transport.connection import LinkError, check_library, connected
from speciate.ensembles.transport.jetstream import Link
from speciate.ensembles.transport.mail import Inbox, Outbox
from speciate.ensembles.transport.subjects import sender_of
from speciate.errors import ConfigError
from speciate.records import Joined, MessageId, Seconds

JOINING: Seconds = 5.0
"""A node waits so long for what is in the log already; if nobody is there, it goes on at once."""
FETCHING: Seconds = 2.0
"""Programs that have not come after so long are asked for again after the next round."""
LEAVING: Seconds = 5.0
"""A connection that is being made when the node leaves is waited for, but not longer."""
AT_ONCE = 32
"""Programs that are asked for at once."""
WAITS: Sequence[Seconds] = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Between tries to connect; the last one again and again."""

Tell = Callable[[str], None]
"""Says a sentence to whoever watches the node."""


class Nats(Transport):
    """A node's end of an ensemble at a broker.

    Args:
        address: the broker.
        take_over: whether the node's name is taken from whoever holds it.
        tell: is told when the broker comes and goes.

    Raises:
        MissingExtraError: the client's library is not here.
    """

    def __init__(self, address: Address, *, take_over: bool = False, tell: Tell = lambda _: None) -> None:
        check_library()
        self._address = address
        self._take_over = take_over
        self._tell = tell
        self._joined: Joined | None = None
        self._inbox = Inbox()
        self._outbox = Outbox()
        self._names: set[str] = set()
        self._link: Link | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._tried = asyncio.Event()
        self._leaving = asyncio.Event()
        self._told = ""

    @override
    async def join(self, joined: Joined, *, own: Sequence[Parcel]) -> None:
        self._joined, self._outbox = joined, Outbox(own)
        self._names.add(joined.node)
        self._keeper = asyncio.create_task(self._keep(joined), name="broker")
        waiting = asyncio.create_task(self._tried.wait())
        await asyncio.wait({self._keeper, waiting}, timeout=JOINING, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        self._check()

    @override
    async def publish(self, parcel: Parcel, *, at: Seconds | None) -> None:
        self._check()
        self._outbox.put(parcel)

    @override
    async def read(self, after: float, *, until: Seconds | None, senders: Sequence[str] | None) -> Reading:
        if until is not None:
            raise ConfigError("over a network there is no virtual clock: set ensemble.clock = wall")
        self._check()
        return self._inbox.read(after, senders)

    @override
    async def fetch(self, wanted: Sequence[MessageId]) -> Mapping[MessageId, bytes]:
        self._check()
        found: dict[MessageId, bytes] = {}
        if (link := self._link) is None or not wanted:
            return found
        places = asyncio.Semaphore(AT_ONCE)

        async def fetch_one(message: MessageId) -> None:
            async with places:
                with suppress(LinkError):
                    found[message] = await link.program(message)

        fetching = asyncio.gather(*map(fetch_one, wanted))
        works: list[asyncio.Future[Any]] = [fetching, asyncio.ensure_future(link.lost())]
        try:
            done, _ = await asyncio.wait(works, timeout=FETCHING, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _end(works)
        if fetching in done:
            fetching.result()
        return {message: found[message] for message in wanted if message in found}

    @override
    async def members(self) -> Sequence[str]:
        return sorted(self._names)

    @override
    async def leave(self, *, patience: Seconds) -> int:
        if self._keeper is None:
            return 0
        sent = asyncio.create_task(self._outbox.empty())
        try:
            await asyncio.wait({sent, self._keeper}, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._leaving.set()
            sent.cancel()
            await asyncio.wait({sent, self._keeper}, timeout=LEAVING)
            self._keeper.cancel()
        return len(self._outbox)

    def _check(self) -> None:
        """Raises what ended the work in the background: nothing could be sent or heard any more."""
        if self._keeper is not None and self._keeper.done():
            self._keeper.result()

    async def _keep(self, joined: Joined) -> None:
        """Keeps a connection, and makes a new one when it breaks.

        Raises:
            ConfigError: the broker does not want this node, now or ever.
        """
        waits = _waits()
        while not self._leaving.is_set():
            try:
                who = f"speciate {joined.ensemble} {joined.node}"
                async with connected(self._address, who) as (client, lost):
                    link = Link(client, joined, lost)
                    await self._begin(link)
                    waits = _waits()
                    self._say(f"Connected to {self._address.url} as {joined.node} of {joined.ensemble}")
                    await self._attend(link)
            except LinkError as error:
                self._say(f"No broker at {self._address.url} ({error}): searching on, trying again")
            finally:
                self._link = None
            self._tried.set()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._leaving.wait(), next(waits))

    async def _begin(self, link: Link) -> None:
        await link.prepare()
        await link.claim(take_over=self._take_over)
        self._take_over = False
        self._outbox.begin(await link.present())
        self._link = link

    async def _attend(self, link: Link) -> None:
        """Sends and listens until the connection breaks or the node leaves.

        Raises:
            LinkError: it broke.
            ConfigError: the broker does not want this node any more.
        """
        works = (
            self._listen(link),
            self._send(link),
            self._look_round(link),
            link.lost(),
            self._leaving.wait(),
        )
        tasks = {asyncio.ensure_future(work) for work in works}
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _end(tasks)
        errors = [error for task in done if (error := task.exception())]
        if errors:
            raise next((error for error in errors if not isinstance(error, LinkError)), errors[0])

    async def _listen(self, link: Link) -> None:
        async for batch in link.said(self._inbox.begin(link.born, link.end)):
            for said in batch:
                sender = sender_of(said.subject)
                own = self._joined is not None and sender == self._joined.node
                self._inbox.put(said.sequence, None if own else Heard(said.data, sender))
                self._names.update([] if own else [sender])
            if not batch or not batch[-1].left:  # all that was there is here
                self._tried.set()
            await self._inbox.room()

    async def _send(self, link: Link) -> None:
        while True:
            parcel = await self._outbox.next()
            if remark := await link.send(parcel):
                self._tell(remark)
            self._outbox.sent(parcel.announcement.id)

    async def _look_round(self, link: Link) -> None:
        async for name in link.names():
            self._names.add(name)

    def _say(self, sentence: str) -> None:
        """Tells something, unless it was the last thing told."""
        if sentence != self._told:
            self._told = sentence
            self._tell(sentence)


def _waits() -> chain[Seconds]:
    return chain(WAITS, repeat(WAITS[-1]))


async def _end(tasks: Collection[asyncio.Future[Any]]) -> None:
    """Cancels tasks until they have ended.

    Once is not enough, so this is no task group: the client's library, and `asyncio.wait_for` before Python
    3.12, lose a cancellation that comes together with what they wait for.
    """
    while running := [task for task in tasks if not task.done()]:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=0.1)
    for task in tasks:
        if not task.cancelled():
            task.exception()  # what broke first has been told
