from __future__ import annotations

import pytest
from pydantic import ValidationError

from speciate.problems.corewar.generators import (
    MINDS,
    STRATEGIES,
    CodePrior,
    Priors,
    StepPrior,
    diluted,
    mind,
)


def test_there_is_a_mind_for_every_family() -> None:
    assert set(STRATEGIES) | {"mixed", "imp_clear", "uniform"} == set(MINDS)
    for strategy in STRATEGIES:
        assert dict(MINDS[strategy].families) == {strategy: 1.0}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"families": {"bomer": 1}}, "did you mean 'bomber'"),
        ({"families": {"bomber": 0}}, "no weight is above 0"),
        ({"families": {"bomber": -1}}, "expected a number from 0 up"),
        ({"families": {"bomber": float("inf")}}, "expected a number from 0 up"),
        ({"points": {1: 1.0}}, "unknown name '1'"),
        ({"doublings": {9: 1.0}}, "unknown name '9'"),
        ({"stunning": 1.5}, "less than or equal to 1"),
        ({"stuning": 0.5}, "Extra inputs"),
    ],
)
def test_priors_that_make_no_sense_are_refused(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Priors.model_validate(wrong)


def test_steps_and_code_are_checked_too() -> None:
    with pytest.raises(ValidationError, match="no weight"):
        StepPrior(even=0, anywhere=0, small=0)
    with pytest.raises(ValidationError, match="did you mean 'MOV'"):
        CodePrior(opcodes={"MOVE": 1.0})
    with pytest.raises(ValidationError, match="unknown name"):
        CodePrior(modes={"FAR": 1.0})


def test_priors_survive_json() -> None:
    for priors in MINDS.values():
        assert Priors.model_validate_json(priors.model_dump_json()) == priors


def test_purity_leads_from_all_families_to_the_own_one() -> None:
    own, none = diluted(mind("bomber"), 1.0), diluted(mind("bomber"), 0.0)
    assert {name: weight for name, weight in own.families.items() if weight} == {"bomber": 1.0}
    assert none.families == diluted(mind("scanner"), 0.0).families
    half = diluted(mind("imp_clear"), 0.5).families
    assert sum(half.values()) == pytest.approx(1.0)
    assert half["imp"] == half["clear"] == pytest.approx(0.25 + 0.5 / len(STRATEGIES))
