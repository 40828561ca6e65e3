"""What a node does between two rounds: it publishes its champion and takes what the others have sent.

It never waits for anybody: a slow or dead node delays nobody. Whatever arrived is an event, so that a run
that goes on after a crash, and whoever replays it, follows the same exchange.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from speciate.engine import Run, makespan
from speciate.ensembles.messages import Announcement, MessageError, read_announcement, read_body
from speciate.ensembles.parcels import champion_parcel, filled_cells, map_of, sent_before
from speciate.ensembles.sharing import decide_wanted
from speciate.ensembles.topology import complements, decide_links
from speciate.ensembles.transport import Heard, Transport
from speciate.patches import immutable_change
from speciate.records import (
    INITIAL,
    Cell,
    Drained,
    Joined,
    MessageId,
    Program,
    Published,
    Received,
    Seconds,
    TextRef,
    program_refs,
    text_hash,
)

PATIENCE: Seconds = 10.0
"""How long a node that is done waits until its last champions are sent."""


class Exchange:
    """A node's end of an ensemble.

    Args:
        transport: carries the champions.
        node: the node's name.
        incarnation: tells this run from others of that name; a run that goes on keeps its own.
    """

    def __init__(self, transport: Transport, *, node: str, incarnation: str) -> None:
        self._transport = transport
        self._node = node
        self._incarnation = incarnation
        self._cells: dict[str, tuple[Cell, ...] | None] = {}

    async def open(self, run: Run) -> None:
        """Makes the run a node, and sends again what an earlier session may not have sent.

        Raises:
            ConfigError: another node has the name.
        """
        joined = run.state.peers.joined
        if joined is None:
            joined = Joined(
                ordinal=INITIAL,
                ensemble=run.config.ensemble.name,
                node=self._node,
                incarnation=self._incarnation,
            )
            await run.journal.write(joined)
        own = [sent_before(run, announced) for announced in run.state.peers.announced]
        await self._transport.join(joined, own=own)
        if run.config.ensemble.topology.kind == "adaptive":
            await self._recall(run)

    async def _recall(self, run: Run) -> None:
        """Reads again which cells the others said they fill, up to where this node has read."""
        peers = run.state.peers
        if peers.position > 0:
            reading = await self._transport.read(0.0, until=peers.now, senders=None)
            for heard in reading.heard:
                self._read(run, heard)

    async def close(self, *, patience: Seconds = PATIENCE) -> int:
        """Leaves the ensemble; returns how many champions could not be sent.

        Args:
            patience: how long to wait for those that are not sent yet.
        """
        return await self._transport.leave(patience=patience)

    async def after_round(self, run: Run, round: int) -> None:
        """Publishes the champion of the round that ended last, if that is not done, and drains what came."""
        peers = run.state.peers
        now = None if run.config.ensemble.clock == "wall" else (peers.now or 0.0) + _duration(run)
        if peers.published <= round:
            await self._publish(run, round, now)
        await self._drain(run, round, now)

    async def _publish(self, run: Run, round: int, now: Seconds | None) -> None:
        parcel = champion_parcel(run, round, now)
        head = parcel.head.decode()
        event = Published(
            ordinal=run.state.issued - 1,
            part=str(round),
            round=round,
            announcement=TextRef(text_hash(head)),
            size=len(parcel.head) + len(parcel.body),
            at=now,
        )
        await run.journal.write(event, {text_hash(head): head})
        await self._transport.publish(parcel, at=now)

    async def _drain(self, run: Run, round: int, now: Seconds | None) -> None:
        config, peers = run.config.ensemble, run.state.peers
        links = decide_links(
            config.topology, self._node, await self._transport.members(), seed=run.config.seed, round=round
        )
        reading = await self._transport.read(peers.position, until=now, senders=links)
        announced = [each for heard in reading.heard if (each := self._read(run, heard))]
        filled = filled_cells(run)
        if config.topology.kind == "adaptive":
            links = complements(config.topology, filled, self._cells, seed=run.config.seed, round=round)
        offered = _unknown(run, [each for each in announced if each.node in links])
        wanted = decide_wanted(config.sharing, offered, filled, round=round, map=map_of(run))
        bodies = await self._transport.fetch(wanted)
        by_id = {each.id: each for each in offered}
        for message in wanted:
            if message in bodies:
                await self._receive(run, by_id[message], bodies[message])
        complete = len(bodies) == len(wanted)  # what cannot be had now is looked for again
        drained = Drained(
            ordinal=run.state.issued - 1,
            part=str(round),
            round=round,
            position=reading.position if complete else peers.position,
            heard=len(reading.heard),
            size=sum(len(heard.data) for heard in reading.heard),
            listened=links,
            at=now,
        )
        await run.journal.write(drained)

    def _read(self, run: Run, heard: Heard) -> Announcement | None:
        """Reads an announcement; one that is refused is noted under what is known of it."""
        try:
            announcement = read_announcement(heard.data)
        except MessageError as error:
            self._refuse(run, heard, str(error))
            return None
        if announcement.ensemble != run.config.ensemble.name or announcement.node != heard.sender:
            self._refuse(run, heard, "it speaks for another ensemble or node than it came from")
            return None
        if announcement.task != run.task.name:
            self._refuse(run, heard, f"it is of the task {announcement.task[:80]!r}")
            return None
        if announcement.node == self._node:
            return None
        self._cells[announcement.node] = announcement.cells_on(map_of(run))
        return announcement

    def _refuse(self, run: Run, heard: Heard, reason: str) -> None:
        digest = text_hash(heard.data.hex())
        message = MessageId(heard.sender, f"unread-{digest[:12]}", 0)
        if not run.state.peers.knows(message):
            run.journal.note(_received(run, message, size=len(heard.data), refused=reason))

    async def _receive(self, run: Run, announcement: Announcement, body: bytes) -> None:
        """Takes a champion, or notes why not."""
        note = partial(_received, run, announcement.id, announcement, size=len(body))
        try:
            program = read_body(body, announcement)
        except MessageError as error:
            run.journal.note(note(refused=str(error)))
            return
        refused = immutable_change(run.task.initial, program, run.task) or await run.evaluator.syntax(program)
        if refused:
            run.journal.note(note(refused=refused))
        else:
            run.journal.note(note(program=program), program_refs(program))


def _received(
    run: Run,
    message: MessageId,
    announcement: Announcement | None = None,
    *,
    size: int,
    program: Program | None = None,
    refused: str | None = None,
) -> Received:
    return Received(
        ordinal=run.state.issued - 1,
        part=str(message),
        node=message.node,
        incarnation=message.incarnation,
        round=message.round,
        program=() if program is None else program.manifest,
        proposer="" if announcement is None else announcement.proposer,
        fitness=None if announcement is None else announcement.fitness,
        size=size,
        refused=refused,
    )


def _unknown(run: Run, announced: Sequence[Announcement]) -> list[Announcement]:
    """Returns what was not received before, each once."""
    first = {each.id: each for each in reversed(announced)}
    return [each for each in announced if first[each.id] is each and not run.state.peers.knows(each.id)]


def _duration(run: Run) -> Seconds:
    """Returns how long the round that ended last took on the virtual clock."""
    latency = run.config.ensemble.latency
    durations = [latency + seconds for _, seconds in sorted(run.state.last_pace.items())]
    if run.config.driver == "sequential":
        return makespan(durations)
    return makespan(durations, in_flight=run.in_flight, window=run.window)
