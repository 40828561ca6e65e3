from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.errors import TaskError
from speciate.tasks.formats.settings_file import NUMBER, TABLE, WHOLE, Rule, Values, read_yaml, take

RULES = {
    "a": Rule(WHOLE, "budget.candidates"),
    "b.c": Rule(NUMBER, "population.migration_fraction", lambda value, values: value * values.get("a", 1)),
    "b.d": Rule(TABLE, "table", task=True),
}
REASONS = {"b": "the table is not ours", "e": "no"}
WHERE = Path("settings.yaml")
NAMES = st.sampled_from(["a", "b", "c", "d", "e"])
SETTINGS = st.recursive(
    st.dictionaries(NAMES, st.one_of(st.none(), st.integers(), st.text(max_size=3))),
    lambda inner: st.dictionaries(NAMES, st.one_of(inner, st.integers())),
    max_leaves=8,
)


def test_rules_place_turn_and_nest_values() -> None:
    taken = take({"a": 2, "b": {"c": 0.25, "d": {"x": 1}, "f": 1}, "e": 1, "g": 1}, RULES, REASONS, WHERE)
    assert taken.settings == {"budget": {"candidates": 2}, "population": {"migration_fraction": 0.5}}
    assert taken.task == {"table": {"x": 1}}
    assert taken.ignored == ["b.f (the table is not ours)", "e (no)", "g"]
    assert len(taken.remarks("settings.yaml")) == 2


@given(SETTINGS)
def test_nothing_is_lost_without_a_word(settings: dict[str, Any]) -> None:
    try:
        taken = take(settings, RULES, REASONS, WHERE)
    except TaskError:
        return  # refused, which the tests below look at
    assert len(taken.used) + len(taken.ignored) == leaves(settings)


def leaves(settings: Values, above: str = "") -> int:
    """Counts the values that are not null; what a rule takes as a table is one."""
    inner = ((f"{above}{name}", value) for name, value in settings.items() if value is not None)
    return sum(
        leaves(value, f"{key}.") if isinstance(value, dict) and key not in RULES else 1
        for key, value in inner
    )


@pytest.mark.parametrize("value", [True, "2", 2.5, [2]])
def test_a_value_of_another_type_is_refused(value: object) -> None:
    with pytest.raises(TaskError, match="a should be int"):
        take({"a": value}, RULES, REASONS, WHERE)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        ("# only a comment\n", {}),
        ("a: 1\nb:\n  c: |\n    x\n", {"a": 1, "b": {"c": "x\n"}}),
        ("1: a", {"1": "a"}),
    ],
)
def test_yaml_is_read_as_names_and_values(tmp_path: Path, text: str, value: dict[str, object]) -> None:
    (tmp_path / "settings.yaml").write_text(text)
    assert read_yaml(tmp_path / "settings.yaml") == value


@pytest.mark.parametrize("text", ["a: [", "- a", "word", "a: 1\n\tb: 2", "&a [*a" + "[" * 5000])
def test_what_is_no_mapping_is_refused_with_its_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.yaml").write_text(text)
    with pytest.raises(TaskError, match=r"settings\.yaml"):
        read_yaml(tmp_path / "settings.yaml")
