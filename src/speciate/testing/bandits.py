"""What every bandit must pass. Inherit `BanditContract`."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import defaultdict
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


def teach(bandit: Bandit, told: Sequence[Lesson]) -> Bandit:
    """Returns the bandit after some pulls, each rewarded at once."""
    for ordinal, (arm, value) in enumerate(told):
        bandit.pulled(arm, ordinal)
        bandit.reward(ordinal, value)
    return bandit


class BanditContract(ABC):
    """Contract of all bandits."""

    @abstractmethod
    def make_bandit(self, arms: Sequence[str]) -> Bandit:
        """Returns a fresh bandit."""

    def taught(self, told: Sequence[Lesson], arms: Sequence[str] = ARMS) -> Bandit:
        """Returns a bandit after some pulls and rewards."""
        return teach(self.make_bandit(arms), told)

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

    @given(told=lessons, order=st.randoms(use_true_random=False))
    @contract
    def test_credit_belongs_to_the_ordinal(self, told: list[Lesson], order: random.Random) -> None:
        bandit = self.make_bandit(ARMS)
        for ordinal, (arm, _) in enumerate(told):
            bandit.pulled(arm, ordinal)
        ended = list(range(len(told)))
        order.shuffle(ended)
        for ordinal in ended:
            bandit.reward(ordinal, told[ordinal][1], cost=None)
            bandit.reward(ordinal, 1e9)  # nobody is paid twice
        assert bandit.probabilities().sum() == pytest.approx(1.0)

    @given(told=lessons, among=st.sets(st.sampled_from(ARMS), min_size=1))
    @contract
    def test_it_picks_among_those_that_may_be_picked(self, told: list[Lesson], among: set[str]) -> None:
        bandit = self.taught(told)
        probabilities = bandit.probabilities(among)
        assert probabilities.sum() == pytest.approx(1.0)
        assert {arm for arm, chance in zip(ARMS, probabilities, strict=True) if chance} <= among
        assert bandit.pick(stream(1, len(told), "bandit"), among) in among

    def test_it_says_when_nothing_may_be_picked(self) -> None:
        with pytest.raises(ValueError, match="is an arm"):
            self.make_bandit(ARMS).pick(stream(0, 0, "bandit"), {"nobody"})

    @given(told=lessons)
    @contract
    def test_what_was_learnt_survives_other_arms(self, told: list[Lesson]) -> None:
        bandit = self.taught(told)
        bandit.rearm(["gamma", "arrived"])
        assert bandit.pick(stream(6, 0, "bandit")) in {"gamma", "arrived"}
        bandit.rearm(ARMS)
        np.testing.assert_allclose(bandit.probabilities(), self.taught(told).probabilities(), atol=1e-12)

    def test_a_single_arm_is_always_picked(self) -> None:
        assert self.taught([("alpha", None)], arms=["alpha"]).pick(stream(0, 0, "bandit")) == "alpha"

    @pytest.mark.parametrize("arms", [(), ("alpha", "alpha")])
    def test_arms_must_be_there_and_distinct(self, arms: tuple[str, ...]) -> None:
        with pytest.raises(ValueError, match="distinct arms"):
            self.make_bandit(arms)


def regrets(
    bandit: Bandit,
    chances: Sequence[float],
    *,
    pulls: int,
    seed: int,
    delays: Sequence[int] | None = None,
    costs: Sequence[float | None] | None = None,
) -> np.ndarray:
    """Lets a bandit play arms that improve by the same amount, each with a fixed chance.

    Args:
        bandit: plays; its arms are those of `chances`, in order.
        chances: how likely each arm is to earn its reward.
        pulls: how many.
        seed: names the random streams.
        delays: so many pulls later the reward of an arm is told, 1 at once; None for all at once.
        costs: what a pull of each arm costs; None for nothing.

    Returns:
        Expected regret after each pull, shape ``(pulls,)``: what always playing the best arm would have
        earned more.
    """
    late, dear = delays or [1] * len(chances), costs or [0.0] * len(chances)
    due: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    lost = np.zeros(pulls)
    for ordinal in range(pulls):
        rng = stream(seed, ordinal, "play")
        arm = bandit.arms.index(bandit.pick(rng))
        bandit.pulled(bandit.arms[arm], ordinal)
        due[ordinal + late[arm] - 1].append((ordinal, arm))
        for ended, played in due.pop(ordinal, ()):
            won = stream(seed, ended, "won").random() < chances[played]
            bandit.reward(ended, 1.0 if won else -1.0, cost=dear[played])
        lost[ordinal] = max(chances) - chances[arm]
    return np.cumsum(lost)
