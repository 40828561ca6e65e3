import json
import math
import struct
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from speciate.evaluators.frame import DTYPES, MAX_DEPTH, FrameError, decode, encode

ARRAYS = st.sampled_from(sorted(DTYPES)).flatmap(
    lambda dtype: hnp.arrays(np.dtype(dtype), hnp.array_shapes(min_dims=0, min_side=0))
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | ARRAYS
VALUES = st.recursive(
    LEAVES, lambda v: st.lists(v, max_size=4) | st.dictionaries(st.text(), v, max_size=4), max_leaves=12
)


def same(left: Any, right: Any) -> bool:
    if isinstance(left, np.ndarray):
        return bool((left.dtype, left.shape, left.tobytes()) == (right.dtype, right.shape, right.tobytes()))
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, float) and math.isnan(left):
        return isinstance(right, float) and math.isnan(right)
    return type(left) is type(right) and bool(left == right)


def frame(header: str, *buffers: bytes) -> bytes:
    return struct.pack("<I", len(header.encode())) + header.encode() + b"".join(buffers)


@given(VALUES)
def test_every_value_comes_back_as_it_was(value: Any) -> None:
    assert same(value, decode(encode(value)))


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_a_value_or_a_frame_error(data: bytes) -> None:
    with suppress(FrameError):
        decode(data)


@settings(max_examples=300)
@given(VALUES, st.data())
def test_a_damaged_frame_is_a_value_or_a_frame_error(value: Any, data: st.DataObject) -> None:
    damaged = bytearray(encode(value))
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    with suppress(FrameError):
        decode(bytes(damaged[: data.draw(st.integers(0, len(damaged)))]))


@given(st.recursive(st.integers(), lambda v: st.lists(v, max_size=3), max_leaves=30).map(json.dumps))
def test_a_header_of_any_json_is_a_value_or_a_frame_error(text: str) -> None:
    with suppress(FrameError):
        decode(frame(text))


@pytest.mark.parametrize(
    ("header", "buffers"),
    [
        ('[null,[[[],"<f8",[2]]]]', [b"\0" * 8]),
        ('[null,[[[],"<f8",[1]]]]', [b"\0" * 16]),
        ('[null,[[[],"<f8",[-1]]]]', []),
        ('[null,[[[],"<f8",[true]]]]', [b"\0" * 8]),
        ('[null,[[[],"<f8",[4611686018427387904,4]]]]', [b"\0" * 8]),
        ('[null,[[[],"<f8",[0,4611686018427387904,4611686018427387904]]]]', []),
        ('[null,[[[],"|O",[1]]]]', [b"\0" * 8]),
        ('[null,[[[],"<f8",[1]],[[],"<f8",[1]]]]', [b"\0" * 16]),
        ('[[null],[[[1],"<f8",[1]]]]', [b"\0" * 8]),
        ('[[null],[[["append"],"<f8",[1]]]]', [b"\0" * 8]),
        ('["text",[[[0],"<f8",[1]]]]', [b"\0" * 8]),
        ('[null,[[[],"|b1",[1]]]]', [b"\2"]),
        ('[{"a":1,"a":2},[]]', []),
        ("[1,[]]garbage", []),
        (f"[{'9' * 5000},[]]", []),
        ("[null]", []),
        ("\udcff".encode("utf-8", "surrogatepass").decode("latin-1"), []),
    ],
)
def test_forged_headers_are_refused(header: str, buffers: list[bytes]) -> None:
    with pytest.raises(FrameError):
        decode(frame(header, *buffers))


@pytest.mark.parametrize("depth", [MAX_DEPTH + 4, 1_000_000])
def test_deep_nesting_is_refused_before_it_is_parsed(depth: int) -> None:
    with pytest.raises(FrameError, match="deeper"):
        decode(frame("[" + "[" * depth + "]" * depth + ",[]]"))


def test_a_value_nested_too_deep_is_refused() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(FrameError, match="deeper"):
        encode(value)


@pytest.mark.parametrize(
    "value", [object(), {1, 2}, b"bytes", {1: 2}, 1j, np.array([object()]), np.array(1j)]
)
def test_what_may_not_cross_is_named(value: object) -> None:
    with pytest.raises(FrameError):
        encode({"here": [value]})


def test_more_bytes_than_allowed_are_refused_on_both_sides() -> None:
    data = encode(np.zeros(100))
    with pytest.raises(FrameError, match="allowed") as error:
        encode(np.zeros(100), limit=len(data) - 1)
    assert error.value.too_large
    with pytest.raises(FrameError, match="allowed"):
        decode(data, limit=len(data) - 1)


def test_numpy_scalars_become_plain_and_foreign_byte_order_is_turned() -> None:
    assert decode(encode([np.int64(3), np.float32(0.5), np.bool_(True)])) == [3, 0.5, True]
    assert decode(encode(np.arange(3, dtype=">i4"))).tolist() == [0, 1, 2]


def test_arrays_that_are_views_cross_in_their_own_order() -> None:
    array = np.arange(12).reshape(3, 4).T[::-1]
    assert np.array_equal(decode(encode(array)), array)
