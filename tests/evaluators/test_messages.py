from __future__ import annotations

import asyncio
import socket

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.evaluators.frame import FrameError
from speciate.evaluators.messages import Message, packed, receive, receive_async

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
written = st.builds(
    Message, st.dictionaries(st.text(max_size=5), values, max_size=3), st.lists(values, max_size=3).map(tuple)
)


def through_a_socket(data: bytes) -> Message | None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(data)
        ours.shutdown(socket.SHUT_WR)
        return receive(theirs)


async def through_a_stream(data: bytes) -> Message:
    reader = asyncio.StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    return await receive_async(reader)


@given(written)
def test_a_message_arrives_as_it_was_sent(message: Message) -> None:
    assert through_a_socket(packed(message)) == message
    assert asyncio.run(through_a_stream(packed(message))) == message


def test_an_array_arrives_in_its_part() -> None:
    received = through_a_socket(packed(Message({"do": "score"}, (np.arange(3.0), 1))))
    assert received is not None
    assert received.parts[0].tolist() == [0.0, 1.0, 2.0]


@given(written, st.integers(0, 30))
def test_a_message_that_is_cut_off_is_no_message(message: Message, missing: int) -> None:
    data = packed(message)
    assert through_a_socket(data[: len(data) - 1 - missing % len(data)]) is None


@given(st.binary(max_size=60))
def test_garbage_is_refused_without_allocating_what_it_claims(data: bytes) -> None:
    try:
        received = through_a_socket(data)
    except FrameError:
        return
    assert received is None or isinstance(received.head, dict)


def test_a_length_that_can_only_be_garbage_is_refused() -> None:
    with pytest.raises(FrameError, match="at most"):
        through_a_socket(b"\x00\x00\x00\x00" + b"\xff" * 8)
