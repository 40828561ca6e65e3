from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.ensembles.transport import Heard, Reading
from speciate.ensembles.transport.mail import Inbox, Outbox
from speciate.records import MessageId
from speciate.testing.nodes import parcel


def heard(number: int) -> Heard:
    return Heard(f"{number}".encode(), "peer")


def numbers(inbox: Inbox, after: float) -> list[int]:
    return [int(each.data) for each in inbox.read(after, None).heard]


def filled(*sequences: int, born: str = "first") -> Inbox:
    inbox = Inbox()
    inbox.begin(born, max(sequences, default=0))
    for sequence in sequences:
        inbox.put(sequence, heard(sequence))
    return inbox


@given(st.lists(st.integers(1, 50)), st.lists(st.integers(1, 5)))
def test_whoever_reads_on_from_each_position_gets_everything_once(gaps: list[int], pauses: list[int]) -> None:
    inbox, position, got, sequence = filled(), 0.0, list[int](), 0
    pause = iter(pauses)
    left = next(pause, 1)
    for gap in gaps:
        sequence += gap
        inbox.put(sequence, heard(sequence))
        inbox.put(sequence, heard(sequence))  # twice, as from a connection made anew
        left -= 1
        if left == 0:
            reading = inbox.read(position, None)
            got += [int(each.data) for each in reading.heard]
            position, left = reading.position, next(pause, 1)
    got += numbers(inbox, position)
    assert got == sorted(set(got))
    assert len(got) == len(gaps)


def test_before_the_log_is_found_nothing_moves() -> None:
    assert Inbox().read(17.0, None).position == 17.0


def test_a_position_beyond_what_is_here_is_kept_until_the_log_reaches_it() -> None:
    position = filled(17).read(0.0, None).position
    inbox = filled(5)
    inbox.begin("first", 20)
    assert inbox.read(position, None) == Reading((), position)


@given(st.integers(1, 9), st.integers(1, 9))
def test_a_log_that_began_anew_is_given_whole_however_long_it_is(before: int, after: int) -> None:
    old, everything = filled(*range(1, before + 1)), list(range(1, after + 1))
    position = old.read(0.0, None).position
    new = filled(*everything, born="second")  # of a node that was away meanwhile
    assert numbers(new, position) == everything
    assert old.begin("second", after) == 0
    for sequence in everything:
        old.put(sequence, heard(sequence))
    assert numbers(old, position) == everything
    assert numbers(old, old.read(position, None).position) == []


def test_a_log_that_lost_its_end_is_given_whole() -> None:
    position = filled(*range(1, 501)).read(0.0, None).position
    assert numbers(filled(1, 2), position) == [1, 2]


def test_a_full_tray_waits_until_somebody_reads() -> None:
    async def scene() -> None:
        inbox = Inbox(room=10)
        inbox.begin("first", 1)
        for sequence in range(1, 8):
            inbox.put(sequence, Heard(b"four", "peer"))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(inbox.room(), 0.01)
        position = inbox.read(0.0, None).position
        inbox.read(position, None)
        await asyncio.wait_for(inbox.room(), 5)

    asyncio.run(scene())


def test_what_the_log_has_is_not_sent_and_the_rest_keeps_its_order() -> None:
    async def scene() -> None:
        outbox = Outbox([parcel("a", 0), parcel("a", 1)])
        outbox.put(parcel("a", 2))
        outbox.put(parcel("a", 2))
        outbox.begin({MessageId("a", "first", 1)})
        assert len(outbox) == 2
        for round in (0, 2):
            waiting = await outbox.next()
            assert waiting.announcement.round == round
            outbox.sent(waiting.announcement.id)
        await outbox.empty()
        outbox.begin(())  # the broker lost its store
        assert len(outbox) == 3

    asyncio.run(scene())
