from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.errors import TaskError
from speciate.problems.corewar.parameters import Conditions
from speciate.problems.corewar.settings import PRESETS
from speciate.problems.corewar.task import load
from speciate.records import Json

DEFAULTS = load().spec.parameters


def conditions(**changes: Json) -> Conditions:
    return Conditions.of({**DEFAULTS, **changes})


def test_the_defaults_are_those_of_digital_red_queen() -> None:
    found = conditions()
    assert found.settings == PRESETS["drq"]
    assert found.settings.rounds == 20
    assert (found.protocol, found.axes) == ("drq", ("tsp", "mc"))


def test_single_rules_go_over_the_preset() -> None:
    found = conditions(preset="tiny", rules={"cycles": 4000, "pspace_size": 50}, rounds=3).settings
    assert found == PRESETS["tiny"].but(cycles=4000, pspace_size=50, rounds=3)


@given(
    st.sampled_from(sorted(PRESETS)),
    st.sampled_from(["drq", "survival", "pmars"]),
    st.integers(1, 99),
    st.integers(),
    st.lists(st.sampled_from(["tsp", "time_space", "mc", "uo", "pl"]), min_size=1, max_size=5, unique=True),
)
def test_what_a_context_holds_is_read_back(
    preset: str, protocol: str, rounds: int, seed: int, axes: list[Json]
) -> None:
    found = conditions(preset=preset, protocol=protocol, rounds=rounds, seed=seed, axes=axes)
    assert Conditions.from_json(found.json()) == found


def test_a_context_names_every_rule_so_that_presets_may_change() -> None:
    rules = conditions().json()["rules"]
    assert isinstance(rules, dict)
    assert {"core_size", "cycles", "processes", "max_length", "rounds"} <= rules.keys()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"preset": "drk"}, r"parameters\.preset: there is no 'drk'; did you mean 'drq'\?"),
        ({"protocol": "melee"}, r"parameters\.protocol: there is no 'melee'"),
        ({"axes": ["tsp", "cm"]}, r"parameters\.axes: there is no 'cm'; did you mean 'mc'\?"),
        ({"axes": []}, r"parameters\.axes is \[\]; expected a list of one or more distinct names"),
        ({"axes": ["mc", "mc"]}, "distinct"),
        ({"rules": {"core_sise": 8000}}, r"parameters\.rules: there is no rule 'core_sise'; did you mean"),
        ({"rules": {"cycles": 0}}, r"parameters\.rules: cycles is 0; expected"),
        ({"rules": {"cycles": "many"}}, r"parameters\.rules: cycles is 'many'; expected"),
        ({"rules": {"rounds": 3}}, r"set parameters\.rounds instead"),
        ({"rounds": 0}, "rounds is 0"),
    ],
)
def test_nonsense_is_told_with_what_is_possible(changes: Mapping[str, Json], said: str) -> None:
    with pytest.raises(TaskError, match=said):
        conditions(**changes)
