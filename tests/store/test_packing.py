from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.store.packing import RAW, Dictionaries, Dictionary, Press

PROGRAM = "\n".join(f"    x[{i}] = {i * 37 % 101} / 7" for i in range(60)).encode()


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_what_was_packed_comes_back(data: bytes, raw: bytes) -> None:
    codec, packed = Dictionary(3, data).pack(raw)
    assert len(packed) <= len(raw)
    assert Dictionaries({3: data}.__getitem__).unpack(codec, packed) == raw


def test_a_near_copy_takes_a_few_bytes() -> None:
    copy = PROGRAM.replace(b"x[7] = ", b"x[7] = 1 + ")
    assert len(Dictionary(1, PROGRAM).pack(copy)[1]) < len(copy) / 20


def test_what_does_not_shrink_is_stored_as_it_is() -> None:
    noise = bytes(i * i * 7 % 251 for i in range(40))
    assert Dictionary(1, b"").pack(noise) == (RAW, noise)


def test_data_that_end_too_early_are_an_error() -> None:
    dictionary = Dictionary(1, b"")
    packed = dictionary.pack(PROGRAM)[1]
    with pytest.raises(zlib.error):
        dictionary.unpack(packed[:-3])


def press(size: int = 100) -> Press:
    return Press(Dictionary(1, b""), size=size, first=2, every=3)


def test_a_new_dictionary_is_due_after_the_first_and_then_after_every_so_many_records() -> None:
    one = press()
    due = []
    for number in range(8):
        one.pack(b"%d" % number * 20)
        data = one.harvest()
        due.append(data is not None)
        if data is not None:
            one.adopt(Dictionary(2, data))
    assert due == [False, True, False, False, True, False, False, True]


def test_a_dictionary_holds_the_latest_samples_up_to_its_size() -> None:
    one = press(size=50)
    for letter in (b"a", b"b", b"c"):
        one.pack(letter * 20)
    one.pack(b"not a sample, much longer than the rest", sample=False)
    assert one.harvest() == b"b" * 20 + b"c" * 20


def test_samples_larger_than_a_dictionary_make_none() -> None:
    one = press(size=50)
    for _ in range(5):
        one.pack(b"x" * 51)
    assert one.harvest() is None


def test_a_press_packs_with_the_dictionary_it_adopted() -> None:
    one = press()
    assert one.pack(PROGRAM)[0] == 1
    one.adopt(Dictionary(2, PROGRAM))
    codec, packed = one.pack(PROGRAM)
    assert codec == 2
    assert len(packed) < 30
