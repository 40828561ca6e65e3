from __future__ import annotations

from hashlib import blake2b

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from speciate.seeds import draw_index, stream


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


WEIGHTS = st.lists(st.floats(0, 1e6, allow_subnormal=False), min_size=1, max_size=9).filter(any)


@given(weights=WEIGHTS, seed=st.integers(0, 10**6))
def test_what_has_no_weight_is_never_drawn(weights: list[float], seed: int) -> None:
    assert weights[draw_index(weights, stream(seed, 0, "draw"))] > 0


@given(weights=WEIGHTS, seed=st.integers(0, 10**6))
def test_a_draw_takes_one_number(weights: list[float], seed: int) -> None:
    rng, other = stream(seed, 0, "draw"), stream(seed, 0, "draw")
    draw_index(weights, rng)
    other.random()
    assert rng.random() == other.random()


def test_positions_are_drawn_by_their_weights_whatever_these_sum_to() -> None:
    rng = stream(3, 0, "draw")
    drawn = np.bincount([draw_index([2.0, 0.0, 6.0], rng) for _ in range(4000)], minlength=3)
    assert drawn[1] == 0
    assert abs(drawn[0] / 4000 - 0.25) < 0.03  # more than four standard errors, and the seed is fixed


def test_the_last_number_below_one_draws_the_last_position() -> None:
    class Last(np.random.Generator):
        def random(self) -> float:  # type: ignore[override]  # only this form is used
            return float(np.nextafter(1.0, 0.0))

    assert draw_index([0.1] * 10, Last(np.random.Philox(key=1))) == 9
