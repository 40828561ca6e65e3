"""Values as bytes: a JSON header and raw little-endian buffers, checked before anything is allocated.

    frame  = uint32 length of the header | header | buffers, one after another
    header = [tree, [[path, dtype, shape], ...]]     JSON, UTF-8; an array leaves null at its path in the tree

Whoever reads a frame trusts nothing in it: sizes, depth, shapes and dtypes are checked first, and every
malformed frame is a `FrameError`. Nothing is ever unpickled. NaN and infinities are allowed (as the JSON
literals NaN, Infinity, -Infinity); whether they make sense is for the task to say. Integers may have as many
digits as Python turns into text (4,300). Text may hold lone surrogates.

This module is also read inside the sandbox, where nothing else of speciate is: standard library only, and
numpy only once an array is there.
"""

from __future__ import annotations

import json
import math
import re
import struct
import sys
from typing import Any, TypeAlias

FrameValue: TypeAlias = Any
"""None, bool, int, float, str, numpy array, or a list or string-keyed dict of these."""

DTYPES = {
    "|b1": 1,
    "|i1": 1,
    "|u1": 1,
    "<i2": 2,
    "<u2": 2,
    "<i4": 4,
    "<u4": 4,
    "<i8": 8,
    "<u8": 8,
    "<f4": 4,
    "<f8": 8,
}
"""Element types that may cross, with their sizes in bytes."""

MAX_DEPTH = 64
MAX_DIMENSIONS = 32
MAX_HEADER = 4 << 20
"""Bytes of JSON in one frame; a parsed header takes up to twenty times as much, so large data are arrays."""

_LENGTH = struct.Struct("<I")
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')
_BRACKETS = bytes(ord(b"[") if c in b"[{" else ord(b"]") if c in b"]}" else c for c in range(256))
_OTHERS = bytes(c for c in range(256) if c not in b"[]{}")

Path: TypeAlias = tuple[str | int, ...]


class FrameError(ValueError):
    """A value cannot be framed, or bytes are not a frame.

    Attributes:
        too_large: whether a bound on size was passed rather than a rule on form.
    """

    def __init__(self, message: str, *, too_large: bool = False) -> None:
        super().__init__(message)
        self.too_large = too_large


def encode(value: FrameValue, *, limit: int = 1 << 30) -> bytes:
    """Returns the frame of a value; tuples become lists, numpy scalars plain numbers.

    Args:
        value: what to frame.
        limit: bytes the frame may have.

    Raises:
        FrameError: the value holds something that may not cross, is nested too deep or too large.
    """
    arrays: list[tuple[Path, Any]] = []
    tree = _plain(value, (), arrays)
    index = [[list(path), array.dtype.str, list(array.shape)] for path, array in arrays]
    try:
        header = json.dumps([tree, index], separators=(",", ":")).encode()
    except ValueError as error:  # an integer with more digits than Python turns into text
        raise FrameError(str(error)) from None
    _check_size(len(header), MAX_HEADER, "JSON")
    size = _LENGTH.size + len(header) + sum(array.nbytes for _, array in arrays)
    _check_size(size, limit, "data")
    return b"".join([_LENGTH.pack(len(header)), header, *(array.tobytes() for _, array in arrays)])


def decode(data: bytes, *, limit: int = 1 << 30) -> FrameValue:
    """Returns the value of a frame; arrays are writable copies.

    Raises:
        FrameError: the bytes are not a frame, or break a bound.
    """
    _check_size(len(data), limit, "data")
    if len(data) < _LENGTH.size:
        raise FrameError("shorter than a header")
    end = _LENGTH.size + _LENGTH.unpack_from(data)[0]
    _check_size(end - _LENGTH.size, MAX_HEADER, "JSON")
    if end > len(data):
        raise FrameError("header is cut off")
    tree, index = _parse(data[_LENGTH.size : end])
    root = [tree]
    for entry in index:
        end = _place(root, entry, data, end)
    if end != len(data):
        raise FrameError(f"{len(data) - end} bytes that belong to nothing")
    return root[0]


def _check_size(size: int, limit: int, what: str) -> None:
    """Raises FrameError when there is more than the limit of something."""
    if size > limit:
        raise FrameError(f"{size:,} bytes of {what}, allowed are {limit:,}", too_large=True)


