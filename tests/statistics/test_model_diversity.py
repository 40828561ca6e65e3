from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.records import Cell
from speciate.statistics import (
    affinity,
    cell_distributions,
    diversity,
    expected_cells,
    expected_mixtures,
    jensen_shannon,
    normalised,
    overlap,
    vendi_score,
)

WEIGHTS = st.lists(st.integers(0, 50), min_size=4, max_size=4).filter(any)


def _array(weights: list[int]) -> np.ndarray:
    return normalised(np.array(weights, dtype=float))


PAIRS = st.tuples(WEIGHTS.map(_array), WEIGHTS.map(_array))


def test_distributions_count_what_is_invalid() -> None:
    counts: dict[str, dict[Cell, int]] = {"b": {(1,): 2}, "a": {(0,): 1, (1,): 1}}
    names, shares = cell_distributions(counts, {"a": 4, "b": 2})
    assert names == ["a", "b"]
    assert shares.tolist() == [[0.25, 0.25], [0.0, 1.0]]


def test_more_programs_than_proposals_are_refused() -> None:
    with pytest.raises(ValueError, match="1 proposals of a"):
        cell_distributions({"a": {(0,): 2}}, {"a": 1})


def test_divergence_by_hand() -> None:
    # p = (1, 0), q = (½, ½), m = (¾, ¼): ½·log2(4/3) + ½·(½·log2(2/3) + ½·log2 2)
    expected = 0.5 * math.log2(4 / 3) + 0.5 * (0.5 * math.log2(2 / 3) + 0.5)
    assert jensen_shannon(np.array([1.0, 0.0]), np.array([0.5, 0.5])) == pytest.approx(expected)
    assert overlap(np.array([1.0, 0.0]), np.array([0.5, 0.5])) == 0.5


def test_what_shares_no_cell_is_one_bit_apart() -> None:
    assert jensen_shannon(np.array([0.2, 0.0]), np.array([0.0, 0.7])) == 1.0
    assert overlap(np.array([0.2, 0.0]), np.array([0.0, 0.7])) == 0.0


def test_nothing_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="without valid programs"):
        jensen_shannon(np.zeros(2), np.array([1.0, 0.0]))


@given(PAIRS)
def test_pairwise_measures_are_symmetric_and_bounded(pair: tuple[np.ndarray, np.ndarray]) -> None:
    first, second = pair
    apart, shared = jensen_shannon(first, second), overlap(first, second)
    assert 0 <= apart <= 1
    assert 0 <= shared <= 1
    assert apart == pytest.approx(jensen_shannon(second, first))
    assert apart <= 1 - shared + 1e-9  # Lin 1991: at most half the distance of variation


@given(WEIGHTS.map(_array))
def test_equals_do_not_diverge(shares: np.ndarray) -> None:
    assert jensen_shannon(shares, shares) == pytest.approx(0, abs=1e-12)
    assert overlap(shares, shares) == pytest.approx(1)


def test_the_effective_number_of_proposers() -> None:
    assert vendi_score(np.ones((4, 4))) == pytest.approx(1)
    assert vendi_score(np.eye(4)) == pytest.approx(4)
    assert vendi_score(affinity(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))) == pytest.approx(
        math.exp(-(2 / 3) * math.log(2 / 3) - (1 / 3) * math.log(1 / 3))
    )


@given(st.lists(WEIGHTS.map(_array), min_size=1, max_size=5))
def test_the_effective_number_lies_between_one_and_all(rows: list[np.ndarray]) -> None:
    found = diversity([str(place) for place in range(len(rows))], np.array(rows))
    assert found.vendi is not None
    assert 1 <= found.vendi <= len(rows)


@pytest.mark.parametrize(
    "wrong", [np.zeros((0, 0)), np.ones((2, 3)), 2 * np.eye(2), np.array([[1, 2], [2, 1]])]
)
def test_what_is_no_kernel_is_refused(wrong: np.ndarray) -> None:
    with pytest.raises(ValueError):
        vendi_score(wrong)


def test_expected_cells_by_hand() -> None:
    shares = np.array([[0.5, 0.0], [0.0, 0.25]])
    assert expected_cells(shares, [2, 1]) == pytest.approx(0.75 + 0.25)
    assert expected_cells(np.array([[1.0, 0.0]]), [1]) == 1.0
    assert expected_cells(np.array([[1.0, 0.0]]), [0]) == 0.0


@given(st.lists(WEIGHTS.map(_array), min_size=2, max_size=2), st.integers(1, 40))
def test_a_mixture_fills_no_less_than_the_mean_of_its_parts_alone(rows: list[np.ndarray], calls: int) -> None:
    """Of two proposers at equal calls, by the inequality of means in every cell."""
    shares = np.array(rows)
    mixed = expected_cells(shares, [calls, calls])
    alone = (expected_cells(shares, [2 * calls, 0]) + expected_cells(shares, [0, 2 * calls])) / 2
    assert mixed >= alone - 1e-9


def test_expectation_agrees_with_drawing() -> None:
    shares, calls = np.array([[0.6, 0.3, 0.0], [0.0, 0.1, 0.2]]), (3, 5)
    rng, filled = np.random.default_rng(0), []
    for _ in range(4000):
        reached = set()
        for row, number in zip(shares, calls, strict=True):
            drawn = rng.choice(4, size=number, p=[*row, 1 - row.sum()])
            reached |= set(drawn[drawn < 3].tolist())
        filled.append(len(reached))
    assert expected_cells(shares, calls) == pytest.approx(np.mean(filled), abs=0.05)


def test_every_mixture_is_predicted_once() -> None:
    shares = np.array([[0.5, 0.0], [0.0, 0.5]])
    found = {
        mixture.proposers: mixture.cells for mixture in expected_mixtures("ab", shares, nodes=2, calls=1)
    }
    assert found == {
        ("a", "a"): pytest.approx(0.75),
        ("a", "b"): pytest.approx(1.0),
        ("b", "b"): pytest.approx(0.75),
    }


def test_proposers_without_programs_are_left_out() -> None:
    found = diversity(["a", "b"], np.array([[0.5, 0.0], [0.0, 0.0]]))
    assert found.names == ("a",)
    assert found.vendi == pytest.approx(1)
    assert diversity([], np.zeros((0, 0))).vendi is None
