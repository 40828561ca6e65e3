from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from speciate.errors import ConfigError
from speciate.mutation import MixtureConfig, draw_operator
from speciate.seeds import stream

MODEL = ("new", "diff", "full", "crossover", "fix")
GENETIC = ("mutate", "crossover")


def shares(config: MixtureConfig, available: Sequence[str], *, parents: int = 5) -> dict[str, float]:
    draws = Counter(
        draw_operator(config, available, parents=parents, valid_parent=True, rng=stream(0, k, "operator"))
        for k in range(4_000)
    )
    return {name: count / draws.total() for name, count in draws.items()}


@pytest.mark.parametrize(
    ("available", "expected"),
    [
        (MODEL, {"diff": 0.45, "full": 0.45, "crossover": 0.10}),
        (GENETIC, {"mutate": 0.85, "crossover": 0.15}),
    ],
)
def test_default_shares_are_those_of_the_kind_of_proposer(
    available: Sequence[str], expected: dict[str, float]
) -> None:
    assert shares(MixtureConfig(), available) == pytest.approx(expected, abs=0.03)


def test_weights_need_not_sum_to_one() -> None:
    config = MixtureConfig(model={"diff": 6, "full": 3, "crossover": 1})
    assert shares(config, MODEL) == pytest.approx({"diff": 0.6, "full": 0.3, "crossover": 0.1}, abs=0.03)


def test_an_operator_without_a_weight_is_never_drawn() -> None:
    assert set(shares(MixtureConfig(model={"diff": 0.5, "full": 0.5}), MODEL)) == {"diff", "full"}


def test_crossover_needs_two_parents() -> None:
    assert set(shares(MixtureConfig(), MODEL, parents=1)) == {"diff", "full"}


@given(st.integers(0, 5), st.integers(0, 1_000))
def test_without_a_valid_parent_models_fix(parents: int, seed: int) -> None:
    rng = stream(seed, 0, "operator")
    assert draw_operator(MixtureConfig(), MODEL, parents=parents, valid_parent=False, rng=rng) == "fix"


@given(st.integers(0, 1_000))
def test_a_valid_parent_is_never_fixed(seed: int) -> None:
    rng = stream(seed, 0, "operator")
    assert draw_operator(MixtureConfig(), MODEL, parents=2, valid_parent=True, rng=rng) != "fix"


def test_genetic_proposers_mutate_what_they_cannot_fix() -> None:
    rng = stream(0, 0, "operator")
    assert draw_operator(MixtureConfig(), GENETIC, parents=0, valid_parent=False, rng=rng) == "mutate"


def test_operators_that_remain_with_weight_zero_share_evenly() -> None:
    config = MixtureConfig(model={"crossover": 1.0})
    assert shares(config, MODEL, parents=1) == pytest.approx({"diff": 0.5, "full": 0.5}, abs=0.03)


def test_a_program_from_nothing_is_asked_for_only_where_it_has_a_weight() -> None:
    config = MixtureConfig(model={"new": 0.1, "full": 0.9})
    assert shares(config, MODEL) == pytest.approx({"new": 0.1, "full": 0.9}, abs=0.02)
    assert "new" not in shares(MixtureConfig(), MODEL)


@pytest.mark.parametrize(("weight", "share"), [(0.0, 0.0), (0.1, 0.1), (0.9, 0.5)])
def test_without_a_valid_parent_a_program_from_nothing_keeps_its_share(weight: float, share: float) -> None:
    config = MixtureConfig(model={"new": weight, "full": 0.9})
    draws = Counter(
        draw_operator(config, MODEL, parents=0, valid_parent=False, rng=stream(0, k, "operator"))
        for k in range(4_000)
    )
    assert set(draws) <= {"new", "fix"}
    assert draws["new"] / draws.total() == pytest.approx(share, abs=0.02)


def test_a_proposer_that_can_only_begin_begins() -> None:
    assert set(shares(MixtureConfig(), ["new"], parents=0)) == {"new"}


def test_a_proposer_that_can_only_cross_says_what_is_missing() -> None:
    with pytest.raises(ConfigError, match="changes a single parent"):
        draw_operator(MixtureConfig(), ["crossover"], parents=1, valid_parent=True, rng=stream(0, 0, "o"))


@pytest.mark.parametrize("table", [{"diff": -1.0}, {"diff": float("nan")}, {"diff": 0.0}, {}, {"fix": 1.0}])
def test_tables_that_draw_nothing_are_refused(table: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match=r"error, model: "):
        MixtureConfig(model=table)
