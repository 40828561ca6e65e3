"""Policies that look at ranks: uniform, hill climbing, power law, beam, tournament."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from speciate.seeds import stream
from speciate.selection import Beam, HillClimb, PowerLaw, Ranked, Tournament, Uniform


def crowd(count: int, *, offspring: tuple[int, ...] | None = None) -> list[Ranked]:
    children = offspring or (0,) * count
    return [Ranked(10 + i, i + 1, float(-i), n) for i, n in zip(range(count), children, strict=True)]


def test_power_law_weighs_ranks_by_their_inverse_power() -> None:
    weights = np.array([1.0, 2.0**-1.5, 3.0**-1.5])
    np.testing.assert_allclose(PowerLaw(1.5).probabilities(crowd(3)), weights / weights.sum())


def test_power_law_ends_at_uniform_and_hill_climbing() -> None:
    np.testing.assert_array_equal(PowerLaw(0).probabilities(crowd(5)), Uniform().probabilities(crowd(5)))
    for alpha in (1e5, 1e308, math.inf):
        np.testing.assert_array_equal(
            PowerLaw(alpha).probabilities(crowd(5)), HillClimb().probabilities(crowd(5))
        )


@pytest.mark.parametrize("alpha", [-1.0, float("nan")])
def test_power_law_refuses_exponents_that_favour_the_worse(alpha: float) -> None:
    with pytest.raises(ValueError, match="alpha"):
        PowerLaw(alpha)


def test_a_beam_takes_turns_among_the_best() -> None:
    children = [0, 0, 0, 0]
    turns = []
    for _ in range(9):
        drawn = Beam(3).draw(crowd(4, offspring=tuple(children)), stream(0, 0, "parent"))
        children[drawn - 10] += 1
        turns.append(drawn)
    assert turns == [10, 11, 12] * 3


def test_a_new_best_takes_its_turn_at_once() -> None:
    assert Beam(2).probabilities(crowd(3, offspring=(0, 5, 0))).tolist() == [1, 0, 0]
    assert Beam(9).probabilities(crowd(3, offspring=(4, 3, 3))).tolist() == [0, 1, 0]


@pytest.mark.parametrize("size", [1, 2, 4])
def test_tournament_probabilities_are_those_of_all_draws(size: int) -> None:
    wins = np.bincount([min(entrants) for entrants in product(range(5), repeat=size)], minlength=5)
    np.testing.assert_allclose(Tournament(size).probabilities(crowd(5)), wins / 5**size)


def test_policies_without_entrants_are_refused() -> None:
    with pytest.raises(ValueError, match="beam"):
        Beam(0)
    with pytest.raises(ValueError, match="tournament"):
        Tournament(0)
