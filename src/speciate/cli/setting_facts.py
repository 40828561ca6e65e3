"""Every setting of a run, with its meaning from the docstrings. Heavy: imported as the command runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from speciate.cli.output import Output
from speciate.engine import RunConfig
from speciate.errors import UsageError, nearest
from speciate.records import Json

Schema: TypeAlias = Mapping[str, Any]
"""A part of a JSON schema. Any: pydantic promises no more about it."""

ANY_NAME = "NAME"
"""Stands in a key for a name that the user chooses."""

ANY_NUMBER = "N"
"""Stands in a key for the number of an item, from 0."""

_ENTRY = re.compile(r" {4}(\w+): (.+)")
_NONE = re.compile(r"\bNone\b")
_BOUNDS = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}
_PLAIN = {"integer": "whole number", "number": "number", "boolean": "true or false", "null": "none"}


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting.

    Attributes:
        key: with dots, as ``--set`` takes it.
        takes: what values it takes, in words.
        choices: the texts it takes, or None if they cannot be counted up.
        required: whether it has no default.
        default: its value as long as nothing sets it; None is none.
        meaning: one line, or empty if its config's docstring does not name it.
    """

    key: str
    takes: str
    choices: tuple[str, ...] | None
    required: bool
    default: Json
    meaning: str


@dataclass(frozen=True, slots=True)
class Section:
    """The settings of one config.

    Attributes:
        key: what their keys begin with, or empty for the outermost.
        about: what they have in common, one line.
        settings: in the order of the config.
    """

    key: str
    about: str
    settings: tuple[Setting, ...]


def show_settings(prefix: str, output: Output) -> None:
    """Tells the settings whose key begins with `prefix`.

    Raises:
        UsageError: there is none.
    """
    sections = beginning_with(prefix, known_settings())
    for section in sections:
        if section.key:
            output.say(f"{section.key}: {section.about}")
        for setting in section.settings:
            default = "(no default)" if setting.required else f"= {toml_text(setting.default)}"
            output.say(f"  {setting.key} {default}  ({setting.takes})", f"      {setting.meaning}")
    output.result({"settings": [setting for section in sections for setting in section.settings]})


def known_settings() -> tuple[Section, ...]:
    """Returns all settings of a run by section, outer sections before those inside of them."""
    schema = RunConfig.model_json_schema()
    return tuple(_sections("", schema, schema["$defs"], RunConfig().model_dump(mode="json")))


def beginning_with(prefix: str, sections: Sequence[Section]) -> tuple[Section, ...]:
    """Returns the settings whose key begins with `prefix`; sections that are left empty are left out.

    Raises:
        UsageError: there is none; the message names the nearest key.
    """
    chosen = (
        replace(
            section, settings=tuple(setting for setting in section.settings if setting.key.startswith(prefix))
        )
        for section in sections
    )
    found = tuple(section for section in chosen if section.settings)
    if not found:
        keys = [setting.key for section in sections for setting in section.settings]
        names = {section.key for section in sections} - {""}
        raise UsageError(
            f"no setting begins with {prefix!r}{nearest(prefix, [*sorted(names), *keys]) or ':'} "
            "`speciate settings` lists all"
        )
    return found


def meanings(docstring: str) -> dict[str, str]:
    """Returns what the section ``Attributes:`` of a Google-style docstring says about each name, as one line.

    Args:
        docstring: without the indentation that all its lines share.
    """
    told: dict[str, str] = {}
    name = ""
    for line in docstring.partition("Attributes:\n")[2].splitlines():
        if line and not line.startswith("    "):
            break  # another section
        if entry := _ENTRY.match(line):
            name = entry[1]
            told[name] = entry[2]
        elif name and line:
            told[name] += f" {line.strip()}"
    return {name: _NONE.sub("none", text.replace("``", "`")) for name, text in told.items()}


def toml_text(value: Json) -> str:
    """Returns a value as ``--set`` takes it; TOML has no word for nothing, which is shown as ``none``."""
    if value is None:
        return "none"
    if isinstance(value, list):
        return f"[{', '.join(map(toml_text, value))}]"
    if isinstance(value, dict):
        inside = ", ".join(f"{name} = {toml_text(item)}" for name, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    return json.dumps(value, ensure_ascii=False)


def _sections(
    prefix: str, model: Schema, models: Mapping[str, Schema], defaults: Mapping[str, Json]
) -> Iterator[Section]:
    docstring = model.get("description", "")
    told = meanings(docstring)
    own: list[Setting] = []
    inner: list[Section] = []
    for name, field in model["properties"].items():
        key = f"{prefix}{name}"
        default = defaults.get(name, field.get("default"))
        if (section := _model(field, models)) is not None:
            inner += _sections(f"{key}.", section, models, default if isinstance(default, dict) else {})
            continue
        required = name in model.get("required", ())
        takes, choices = _takes(field), _choices(field)
        own.append(Setting(key, takes, choices or None, required, default, told.get(name, "")))
        if (item := _model(field.get("additionalProperties"), models)) is not None:
            inner += _sections(f"{key}.{ANY_NAME}.", item, models, {})
        if (item := _model(field.get("items"), models)) is not None:
            inner += _sections(f"{key}.{ANY_NUMBER}.", item, models, {})
    yield Section(prefix.removesuffix("."), docstring.partition("\n")[0], tuple(own))
    yield from inner


def _model(schema: object, models: Mapping[str, Schema]) -> Schema | None:
    """Returns the config that a schema refers to, or None if it is a plain value's."""
    if not isinstance(schema, dict) or "$ref" not in schema:
        return None
    model = models[schema["$ref"].rpartition("/")[2]]
    return model if "properties" in model else None


def _takes(schema: Schema) -> str:
    """Returns in words which values a schema takes."""
    if "anyOf" in schema:
        return " or ".join(_takes(one) for one in schema["anyOf"])
    if choices := _choices(schema, deep=False):
        return " | ".join(choices)
    match schema.get("type"):
        case "array":
            return f"list of: {_takes(schema['items'])}"
        case "object":
            return f"table of: {_takes(schema['additionalProperties'])}"
        case "string":
            return "path" if schema.get("format") == "path" else "text"
        case str(kind):
            bounds = [f"{sign} {schema[bound]}" for bound, sign in _BOUNDS.items() if bound in schema]
            return " ".join([_PLAIN[kind], ", ".join(bounds)]).rstrip()
        case _:
            return "settings" if "$ref" in schema and "JsonValue" not in schema["$ref"] else "any value"


def _choices(schema: Schema, *, deep: bool = True) -> tuple[str, ...]:
    """Returns the texts that a schema counts up; `deep` looks into alternatives and items of lists."""
    if "const" in schema:
        return (schema["const"],)
    inside = [*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else [])] if deep else []
    return tuple(schema.get("enum", ())) + tuple(text for one in inside for text in _choices(one))
