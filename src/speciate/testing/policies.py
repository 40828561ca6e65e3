"""What every parent policy must pass: inherit `PolicyContract` and say how one is made."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from speciate.records import Cell
from speciate.seeds import stream
from speciate.selection import Occupants, ParentPolicy, Ranked

_scores = st.one_of(
    st.integers(-3, 3).map(float),  # many ties
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([-1e300, 1e300, 0.0, 5e-324, 1.7e308, -1.7e308]),
)
_cells: st.SearchStrategy[Cell | None] = st.one_of(st.none(), st.tuples(st.integers(0, 3)))


@st.composite
def occupants(draw: st.DrawFn) -> list[Ranked]:
    """One to thirty occupants, best first; ordinal 0 is always among them."""
    fitness = sorted(draw(st.lists(_scores, min_size=1, max_size=30)), reverse=True)
    ordinals = draw(st.permutations(range(len(fitness))))
    return [
        Ranked(ordinal, rank, score, draw(st.integers(0, 1000)), draw(_cells))
        for rank, (ordinal, score) in enumerate(zip(ordinals, fitness, strict=True), start=1)
    ]


# The same test runs under each class that inherits it, on purpose.
contract = settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.differing_executors])

EXAMPLE = tuple(
    Ranked(ordinal, rank, fitness, offspring, (cell,))
    for ordinal, rank, fitness, offspring, cell in [
        (4, 1, 9.0, 7, 0), (0, 2, 8.0, 2, 1), (2, 3, 8.0, 2, 1), (7, 4, 5.0, 0, 2), (3, 5, -1.0, 0, 3)
    ]
)  # fmt: skip


class PolicyContract(ABC):
    """Tests that hold for every parent policy."""

    @abstractmethod
    def make(self) -> ParentPolicy:
        """Returns the policy."""

    @contract
    @given(crowd=occupants())
    def test_probabilities_are_finite_and_sum_to_one(self, crowd: list[Ranked]) -> None:
        probabilities = self.make().probabilities(crowd)
        assert probabilities.shape == (len(crowd),)
        assert np.isfinite(probabilities).all()
        assert (probabilities >= 0).all()
        assert math.isclose(probabilities.sum(), 1, abs_tol=1e-9)

    @contract
    @given(crowd=occupants(), data=st.data())
    def test_the_order_in_which_occupants_come_does_not_matter(
        self, crowd: list[Ranked], data: st.DataObject
    ) -> None:
        order = data.draw(st.permutations(range(len(crowd))))
        shuffled = self.make().probabilities([crowd[index] for index in order])
        np.testing.assert_allclose(shuffled, self.make().probabilities(crowd)[order], rtol=1e-9, atol=0)

    @contract
    @given(crowd=occupants())
    def test_columns_and_records_are_the_same_to_it(self, crowd: list[Ranked]) -> None:
        policy = self.make()
        np.testing.assert_array_equal(policy.probabilities(Occupants.of(crowd)), policy.probabilities(crowd))

    @contract
    @given(crowd=occupants(), seed=st.integers(0, 2**32))
    def test_a_draw_is_a_possible_occupant_and_repeats_with_its_stream(
        self, crowd: list[Ranked], seed: int
    ) -> None:
        policy = self.make()
        drawn = policy.draw(crowd, stream(seed, 1, "parent"))
        possible = policy.probabilities(crowd) > 0
        assert drawn in {o.ordinal for o, may in zip(crowd, possible, strict=True) if may}
        assert policy.draw(crowd, stream(seed, 1, "parent")) == drawn

    def test_draws_follow_the_probabilities(self) -> None:
        policy = self.make()
        rng = stream(1, 0, "statistics of draws")
        count = 4000
        drawn = Counter(policy.draw(EXAMPLE, rng) for _ in range(count))
        for occupant, p in zip(EXAMPLE, policy.probabilities(EXAMPLE), strict=True):
            # Four and a half standard deviations of a binomial; the stream is fixed, so this cannot flicker.
            assert abs(drawn[occupant.ordinal] - count * p) <= 4.5 * math.sqrt(count * p * (1 - p)) + 1e-9
