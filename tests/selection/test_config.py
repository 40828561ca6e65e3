"""Settings of selection and what is built from them."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from pydantic import ValidationError

from speciate.seeds import stream
from speciate.selection import (
    Beam,
    BestOfN,
    Cells,
    HillClimb,
    ParentPolicy,
    PolicyName,
    PowerLaw,
    SelectionConfig,
    Tournament,
    Uniform,
    Weighted,
    build_policy,
)
from speciate.testing.policies import EXAMPLE

POLICIES: dict[str, type[ParentPolicy]] = {
    "uniform": Uniform,
    "hill_climb": HillClimb,
    "power_law": PowerLaw,
    "weighted": Weighted,
    "best_of_n": BestOfN,
    "beam": Beam,
    "tournament": Tournament,
    "cells": Cells,
}


def test_every_name_builds_its_policy() -> None:
    assert set(POLICIES) == set(get_args(PolicyName))
    for name in get_args(PolicyName):
        assert type(build_policy(SelectionConfig(policy=name))) is POLICIES[name]


@pytest.mark.parametrize(
    ("settings", "policy"),
    [
        ({"policy": "power_law", "alpha": 2.5}, PowerLaw(2.5)),
        ({"policy": "power_law", "alpha": float("inf")}, HillClimb()),
        ({"policy": "weighted", "pressure": 0.7, "scale": "none"}, Weighted(0.7, "none")),
        ({"policy": "beam", "beam_width": 2}, Beam(2)),
        ({"policy": "tournament", "tournament_size": 7}, Tournament(7)),
    ],
)
def test_settings_reach_the_policy(settings: dict[str, object], policy: ParentPolicy) -> None:
    built = build_policy(SelectionConfig.model_validate(settings))
    np.testing.assert_array_equal(built.probabilities(EXAMPLE), policy.probabilities(EXAMPLE))


def test_the_initial_program_reaches_best_of_n() -> None:
    policy = build_policy(SelectionConfig(policy="best_of_n"), initial=3)
    assert policy.draw(EXAMPLE, stream(0, 1, "parent")) == 3


@pytest.mark.parametrize(
    "settings",
    [
        {"policy": "greedy"},
        {"alpha": -1},
        {"pressure": float("inf")},
        {"scale": "std"},
        {"beam_width": 0},
        {"lambda": 10},
    ],
)
def test_impossible_and_unknown_settings_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        SelectionConfig.model_validate(settings)