def _plain(value: FrameValue, path: Path, arrays: list[tuple[Path, Any]]) -> FrameValue:
    """Returns the value as JSON can say it, and moves arrays out of it."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if len(path) >= MAX_DEPTH:
        raise FrameError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, list | tuple):
        return [_plain(item, (*path, i), arrays) for i, item in enumerate(value)]
    if isinstance(value, dict):
        return {_key(key, path): _plain(item, (*path, key), arrays) for key, item in value.items()}
    return _numpy(value, path, arrays)


def _key(key: object, path: Path) -> str:
    """Returns a dictionary key that may cross; raises FrameError for any that is not text."""
    if not isinstance(key, str):
        raise FrameError(f"a dict key must be text, got {type(key).__name__}{_where(path)}")
    return key


def _numpy(value: Any, path: Path, arrays: list[tuple[Path, Any]]) -> FrameValue:
    """Returns what numpy values become; raises FrameError for everything that is none of them."""
    numpy = sys.modules.get("numpy")  # whoever made a numpy value has imported it
    if numpy is None or not isinstance(value, numpy.ndarray | numpy.generic):
        raise FrameError(
            f"{type(value).__name__}{_where(path)} cannot cross; answer with numbers, text or arrays"
        )
    array = numpy.asarray(value)
    array = numpy.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")
    if array.dtype.str not in DTYPES:
        raise FrameError(f"an array of {array.dtype.name}{_where(path)} cannot cross")
    if isinstance(value, numpy.generic):
        return array.item()
    arrays.append((path, array))
    return None


def _where(path: Path) -> str:
    """Returns ``at .name[3]``, or nothing for the root."""
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step[:40]}" for step in path)
    return f" at {steps[:200]}" if steps else ""


def _parse(header: bytes) -> tuple[FrameValue, list[Any]]:
    """Returns tree and index of a header; raises FrameError for all that is not one."""
    _check_depth(header)
    try:
        parsed = json.loads(header.decode(), object_pairs_hook=_unique)
    except FrameError:
        raise
    except (ValueError, RecursionError) as error:
        raise FrameError(f"header is not JSON: {error}"[:200]) from None
    if not (isinstance(parsed, list) and len(parsed) == 2 and isinstance(parsed[1], list)):
        raise FrameError("header is not [tree, index]")
    return parsed[0], parsed[1]


def _check_depth(header: bytes) -> None:
    """Raises FrameError when brackets nest too deep, before the parser recurses into them."""
    brackets = _STRING.sub(b"", header).translate(_BRACKETS, _OTHERS)
    for _ in range(MAX_DEPTH + 3):  # tree in header, path in entry in index
        brackets = brackets.replace(b"[]", b"")
        if not brackets:
            return
    raise FrameError(f"nested deeper than {MAX_DEPTH} levels, or brackets do not match")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns a JSON object as a dict; raises FrameError when a key comes twice."""
    result = dict(pairs)
    if len(result) != len(pairs):
        raise FrameError("an object has a key twice")
    return result


def _place(root: list[Any], entry: object, data: bytes, start: int) -> int:
    """Puts one array into the tree and returns where its buffer ends."""
    path, dtype, shape = _entry(entry)
    holder: Any = root
    step: Any = 0
    try:
        for following in path:
            holder, step = holder[step], following
        vacant = holder[step] is None
    except (KeyError, IndexError, TypeError):
        vacant = False
    if not vacant or not isinstance(holder, list | dict):
        raise FrameError("an array has no place in the tree")
    end = start + math.prod(shape) * DTYPES[dtype]
    if end > len(data):
        raise FrameError(f"an array of shape {shape} is longer than its buffer"[:200])
    holder[step] = _array(data[start:end], dtype, shape)
    return end


def _entry(entry: object) -> tuple[list[str | int], str, list[int]]:
    """Returns path, dtype and shape of an index entry after checking their types."""
    if not (isinstance(entry, list) and len(entry) == 3):
        raise FrameError("an index entry is not [path, dtype, shape]")
    path, dtype, shape = entry
    if not (isinstance(dtype, str) and dtype in DTYPES):
        raise FrameError("an array has a dtype that may not cross")
    if not (isinstance(path, list) and len(path) <= MAX_DEPTH and all(type(s) in (str, int) for s in path)):
        raise FrameError("an array has a malformed path")
    if not (
        isinstance(shape, list)
        and len(shape) <= MAX_DIMENSIONS
        and all(type(n) is int and n >= 0 for n in shape)
    ):
        raise FrameError("an array has a malformed shape")
    return path, dtype, shape


def _array(buffer: bytes, dtype: str, shape: list[int]) -> Any:
    """Returns the buffer as an array; its length has been checked."""
    import numpy

    if dtype == "|b1" and buffer.translate(None, b"\x00\x01"):
        raise FrameError("a boolean array holds bytes other than 0 and 1")
    try:
        return numpy.frombuffer(buffer, dtype=dtype).reshape(shape).copy()
    except (ValueError, OverflowError) as error:  # an empty array with a side that numpy cannot hold
        raise FrameError(f"shape {shape}: {error}"[:200]) from None
