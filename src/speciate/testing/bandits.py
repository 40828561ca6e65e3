"""What every bandit must pass. Inherit `BanditContract`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from speciate.bandits import Bandit
from speciate.seeds import stream

ARMS = ("alpha", "beta", "gamma")
Lesson = tuple[str, float | None]

lessons = st.lists(
    st.tuples(
        st.sampled_from([*ARMS, "departed"]),
        st.none() | st.floats(min_value=-1e300, max_value=1e300),
    ),
    max_size=30,
)

# The same test runs under each class that inherits it, on purpose.
contract = settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.differing_executors])


class BanditContract(ABC):
    """Contract of all bandits."""

    @abstractmethod
    def make_bandit(self, arms: Sequence[str]) -> Bandit:
        """Returns a fresh bandit."""

    def taught(self, told: Sequence[Lesson], arms: Sequence[str] = ARMS) -> Bandit:
        """Returns a bandit after some pulls and rewards."""
        bandit = self.make_bandit(arms)
        for arm, value in told:
            bandit.pulled(arm)
            bandit.reward(arm, value)
        return bandit

    @given(told=lessons)
    @contract
    def test_probabilities_are_probabilities_whatever_it_learnt(self, told: list[Lesson]) -> None:
        probabilities = self.taught(told).probabilities()
        assert probabilities.shape == (len(ARMS),)
        assert np.all(probabilities >= 0)
        assert probabilities.sum() == pytest.approx(1.0)

    @given(told=lessons)
    @contract
    def test_its_state_is_a_fold(self, told: list[Lesson]) -> None:
        first, second = self.taught(told), self.taught(told)
        np.testing.assert_array_equal(first.probabilities(), second.probabilities())
        picks = [bandit.pick(stream(0, 1, "bandit")) for bandit in (first, second)]
        assert picks[0] == picks[1]

    def test_picking_changes_nothing(self) -> None:
        bandit = self.taught([("alpha", 1.0), ("beta", None)])
        before = bandit.probabilities().copy()
        for k in range(20):
            assert bandit.pick(stream(0, k, "bandit")) in ARMS
        np.testing.assert_array_equal(bandit.probabilities(), before)

    def test_picks_follow_the_probabilities(self) -> None:
        bandit = self.taught([("alpha", 1.0), ("beta", 0.5), ("gamma", None)])
        picks = [bandit.pick(stream(4, k, "bandit")) for k in range(2_000)]
        shares = [picks.count(arm) / len(picks) for arm in ARMS]
        np.testing.assert_allclose(shares, bandit.probabilities(), atol=0.05)

    def test_a_history_of_other_arms_is_survived(self) -> None:
        bandit = self.taught([("departed", 5.0), ("alpha", 1.0)], arms=["alpha", "arrived"])
        assert {bandit.pick(stream(5, k, "bandit")) for k in range(200)} <= {"alpha", "arrived"}

    def test_a_single_arm_is_always_picked(self) -> None:
        assert self.taught([("alpha", None)], arms=["alpha"]).pick(stream(0, 0, "bandit")) == "alpha"

    @pytest.mark.parametrize("arms", [(), ("alpha", "alpha")])
    def test_arms_must_be_there_and_distinct(self, arms: tuple[str, ...]) -> None:
        with pytest.raises(ValueError, match="distinct arms"):
            self.make_bandit(arms)
