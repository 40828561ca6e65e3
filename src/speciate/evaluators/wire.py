"""Messages between the engine and a slot of its sandbox, over one socket.

    message = uint64 length of what follows | uint32 length of the header | header (JSON) | blobs

Both ends are ours; what a candidate wrote travels as an opaque blob and is looked at only by the engine.
Standard library only: this module is read inside the sandbox too.
"""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LENGTH = struct.Struct("<Q")
_HEADER = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class Message:
    """A JSON header with opaque blobs behind it."""

    header: dict[str, Any]  # Any: JSON
    blobs: tuple[bytes, ...] = ()


def pack(header: Mapping[str, Any], blobs: Sequence[bytes] = ()) -> bytes:
    """Returns a message as it goes over the socket, its length included."""
    text = json.dumps({**header, "blobs": [len(blob) for blob in blobs]}).encode()
    body = b"".join([_HEADER.pack(len(text)), text, *blobs])
    return LENGTH.pack(len(body)) + body


def unpack(body: bytes) -> Message:
    """Returns the message whose length prefix has been read already."""
    (size,) = _HEADER.unpack_from(body)
    start = _HEADER.size + size
    header = json.loads(body[_HEADER.size : start])
    blobs = []
    for length in header.pop("blobs"):
        blobs.append(body[start : start + length])
        start += length
    return Message(header, tuple(blobs))


def receive(channel: socket.socket) -> Message | None:
    """Waits for the next message; None when the other end is gone."""
    prefix = _exactly(channel, LENGTH.size)
    if prefix is None:
        return None
    body = _exactly(channel, LENGTH.unpack(prefix)[0])
    return None if body is None else unpack(body)


def _exactly(channel: socket.socket, size: int) -> bytes | None:
    """Reads that many bytes; None when the other end is gone."""
    buffer = bytearray(size)
    view = memoryview(buffer)
    while view:
        count = channel.recv_into(view)
        if count == 0:
            return None
        view = view[count:]
    return bytes(buffer)
