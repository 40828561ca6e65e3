from __future__ import annotations

import pytest

from speciate.bandits import (
    Arms,
    Bandit,
    BanditConfig,
    BanditKind,
    CostUCBBandit,
    Exp3Bandit,
    FixedBandit,
    ThompsonBandit,
    UCBBandit,
    arm_name,
    build_bandit,
)
from speciate.errors import ConfigError

KINDS: dict[BanditKind, type[Bandit]] = {
    "fixed": FixedBandit,
    "uniform": FixedBandit,
    "ucb": UCBBandit,
    "cost_ucb": CostUCBBandit,
    "thompson": ThompsonBandit,
    "exp3": Exp3Bandit,
}
ARMS = Arms("pairs", {"large": ["diff", "full"], "genetic": ["mutate"]})


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_built(kind: BanditKind) -> None:
    assert type(build_bandit(BanditConfig(kind=kind), ["a", "b"])) is KINDS[kind]


def test_weights_of_a_kind_that_takes_none_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"bandit\.weights"):
        build_bandit(BanditConfig(kind="ucb", weights={"a": 2.0}), ["a", "b"])


def test_arms_are_proposers_operators_or_pairs() -> None:
    assert ARMS.names == ("large diff", "large full", "genetic mutate")
    assert Arms("proposers", ARMS.operators).names == ("large", "genetic")
    assert Arms("operators", {**ARMS.operators, "small": ["full", "fix"]}).names == (
        "diff", "full", "mutate", "fix",
    )  # fmt: skip


def test_a_candidate_is_a_pull_of_one_arm_of_each_kind() -> None:
    assert [arm_name(kind, "large", "diff") for kind in ("proposers", "operators", "pairs")] == [
        "large", "diff", "large diff",
    ]  # fmt: skip
