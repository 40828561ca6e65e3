from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from speciate.novelty import Neighbour, Vector, VectorIndex, cosine

vectors = arrays.arrays(np.int32, (6,), elements=st.integers(-300, 300))
tables = st.dictionaries(st.integers(0, 500), st.none() | vectors, max_size=12)


def brute(vector: Vector, table: dict[int, Vector | None], among: list[int]) -> Neighbour | None:
    known = [(-cosine(vector, row), ordinal) for ordinal in among if (row := table[ordinal]) is not None]
    if not known:
        return None
    similarity, ordinal = min(known)
    return Neighbour(ordinal, -similarity)


def ordinals(some: list[int]) -> npt.NDArray[np.int64]:
    return np.array(some, dtype=np.int64)


@given(tables, st.lists(vectors, min_size=1, max_size=4), st.data())
def test_the_nearest_is_the_nearest_whatever_was_asked_before(
    table: dict[int, Vector | None], asked: list[Vector], data: st.DataObject
) -> None:
    index = VectorIndex(table.__getitem__)
    for vector in asked:
        among = data.draw(st.lists(st.sampled_from(sorted(table)), unique=True)) if table else []
        fresh = VectorIndex(table.__getitem__).nearest(vector, ordinals(among))
        assert index.nearest(vector, ordinals(among)) == fresh == brute(vector, table, among)


def test_the_first_of_equals_is_named() -> None:
    rows = {4: np.array([3, 4]), 9: np.array([6, 8]), 7: np.array([30, 40])}
    index = VectorIndex(lambda ordinal: rows[ordinal].astype(np.int32))
    found = index.nearest(np.array([3, 4], dtype=np.int32), ordinals([9, 7, 4]))
    assert found == Neighbour(4, 1.0)


def test_a_vector_is_loaded_once_as_long_as_it_is_asked_for() -> None:
    loaded: list[int] = []

    def load(ordinal: int) -> Vector:
        loaded.append(ordinal)
        return np.full(4, ordinal + 1, dtype=np.int32)

    index = VectorIndex(load)
    for newest in range(5_000):
        index.nearest(np.ones(4, dtype=np.int32), np.arange(max(0, newest - 50), newest + 1))
    assert sorted(loaded) == list(range(5_000))


@settings(max_examples=5)
@given(st.integers(0, 2**32))
def test_among_ten_thousand_the_exact_cosine_decides(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(-200, 200, size=(10_000, 64)).astype(np.int32)
    vector = rows[7_000] + rng.integers(-2, 3, size=64).astype(np.int32)
    rows[3_000] = rows[7_000] * 2  # points the same way: the smaller ordinal wins
    found = VectorIndex(lambda ordinal: rows[ordinal]).nearest(vector, np.arange(10_000))
    assert found == Neighbour(3_000, cosine(vector, rows[3_000]))
