"""Messages to a process of our own, over a socket: a head and parts, each a frame of its own.

    message = uint32 number of parts | head | parts        each of them: uint64 length | frame

What is large or deep stands in a part of its own, so that bounds on one frame are bounds on one case.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from dataclasses import dataclass
from typing import Any, Final

from speciate.evaluators import frame
from speciate.evaluators.jobs import FrameValue

COUNT: Final = struct.Struct(">I")
LENGTH: Final = struct.Struct(">Q")
MOST_BYTES: Final = 1 << 30
"""Refuses a length that can only be garbage. What a candidate may send is bounded in the sandbox."""


@dataclass(frozen=True, slots=True)
class Message:
    """One request or reply.

    Attributes:
        head: what it is about. `Any`: whatever a frame may hold.
        parts: what belongs to it, one value a case, result or program.
    """

    head: dict[str, Any]
    parts: tuple[FrameValue, ...] = ()


def packed(message: Message) -> bytes:
    """Returns a message as bytes; raises FrameError when it holds what no frame can carry."""
    bodies = [frame.encode(value) for value in (message.head, *message.parts)]
    return COUNT.pack(len(message.parts)) + b"".join(LENGTH.pack(len(body)) + body for body in bodies)


def receive(channel: socket.socket) -> Message | None:
    """Returns the next message; blocks. None when the other end has closed.

    Raises:
        FrameError: what came is not a message.
    """
    try:
        (count,) = COUNT.unpack(_exactly(channel, COUNT.size))
        values = [
            frame.decode(_exactly(channel, _length(_exactly(channel, LENGTH.size)))) for _ in range(count + 1)
        ]
    except EOFError:
        return None
    return _message(values)


async def receive_async(reader: asyncio.StreamReader) -> Message:
    """Returns the next message.

    Raises:
        FrameError: what came is not a message.
        IncompleteReadError: the other end closed.
    """
    (count,) = COUNT.unpack(await reader.readexactly(COUNT.size))
    values = []
    for _ in range(count + 1):
        length = _length(await reader.readexactly(LENGTH.size))
        values.append(frame.decode(await reader.readexactly(length)))
    return _message(values)


def _message(values: list[FrameValue]) -> Message:
    if not isinstance(values[0], dict):
        raise frame.FrameError("the head of a message is not a dict")
    return Message(values[0], tuple(values[1:]))


def _length(head: bytes) -> int:
    (length,) = LENGTH.unpack(head)
    if length > MOST_BYTES:
        raise frame.FrameError(f"a frame of {length:,} bytes; at most {MOST_BYTES:,}")
    return int(length)


def _exactly(channel: socket.socket, count: int) -> bytes:
    parts = bytearray()
    while len(parts) < count:
        part = channel.recv(min(count - len(parts), 1 << 20))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)
