"""Whole nodes over a real broker: killed, offline, and beside nodes that send rubbish."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from speciate.engine import Observer, RunConfig
from speciate.ensembles import (
    Nats,
    NodeEvolution,
    evolve_node,
    is_node,
    read_address,
    read_node,
    resume_node,
)
from speciate.ensembles.transport.subjects import announcement, champion
from speciate.errors import ConfigError
from speciate.records import MessageId, Program, Published, Received
from speciate.store import DATABASE
from speciate.testing.crashes import Moment, dies
from speciate.testing.histories import events_of
from speciate.testing.knobs import axes, company, knobs_program, knobs_task
from speciate.testing.nats_server import Brokers, NatsServer
from speciate.testing.nodes import ENSEMBLE, at_once, heard, ids, parcel
from speciate.testing.runs import SmallRuns

TASK = company(knobs_task(descriptors=axes(), opponents=(knobs_program(1.0, 0.0),)))
ROUNDS = 4


@pytest.fixture
def config(tmp_path: Path) -> RunConfig:
    rules = {"name": ENSEMBLE, "rounds": ROUNDS, "iterations": 5, "initial": 0, "clock": "wall"}
    return SmallRuns(tmp_path).settings(
        "genetic",
        "sequential",
        {"population": {"archive": {"kind": "grid"}}, "budget": {"candidates": 500}, "ensemble": rules},  # type: ignore[dict-item]
    )


def live(
    broker: NatsServer, folder: Path, config: RunConfig, *observers: Observer, patience: float = 10.0
) -> NodeEvolution:
    """Begins the node that is called as its folder, or goes on with it."""
    transport = Nats(read_address(broker.url, {}))
    if (folder / DATABASE).exists():
        return resume_node(folder, transport=transport, task=TASK, observers=observers, patience=patience)
    return evolve_node(
        TASK,
        config,
        name=folder.name,
        transport=transport,
        place=broker.url,
        folder=folder,
        observers=observers,
        patience=patience,
    )


def received(folder: Path) -> list[Received]:
    return [event for event in events_of(folder) if isinstance(event, Received)]


def published_by(broker: NatsServer, folder: Path) -> list[MessageId]:
    """Returns what the log holds of a node, in order."""

    async def look() -> list[MessageId]:
        async with at_once(Nats(read_address(broker.url, {})), "onlooker") as onlooker:
            return [each for each in ids(await heard(onlooker, ROUNDS)) if each.node == folder.name]

    return asyncio.run(look())


MOMENTS = {
    "within a round": Moment("placed", 9, "written"),
    "a champion published, not stored": Moment("published", 2),
    "a champion published": Moment("published", 2, "written"),
    "drained, not stored": Moment("drained", 2),
    "drained": Moment("drained", 2, "written"),
}


@pytest.mark.parametrize("moment", MOMENTS.values(), ids=MOMENTS.keys())
def test_a_killed_node_goes_on_and_no_champion_is_lost_or_applied_twice(
    broker: NatsServer, tmp_path: Path, config: RunConfig, moment: Moment
) -> None:
    other, folder = tmp_path / "other", tmp_path / "node"
    assert live(broker, other, config).unsent == 0
    assert dies(lambda reaper: live(broker, folder, config, reaper), moment)
    ended = live(broker, folder, config)
    assert (ended.evolution.stop_reason, ended.unsent) == ("rounds", 0)
    assert [message.round for message in published_by(broker, folder)] == list(range(ROUNDS))
    came = [event.id for event in received(folder)]
    assert [message.round for message in came] == list(range(ROUNDS))
    assert len(set(came)) == len(came)


def test_a_node_without_a_broker_plays_all_rounds_and_sends_them_when_it_goes_on(
    brokers: Brokers, tmp_path: Path, config: RunConfig
) -> None:
    broker, folder = brokers.new(), tmp_path / "node"
    alone = live(broker, folder, config, patience=0.0)
    assert (alone.evolution.stop_reason, alone.unsent) == ("rounds", ROUNDS)
    assert len([event for event in events_of(folder) if isinstance(event, Published)]) == ROUNDS
    broker.start()
    assert live(broker, folder, config).unsent == 0
    assert [message.round for message in published_by(broker, folder)] == list(range(ROUNDS))


def test_rubbish_is_noted_and_skipped_and_what_is_good_among_it_taken_once(
    broker: NatsServer, tmp_path: Path, config: RunConfig
) -> None:
    """Clocks that are wrong, duplicates, another order, programs that are not what was said."""

    async def send() -> None:
        import nats

        client = await nats.connect(broker.url)
        stream, late, early = client.jetstream(), parcel("peer", 1, at=-1e12), parcel("peer", 0, at=1e15)
        for each in (late, early):
            await stream.publish(champion(ENSEMBLE, each.announcement.id), each.body)
            await stream.publish(announcement(ENSEMBLE, each.announcement.id), each.head)
        copy = MessageId("peer", "copy", 0)
        await stream.publish(announcement(ENSEMBLE, copy), early.head)
        await stream.publish(announcement(ENSEMBLE, MessageId("rogue", "x", 0)), b"{")
        liar = parcel("liar", 0)
        await stream.publish(announcement(ENSEMBLE, liar.announcement.id), liar.head)
        await stream.publish(champion(ENSEMBLE, liar.announcement.id), parcel("liar", 7).body)
        absent = parcel("absent", 0)
        await stream.publish(announcement(ENSEMBLE, absent.announcement.id), absent.head)
        broken = parcel("broken", 0, program=Program.of({"initial.py": "x = ("}))
        await stream.publish(champion(ENSEMBLE, broken.announcement.id), broken.body)
        await stream.publish(announcement(ENSEMBLE, broken.announcement.id), broken.head)
        await client.close()

    async def prepare() -> None:
        async with at_once(Nats(read_address(broker.url, {})), "peer"):
            await send()

    asyncio.run(prepare())
    folder = tmp_path / "node"
    assert live(broker, folder, config).evolution.stop_reason == "rounds"
    came = received(folder)
    assert [(event.node, event.round) for event in came if event.refused is None] == [
        ("peer", 1),
        ("peer", 0),
    ]
    assert {event.node for event in came if event.refused} == {"rogue", "liar", "absent", "broken"}
    assert len(came) == 6  # each once, though the node looked after every round


def test_the_folder_remembers_the_node_and_no_secret(
    broker: NatsServer, tmp_path: Path, config: RunConfig
) -> None:
    folder = tmp_path / "node"
    assert not is_node(folder)
    live(broker, folder, config)
    record = read_node(folder)
    assert (record.transport, record.ensemble, record.node) == (broker.url, ENSEMBLE, "node")


@pytest.mark.parametrize(
    ("changed", "message"),
    [({"clock": "virtual"}, "ensemble.clock = wall"), ({"rounds": 0}, "ensemble.rounds")],
)
def test_settings_with_which_nobody_can_meet_are_refused_before_there_is_a_folder(
    brokers: Brokers, tmp_path: Path, config: RunConfig, changed: dict[str, object], message: str
) -> None:
    wrong = config.model_copy(update={"ensemble": config.ensemble.model_copy(update=changed)})
    with pytest.raises(ConfigError, match=message):
        live(brokers.new(), tmp_path / "node", wrong)
    assert not (tmp_path / "node").exists()
