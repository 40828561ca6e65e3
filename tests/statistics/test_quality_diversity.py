from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.statistics import mean_novelty, niche_novelty, opening_share, quality

CELLS = st.tuples(st.integers(0, 3), st.integers(0, 3))
NODES = st.dictionaries(st.text("abcd", min_size=1, max_size=2), st.sets(CELLS), max_size=5)


def test_coverage_and_qd_score_by_hand() -> None:
    found = quality({(0,): 3.0, (2,): -1.0}, 8, offset=-2.0)
    assert (found.filled, found.coverage, found.qd_score, found.best) == (2, 0.25, 6.0, 3.0)


def test_without_cells_there_is_only_a_best() -> None:
    found = quality({(): 3.0}, None)
    assert (found.coverage, found.qd_score, found.best) == (None, None, 3.0)


def test_an_empty_archive_covers_nothing() -> None:
    found = quality({}, 4)
    assert (found.filled, found.coverage, found.qd_score, found.best) == (0, 0.0, 0.0, None)


def test_novelty_by_hand() -> None:
    filled = {"a": [(0,), (1,), (2,), (3,)], "b": [(0,)], "c": [(1,), (9,)], "d": []}
    assert niche_novelty(filled) == {"a": 0.5, "b": 0.0, "c": 0.5, "d": None}
    assert mean_novelty(niche_novelty(filled)) == pytest.approx(1 / 3)


def test_one_node_alone_has_no_novelty() -> None:
    assert niche_novelty({"a": [(0,)]}) == {"a": None}
    assert mean_novelty({"a": None}) is None


@given(NODES)
def test_cells_filled_alone_add_up_to_those_with_one_owner(filled: dict[str, set[tuple[int, int]]]) -> None:
    novelty = niche_novelty(filled)
    alone = sum((novelty[name] or 0.0) * len(cells) for name, cells in filled.items())
    every = [cell for cells in filled.values() for cell in cells]
    expected = sum(every.count(cell) == 1 for cell in set(every)) if len(filled) > 1 else 0
    assert alone == pytest.approx(expected)


def test_the_share_of_champions_that_opened_a_cell() -> None:
    assert opening_share(8, 2) == 0.25
    assert opening_share(0, 0) is None
    with pytest.raises(ValueError, match="3 of 2"):
        opening_share(2, 3)
