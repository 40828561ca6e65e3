from __future__ import annotations

import pytest

from speciate.records import Json
from speciate.reports import differences
from speciate.reports.settings_apart import groups, label, words

BASE: dict[str, Json] = {"seed": 1, "selection": {"policy": "beam", "alpha": 1.0}, "models": ["a"], "own": {}}


def changed(**top: Json) -> dict[str, Json]:
    return {**BASE, **top}


def test_equal_settings_do_not_differ_whatever_the_seed() -> None:
    assert differences([BASE, changed(seed=2)]) == ()


def test_differences_are_told_by_their_whole_key() -> None:
    other = changed(selection={"policy": "uniform", "alpha": 1.0}, models=["a", "b"])
    found = differences([BASE, other])
    assert [(one.key, one.values) for one in found] == [
        ("models", (["a"], ["a", "b"])),
        ("selection.policy", ("beam", "uniform")),
    ]


def test_a_setting_that_one_version_did_not_know_is_nothing() -> None:
    (found,) = differences([BASE, changed(new={"kind": "ucb"})])
    assert (found.key, found.values) == ("new.kind", (None, "ucb"))


def test_runs_are_grouped_by_what_sets_them_apart() -> None:
    apart = differences([BASE, changed(models=["b"]), changed(seed=9)])
    assert groups(apart, 3) == ((0, 2), (1,))
    assert [label(apart, place) for place in range(3)] == ["models=a", "models=b", "models=a"]


def test_without_differences_there_is_one_group() -> None:
    assert groups((), 2) == ((0, 1),)
    assert label((), 0) == "equal settings"


@pytest.mark.parametrize(
    ("value", "said"),
    [(None, "none"), (True, "true"), (0.5, "0.5"), ([], "none"), (["a", 2], "a+2"), ({}, "{}")],
)
def test_values_are_said_as_people_read_them(value: Json, said: str) -> None:
    assert words(value) == said
