from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.statistics import wilson


@pytest.mark.parametrize(
    ("hits", "total", "expected"),
    [
        (81, 263, (0.2553, 0.3662)),
        (15, 148, (0.0624, 0.1605)),
        (0, 20, (0.0, 0.1611)),
        (1, 29, (0.0061, 0.1718)),
    ],
)
def test_the_interval_is_the_published_one(hits: int, total: int, expected: tuple[float, float]) -> None:
    # Newcombe 1998, Statistics in Medicine 17:857, table I.
    assert wilson(hits, total) == pytest.approx(expected, abs=5e-5)


def test_of_none_nothing_is_known() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share_and_mirrors(counts: tuple[int, int]) -> None:
    hits, total = counts
    low, high = wilson(hits, total)
    assert 0 <= low <= hits / total <= high <= 1
    assert (1 - high, 1 - low) == pytest.approx(wilson(total - hits, total))
