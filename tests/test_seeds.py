from __future__ import annotations

from hashlib import blake2b

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from speciate.seeds import stream


@given(seed=st.integers(), ordinal=st.integers(0, 10**6), epoch=st.integers(0, 99), attempt=st.integers(0, 9))
def test_a_stream_is_philox_keyed_by_the_hash_of_its_name(
    seed: int, ordinal: int, epoch: int, attempt: int
) -> None:
    name = f"{seed}|{ordinal}|{epoch}|{attempt}|parent".encode()
    key = int.from_bytes(blake2b(name, digest_size=16).digest(), "little")
    expected = np.random.Generator(np.random.Philox(key=key)).integers(0, 2**63, 20)
    found = stream(seed, ordinal, "parent", epoch=epoch, attempt=attempt).integers(0, 2**63, 20)
    assert (found == expected).all()


def test_streams_are_apart_and_do_not_wait_for_each_other() -> None:
    first, second = stream(0, 1, "a"), stream(0, 1, "b")
    together = [(first.random(), second.random()) for _ in range(5)]
    assert [a for a, _ in together] == stream(0, 1, "a").random(5).tolist()
    assert {a for a, _ in together}.isdisjoint(b for _, b in together)


def test_the_numbers_of_a_stream_never_change() -> None:
    assert stream(7, 42, "choose").integers(0, 1000, 5).tolist() == [95, 475, 311, 51, 357]
