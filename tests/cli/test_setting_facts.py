from __future__ import annotations

from collections.abc import Iterator
from typing import get_args, get_origin

import pytest
from pydantic import BaseModel

from speciate.cli.setting_facts import (
    ANY_NAME,
    ANY_NUMBER,
    Setting,
    beginning_with,
    known_settings,
    meanings,
    toml_text,
)
from speciate.engine import RunConfig
from speciate.engine.settings import assignment_layer, compose
from speciate.errors import UsageError

SETTINGS = [setting for section in known_settings() for setting in section.settings]


def _keys(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    """Yields the keys of a config by walking its fields, not its schema."""
    for name, field in model.model_fields.items():
        annotation = field.annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            yield from _keys(annotation, f"{prefix}{name}.")
            continue
        yield f"{prefix}{name}"
        item = ANY_NUMBER if get_origin(annotation) is tuple else ANY_NAME
        for inner in get_args(annotation):
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                yield from _keys(inner, f"{prefix}{name}.{item}.")


def test_every_setting_is_listed_once() -> None:
    listed = [setting.key for setting in SETTINGS]
    assert sorted(listed) == sorted(_keys(RunConfig))
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.key)
def test_every_setting_has_a_meaning_in_the_docstring_of_its_config(setting: Setting) -> None:
    assert setting.meaning.strip(), f"name it under Attributes: {setting.key}"


def test_every_section_says_what_it_is_about() -> None:
    assert all(section.about for section in known_settings())


def _settable(setting: Setting) -> bool:
    words = setting.key.split(".")
    return (
        not setting.required
        and "none" not in toml_text(setting.default)
        and not {ANY_NAME, ANY_NUMBER} & {*words}
    )


@pytest.mark.parametrize("setting", [one for one in SETTINGS if _settable(one)], ids=lambda one: one.key)
def test_a_default_can_be_set_as_it_is_shown(setting: Setting) -> None:
    layer = assignment_layer(f"{setting.key}={toml_text(setting.default)}")
    assert compose([layer]) == RunConfig()


@pytest.mark.parametrize(
    "setting", [one for one in SETTINGS if one.choices and "list" not in one.takes], ids=lambda one: one.key
)
def test_every_choice_is_accepted(setting: Setting) -> None:
    for choice in setting.choices or ():
        value: object = compose([assignment_layer(f"{setting.key}={choice}")])
        for name in setting.key.split("."):
            value = getattr(value, name)  # the path of a setting is its key
        assert str(value) == choice


@pytest.mark.parametrize(
    ("key", "takes"),
    [
        ("population.migration_interval", "whole number >= 1"),
        ("population.archive.kind", "elites | grid | cvt | pareto"),
        ("genetic.step", "number > 0, <= 1"),
        ("budget.cost", "number >= 0 or none"),
        ("models", "list of: text"),
        ("sampling.efforts", "list of: minimal | low | medium | high or none"),
        ("evaluation.cache_dir", "path or none"),
        ("task.parameters", "table of: any value"),
        ("llm.prices", "table of: settings"),
        ("success", "true or false"),
    ],
)
def test_what_a_setting_takes_is_said_in_words(key: str, takes: str) -> None:
    assert next(setting.takes for setting in SETTINGS if setting.key == key) == takes


def test_meanings_are_joined_to_one_line_and_end_with_their_section() -> None:
    text = (
        "A config.\n\nAttributes:\n    one: first\n        and: more.\n"
        "    two: ``x``; None is off.\n\nNote:\n    three: no."
    )
    assert meanings(text) == {"one": "first and: more.", "two": "`x`; none is off."}


def test_a_prefix_leaves_out_other_sections() -> None:
    found = beginning_with("population.mig", known_settings())
    assert [setting.key for section in found for setting in section.settings] == [
        "population.migration_interval",
        "population.migration_fraction",
    ]


@pytest.mark.parametrize(
    ("prefix", "nearest"), [("populatoin", "'population'"), ("islands", "'population.islands'")]
)
def test_an_unknown_prefix_names_the_nearest(prefix: str, nearest: str) -> None:
    with pytest.raises(UsageError, match=f"no setting begins with '{prefix}'; did you mean {nearest}"):
        beginning_with(prefix, known_settings())
