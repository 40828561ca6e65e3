"""One connection to a broker, where NATS JetStream keeps the log, the names and the programs of an ensemble.

After a `LinkError` a new connection is worth a try, after a `ConfigError` none is.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from speciate.ensembles.messages import MOST_ANNOUNCED, Parcel, pack
from speciate.ensembles.transport import subjects
from speciate.ensembles.transport.connection import LinkError, translated
from speciate.errors import ConfigError
from speciate.records import Joined, MessageId, Seconds

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.js import JetStreamContext
    from nats.js.api import StreamConfig, StreamInfo
    from nats.js.kv import KeyValue

LOG_AGE: Final[Seconds] = 30 * 24 * 3600.0
"""The log forgets what is older."""
LOG_BYTES: Final = 1 << 30
"""Bytes of a log at most: the oldest messages make room for new ones."""
DUPLICATES: Final[Seconds] = 120.0
"""So long the broker knows messages by their ids; later their subjects alone keep them from coming twice."""
ANSWER: Final[Seconds] = 5.0
"""A broker that has not answered for so long is taken for lost."""
_HEADERS: Final = 1024  # bytes that the headers of a message never reach
_BATCH: Final = 256
_IDLE: Final[Seconds] = 60.0  # the broker forgets readers that ask for nothing any more
_NO_SPACE: Final = 10047
_TAKEN: Final = (10071, 10164)  # the subject has a message already


@dataclass(frozen=True, slots=True)
class Said:
    """An announcement in the log.

    Attributes:
        sequence: its number there.
        subject: its subject.
        data: its bytes; of one that is too long as many as show it.
        left: how many more are in the log.
    """

    sequence: int
    subject: str
    data: bytes
    left: int


class Link:
    """What one node does over a connection."""

    def __init__(self, client: Client, joined: Joined, lost: asyncio.Event) -> None:
        self._client = client
        self._joined = joined
        self._js: JetStreamContext = client.jetstream(timeout=ANSWER)
        self._stream = subjects.stream_of(joined.ensemble)
        self._lost = lost
        self.born = ""
        self.end = 0

    async def prepare(self) -> None:
        """Finds the ensemble's log, or makes it. One that is there keeps the limits it has.

        Raises:
            ConfigError: the broker keeps no logs, or the limits do not fit it.
            LinkError: not now.
        """
        from nats.js import api, errors

        name = self._joined.ensemble
        wanted = api.StreamConfig(
            name=self._stream,
            description=f"champions of the ensemble {name}",
            subjects=[subjects.everything(name)],
            storage=api.StorageType.FILE,
            max_age=LOG_AGE,
            max_bytes=LOG_BYTES,
            duplicate_window=DUPLICATES,
            allow_direct=True,
        )
        with translated():
            try:
                info = await self._js.stream_info(self._stream)
            except errors.ServiceUnavailableError:
                raise ConfigError(
                    "the broker has no JetStream, so it cannot keep champions: start it by `nats-server -js`"
                ) from None
            except errors.NotFoundError:
                info = await self._make(wanted)
        self.born, self.end = str(info.created), info.state.last_seq

    async def _make(self, wanted: StreamConfig) -> StreamInfo:
        from nats.js import errors

        try:
            return await self._js.add_stream(wanted)
        except errors.APIError as error:
            if error.err_code != _NO_SPACE:
                raise
            raise ConfigError(
                f"the broker has no room for a log of {LOG_BYTES >> 20} MiB: raise its max_file_store, or "
                f"make the stream {self._stream} with limits of your own"
            ) from None

    async def claim(self, *, take_over: bool) -> None:
        """Takes the node's name, which is free or its own already.

        Args:
            take_over: whether it is taken from whoever holds it.

        Raises:
            ConfigError: another incarnation holds it.
            LinkError: not now.
        """
        from nats.js import errors

        joined = self._joined
        key, value = subjects.claim(joined.ensemble, joined.node), joined.incarnation.encode()
        with translated():
            names = await self._names()
            if take_over:
                await names.put(key, value)
                return
            try:
                await names.create(key, value)
            except errors.KeyWrongLastSequenceError:
                held = (await names.get(key)).value
                if held != value:
                    raise ConfigError(_taken(joined, (held or b"").decode(errors="replace"))) from None

    async def _names(self) -> KeyValue:
        from nats.js import api, errors

        try:
            return await self._js.key_value(subjects.BUCKET)
        except errors.NotFoundError:
            return await self._js.create_key_value(api.KeyValueConfig(bucket=subjects.BUCKET))

    async def names(self) -> AsyncIterator[str]:
        """Yields the names of all nodes of the ensemble, and then of those that join. Never ends.

        Raises:
            ConfigError: somebody has taken this node's name.
            LinkError: not any more.
        """
        joined = self._joined
        with translated():
            watcher = await (await self._names()).watch(subjects.claims(joined.ensemble))
            async for entry in watcher:
                if entry is None or entry.operation is not None:  # all there were; or a name was given back
                    continue
                name, holder = subjects.node_of(entry.key), (entry.value or b"").decode(errors="replace")
                if name == joined.node and holder != joined.incarnation:
                    raise ConfigError(_taken(joined, holder))
                yield name

    async def present(self) -> set[MessageId]:
        """Returns which of this incarnation's announcements are in the log.

        Raises:
            LinkError: not now.
        """
        node, incarnation = self._joined.node, self._joined.incarnation
        pattern = subjects.announcements(self._joined.ensemble, node, incarnation)
        with translated():
            info = await self._js.stream_info(self._stream, subjects_filter=pattern)
        rounds = (subjects.round_of(subject) for subject in info.state.subjects or {})
        return {MessageId(node, incarnation, round) for round in rounds if round is not None}

    async def send(self, parcel: Parcel) -> str | None:
        """Puts a champion into the log, once however often it is sent: its program, then its announcement.

        Returns:
            Why it went without its program, or None.

        Raises:
            LinkError: perhaps it did not arrive.
        """
        message, room = parcel.announcement.id, self._client.max_payload - _HEADERS
        remark = None
        if len(parcel.body) > room or len(parcel.head) > room:
            remark = (
                f"the champion of round {message.round} is announced without its program: with "
                f"{max(len(parcel.body), len(parcel.head))} bytes it passes the broker's max_payload"
            )
            parcel = pack(parcel.announcement.model_copy(update={"cells": ()}), None)
        ensemble = self._joined.ensemble
        if parcel.body:
            await self._put(subjects.champion(ensemble, message), f"{message}/program", parcel.body)
        await self._put(subjects.announcement(ensemble, message), str(message), parcel.head)
        return remark

    async def _put(self, subject: str, name: str, data: bytes) -> None:
        from nats.js import api, errors

        headers = {
            api.Header.MSG_ID.value: name,
            api.Header.EXPECTED_LAST_SUBJECT_SEQUENCE.value: "0",
        }
        with translated():
            try:
                await self._js.publish(subject, data, stream=self._stream, headers=headers)
            except errors.APIError as error:
                if error.err_code not in _TAKEN:
                    raise

    async def said(self, after: int) -> AsyncIterator[Sequence[Said]]:
        """Yields announcements of all nodes with larger numbers, in their order, as they come. Never ends.

        What is there already comes first; the first batch is empty if nothing is.

        Raises:
            LinkError: not any more.
        """
        from nats.js import api

        config = api.ConsumerConfig(
            deliver_policy=api.DeliverPolicy.BY_START_SEQUENCE,
            opt_start_seq=after + 1,
            ack_policy=api.AckPolicy.NONE,
            inactive_threshold=_IDLE,
            mem_storage=True,
        )
        pattern = subjects.announcements(self._joined.ensemble)
        with translated():
            reader = await self._js.pull_subscribe(pattern, stream=self._stream, config=config)
            if not (await reader.consumer_info()).num_pending:
                yield ()
            while True:
                try:
                    messages = await reader.fetch(_BATCH, timeout=ANSWER)
                except TimeoutError:  # nothing was said
                    await reader.consumer_info()  # says so if the broker has forgotten this reader
                    continue
                yield [
                    Said(
                        message.metadata.sequence.stream,
                        message.subject,
                        message.data[: MOST_ANNOUNCED + 1],
                        message.metadata.num_pending,
                    )
                    for message in messages
                ]

    async def program(self, message: MessageId) -> bytes:
        """Returns the program behind an announcement; empty if the log has it no more, or never had.

        Raises:
            LinkError: not now.
        """
        from nats.js import errors

        subject = subjects.champion(self._joined.ensemble, message)
        with translated():
            for direct in (True, False):  # whoever answers directly may not have what its leader has
                try:
                    return (await self._js.get_last_msg(self._stream, subject, direct=direct)).data or b""
                except errors.NotFoundError:
                    continue
        return b""

    async def lost(self) -> None:
        """Waits until the connection breaks.

        Raises:
            LinkError: it did.
        """
        await self._lost.wait()
        raise LinkError("the connection broke")


def _taken(joined: Joined, holder: str) -> str:
    return (
        f"there is a node {joined.node} in {joined.ensemble} already (incarnation {holder[:64]}, this one is "
        f"{joined.incarnation}): choose another name, go on in that node's own folder, or, if it will never "
        "come back, take its name by --take-over"
    )
