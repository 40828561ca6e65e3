"""The log of one process: rebuilt by those who come back, and never read before its time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.ensembles.messages import Parcel
from speciate.ensembles.transport import Halted, Hub, Transport
from speciate.records import MessageId
from speciate.testing.nodes import at_once, ids, joined, parcel
from speciate.testing.transports import play

NAMES = ("a", "b", "c")


async def ends(hub: Hub, order: Sequence[str], own: dict[str, list[Parcel]]) -> dict[str, Transport]:
    """Has nodes join in an order."""
    found = {name: hub.port(name) for name in order}
    for name, end in found.items():
        await end.join(joined(name), own=own[name])
    return found


@given(
    st.lists(st.sampled_from(NAMES), max_size=12),
    st.lists(st.booleans(), min_size=12, max_size=12),
    st.permutations(NAMES),
    st.floats(-1e12, 1e12),
)
def test_on_the_wall_clock_a_log_that_is_rebuilt_loses_nothing_of_anybody(
    sent: list[str], drains: list[bool], order: list[str], clock: float
) -> None:
    """All are killed; `c` had read up to some place; they come back in any order, whatever clocks say."""

    async def scene() -> None:
        own: dict[str, list[Parcel]] = {name: [] for name in NAMES}
        first = await ends(Hub(wall=True), NAMES, own)
        position, got = 0.0, list[MessageId]()
        for name, drain in zip(sent, drains, strict=False):
            own[name].append(parcel(name, len(own[name]), at=clock * len(own[name])))
            await first[name].publish(own[name][-1], at=None)
            if drain:
                reading = await first["c"].read(position, until=None, senders=None)
                position = reading.position
                got += ids(reading)
        again = await ends(Hub(wall=True), order, own)
        got += ids(await again["c"].read(position, until=None, senders=None))
        assert set(got) == {each.announcement.id for name in "ab" for each in own[name]}

    play(scene())


def test_on_the_virtual_clock_a_reader_waits_for_all_who_can_still_publish() -> None:
    async def scene() -> None:
        hub = Hub(["a", "b"])
        async with at_once(hub.port("a"), "a") as a, at_once(hub.port("b"), "b") as b:
            reading = asyncio.create_task(a.read(0.0, until=5.0, senders=None))
            await asyncio.sleep(0)
            await b.publish(parcel("b", 0), at=5.0)
            await asyncio.sleep(0)
            assert not reading.done()
            ahead = asyncio.create_task(b.read(0.0, until=100.0, senders=None))
            assert ids(await reading) == [MessageId("b", "first", 0)]
            await a.leave(patience=0.0)
            await ahead

    play(scene())


def test_whoever_never_joins_is_waited_for_until_it_leaves() -> None:
    async def scene() -> None:
        hub = Hub(["a", "b"])
        async with at_once(hub.port("a"), "a") as a:
            reading = asyncio.create_task(a.read(0.0, until=5.0, senders=None))
            await asyncio.sleep(0)
            assert not reading.done()
            await hub.port("b").leave(patience=0.0)
            assert (await reading).heard == ()

    play(scene())


def test_readers_that_wait_stop_when_all_are_asked_to() -> None:
    async def scene() -> None:
        hub = Hub(["a", "b"])
        async with at_once(hub.port("a"), "a") as a:
            reading = asyncio.create_task(a.read(0.0, until=5.0, senders=None))
            await asyncio.sleep(0)
            hub.halt()
            with pytest.raises(Halted):
                await reading

    play(scene())
