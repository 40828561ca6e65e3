"""What every transport must pass. Inherit `TransportContract` or `OutageContract`; override its fixture."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

import pytest

from speciate.ensembles.transport import Reading
from speciate.errors import ConfigError
from speciate.records import MessageId
from speciate.testing.meetings import Meeting
from speciate.testing.nodes import at_once, ids, joined

T = TypeVar("T")


def once(reading: Reading) -> list[MessageId]:
    """Returns what was announced in the order in which it came first."""
    return list(dict.fromkeys(ids(reading)))


def rounds_of(reading: Reading, node: str) -> list[int]:
    """Returns the rounds of one sender in the order in which they came first."""
    return [message.round for message in once(reading) if message.node == node]


def play(scene: Coroutine[None, None, T]) -> T:
    """Plays a scene to its end, within a minute."""
    return asyncio.run(asyncio.wait_for(scene, 60))


class TransportContract:
    """Tests of the promises in `ensembles.transport.base`."""

    @pytest.fixture
    def meeting(self) -> Meeting:
        """An empty log."""
        raise NotImplementedError

    def test_everything_arrives_at_every_other_node_in_its_senders_order(self, meeting: Meeting) -> None:
        async def scene() -> None:
            async with meeting.joined("a.1") as a, meeting.joined("b") as b, meeting.joined("c") as c:
                ends = {"a.1": a, "b": b, "c": c}
                for round in range(5):
                    for name, end in ends.items():
                        await meeting.publish(end, meeting.champion(name, round))
                for name, end in ends.items():
                    reading = await meeting.read(end, 10)
                    for other in ends:
                        assert rounds_of(reading, other) == ([] if other == name else list(range(5)))
                    assert {each.sender for each in reading.heard} == set(ends) - {name}

        play(scene())

    def test_what_was_published_comes_as_it_was_sent(self, meeting: Meeting) -> None:
        async def scene() -> None:
            async with meeting.joined("a.1") as a, meeting.joined("b") as b:
                sent = meeting.champion("a.1", 0)
                await meeting.publish(a, sent)
                assert {each.data for each in (await meeting.read(b, 1)).heard} == {sent.head}
                assert await b.fetch([sent.announcement.id]) == {sent.announcement.id: sent.body}

        play(scene())

    def test_a_node_never_reads_its_own(self, meeting: Meeting) -> None:
        async def scene() -> None:
            async with meeting.joined("a.1") as a, meeting.joined("b") as b:
                for round in range(3):
                    await meeting.publish(a, meeting.champion("a.1", round))
                await meeting.read(b, 3)
                assert (await meeting.read(a)).heard == ()

        play(scene())

    def test_reading_on_from_each_position_gives_everything_and_positions_never_fall(
        self, meeting: Meeting
    ) -> None:
        async def scene() -> None:
            async with meeting.joined("a.1") as a, meeting.joined("b") as b:
                positions, got = [0.0], list[MessageId]()
                for round in range(6):
                    if round % 3:
                        await meeting.publish(a, meeting.champion("a.1", round))
                    reading = await meeting.read(b, 1 if round % 3 else 0, after=positions[-1])
                    positions.append(reading.position)
                    got += once(reading)
                assert positions == sorted(positions)
                assert [message.round for message in dict.fromkeys(got)] == [1, 2, 4, 5]

        play(scene())

    def test_only_wanted_senders_are_read_and_the_position_passes_the_others(self, meeting: Meeting) -> None:
        async def scene() -> None:
            async with meeting.joined("a.1") as a, meeting.joined("b") as b, meeting.joined("c") as c:
                await meeting.publish(a, meeting.champion("a.1", 0))
                await meeting.publish(b, meeting.champion("b", 0))
                await meeting.read(c, 2)
                reading = await meeting.read(c, 1, senders=["b", "nobody"])
                assert {each.sender for each in reading.heard} == {"b"}
                assert (await meeting.read(c, senders=[])).heard == ()
                await meeting.publish(a, meeting.champion("a.1", 1))
                later = await meeting.read(c, 1, after=reading.position)
                assert rounds_of(later, "a.1")[-1] == 1

        play(scene())

    def test_of_programs_that_nobody_sent_there_is_none(self, meeting: Meeting) -> None:
        async def scene() -> None:
            async with meeting.joined("a.1") as a, meeting.joined("b") as b:
                sent = meeting.champion("a.1", 0)
                await meeting.publish(a, sent)
                await meeting.read(b, 1)
                unknown = MessageId("a.1", "first", 7)
                found = await b.fetch([unknown, sent.announcement.id])
                assert found.get(unknown, b"") == b""
                assert found[sent.announcement.id] == sent.body
                assert await b.fetch([]) == {}

        play(scene())

    def test_a_late_joiner_catches_up_with_its_first_reading(self, meeting: Meeting) -> None:
        async def scene() -> None:
            async with meeting.joined("a.1") as a:
                for round in range(50):
                    await meeting.publish(a, meeting.champion("a.1", round))
            async with meeting.joined("late") as late:
                reading = await meeting.read(late)
                assert rounds_of(reading, "a.1") == list(range(50))
                assert await late.members() == ["a.1", "late"]

        play(scene())

    def test_whoever_comes_back_publishes_what_the_log_lacks_and_nothing_twice(
        self, meeting: Meeting
    ) -> None:
        async def scene() -> None:
            first, second = meeting.champion("a.1", 0), meeting.champion("a.1", 1)
            async with meeting.joined("a.1", first):
                pass
            before = await meeting.log()
            async with meeting.joined("a.1", first, second) as a:
                await meeting.publish(a, second)
            after = await meeting.log()
            assert list(dict.fromkeys(after)) == [first.announcement.id, second.announcement.id]
            assert len(after) == 2 * len(before)

        play(scene())

    def test_two_nodes_of_one_name_are_refused_and_the_owner_comes_back(self, meeting: Meeting) -> None:
        async def scene() -> None:
            async with meeting.joined("a.1"):
                other = meeting.end()
                with pytest.raises(ConfigError, match=r"node a\.1 in some\.ensemble already"):
                    await other.join(joined("a.1", "second"), own=[])
                await other.leave(patience=0.0)
            async with meeting.joined("a.1"):
                pass

        play(scene())

    def test_whoever_was_heard_is_known_by_name(self, meeting: Meeting) -> None:
        async def scene() -> None:
            async with meeting.joined("b") as b, meeting.joined("a.1") as a:
                await meeting.publish(b, meeting.champion("b", 0))
                await meeting.read(a, 1)
                assert await a.members() == ["a.1", "b"]

        play(scene())

    def test_a_log_that_was_lost_costs_nobody_a_champion(self, meeting: Meeting) -> None:
        """Whoever had read some of it, and whoever is new, has everything in the end."""

        async def scene() -> None:
            own = {name: [meeting.champion(name, 0)] for name in ("a.1", "b", "c")}
            async with (
                meeting.joined("a.1", *own["a.1"]) as a,
                meeting.joined("b", *own["b"]),
                meeting.joined("c", *own["c"]) as c,
            ):
                before = await meeting.read(c, 2)
                own["a.1"].append(meeting.champion("a.1", 1))
                await meeting.publish(a, own["a.1"][1])
            meeting.lose()
            async with (
                meeting.joined("a.1", *own["a.1"]),
                meeting.joined("b", *own["b"]),
                meeting.joined("c", *own["c"]) as c,
                meeting.joined("new") as new,
            ):
                again = await meeting.read(c, 1, after=before.position)
                while len(set(ids(before)) | set(ids(again))) < 3:  # over a network they come one by one
                    again = await meeting.read(c, 1, after=before.position)
                assert rounds_of(await meeting.read(new, 4), "a.1") == [0, 1]
                assert rounds_of(again, "a.1")[-1] == 1

        play(scene())


class OutageContract(TransportContract):
    """The same, and more, of transports that can be cut off: what cannot be sent now is sent later."""

    def cut(self, meeting: Meeting) -> None:
        """Cuts everybody off from the log."""
        raise NotImplementedError

    def mend(self, meeting: Meeting) -> None:
        """Lets everybody reach it again."""
        raise NotImplementedError

    def test_what_could_not_be_sent_is_counted_and_sent_by_whoever_comes_back(self, meeting: Meeting) -> None:
        async def scene() -> None:
            own = [meeting.champion("a.1", round) for round in range(3)]
            async with at_once(meeting.end(), "a.1", own[0]) as a:
                await meeting.log()
                self.cut(meeting)
                for sent in own[1:]:
                    await meeting.publish(a, sent)
                assert await a.leave(patience=0.1) in (2, 3)  # whether the first one went is a race
            self.mend(meeting)
            async with meeting.joined("a.1", *own):
                pass
            assert [message.round for message in await meeting.log()] == [0, 1, 2]

        play(scene())

    def test_whoever_stays_hears_after_the_outage_what_was_published_in_it(self, meeting: Meeting) -> None:
        async def scene() -> None:
            async with meeting.joined("a.1") as a, meeting.joined("b") as b:
                await meeting.publish(a, meeting.champion("a.1", 0))
                position = (await meeting.read(b, 1)).position
                self.cut(meeting)
                await meeting.publish(a, meeting.champion("a.1", 1))
                assert rounds_of(await meeting.read(b, after=position), "a.1") == []
                self.mend(meeting)
                later = await meeting.read(b, 1, after=position)
                assert rounds_of(later, "a.1")[-1] == 1

        play(scene())
