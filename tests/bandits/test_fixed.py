from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from typing_extensions import override

from speciate.bandits import Bandit, BanditConfig, FixedBandit, build_bandit
from speciate.errors import ConfigError
from speciate.testing.bandits import BanditContract


class TestUniform(BanditContract):
    @override
    def make_bandit(self, arms: Sequence[str]) -> Bandit:
        return FixedBandit(arms)


class TestWeighted(BanditContract):
    @override
    def make_bandit(self, arms: Sequence[str]) -> Bandit:
        return FixedBandit(arms, {arm: k + 1.0 for k, arm in enumerate(arms)})


def test_an_arm_without_a_weight_weighs_one() -> None:
    bandit = build_bandit(BanditConfig(weights={"large": 3.0}), ["large", "small"])
    np.testing.assert_allclose(bandit.probabilities(), [0.75, 0.25])


def test_huge_weights_do_not_overflow() -> None:
    np.testing.assert_allclose(FixedBandit(["a", "b"], {"a": 1e308, "b": 1e308}).probabilities(), [0.5, 0.5])


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ({"lrge": 1.0}, "did you mean 'large'"),
        ({"large": -1.0}, "at least 0"),
        ({"large": float("nan")}, "finite"),
        ({"large": 0.0, "small": 0.0}, "all weights are 0"),
    ],
)
def test_weights_that_make_no_sense_are_explained(weights: Mapping[str, float], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        FixedBandit(["large", "small"], weights)
