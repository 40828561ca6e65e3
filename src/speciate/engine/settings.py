"""From presets, files and command-line settings to one complete config."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TypeAlias

from pydantic import ValidationError

from speciate.engine.config import RunConfig
from speciate.errors import ConfigError, TaskError, nearest
from speciate.records import Json
from speciate.tasks import Task, explain

Layer: TypeAlias = Mapping[str, Json]
"""Some settings, nested like the config."""


@dataclass(frozen=True, slots=True)
class Keyed:
    """The part of a preset that asks a vendor's models, and so needs a key.

    Attributes:
        vendor: whose, as specs begin.
        about: what it does, in one line.
        settings: what it sets.
    """

    vendor: str
    about: str
    settings: Layer


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of settings that ships with speciate.

    Attributes:
        name: for example ``paper/circle``.
        about: one line on what it is.
        task: the problem it is meant for, or None.
        settings: what it sets.
        keyed: what it sets besides where there are keys.
    """

    name: str
    about: str
    task: str | None
    settings: Layer
    keyed: tuple[Keyed, ...] = ()


def preset_names() -> tuple[str, ...]:
    """Returns the names of all presets, sorted."""
    root = Path(str(resources.files("speciate.engine") / "presets"))
    return tuple(sorted(str(path.relative_to(root).with_suffix("")) for path in root.rglob("*.toml")))


def load_preset(name: str) -> Preset:
    """Loads a preset by name.

    Raises:
        ConfigError: there is none of this name.
    """
    known = preset_names()
    if name not in known:
        raise ConfigError(f"there is no preset {name!r}{nearest(name, known)}; known are {', '.join(known)}")
    file = resources.files("speciate.engine") / "presets" / f"{name}.toml"
    settings = tomllib.loads(file.read_text(encoding="utf-8"))
    head = settings.pop("preset")
    keyed = tuple(Keyed(vendor, **part) for vendor, part in head.get("keyed", {}).items())
    return Preset(name, head["about"], head.get("task"), settings, keyed)


def read_file(path: Path) -> Layer:
    """Reads settings from a TOML file.

    Raises:
        ConfigError: the file cannot be read or is not TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not a text file in UTF-8") from error
    except OSError as error:
        raise ConfigError(f"cannot read settings from {path}: {error.strerror}") from error


def assignment_layer(text: str) -> Layer:
    """Turns ``a.b.0.c=value`` into nested settings; the value is TOML, or else a plain string.

    Raises:
        ConfigError: there is no ``=`` or no key.
    """
    key, equals, value = text.partition("=")
    names = key.strip().split(".")
    if not equals or not all(names):
        raise ConfigError(f"--set takes KEY=VALUE, for example --set population.islands=2, not {text!r}")
    layer: Json = _value(value.strip())
    for name in reversed(names):
        layer = {name: layer}
    assert isinstance(layer, dict)
    return layer


def _value(text: str) -> Json:
    try:
        value: Json = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
    return value


def compose(layers: Iterable[Layer], *, base: RunConfig | None = None) -> RunConfig:
    """Lays settings over each other, later ones on top, and checks the whole.

    Args:
        layers: from the weakest to the strongest.
        base: what lies below them all; None takes the defaults.

    Raises:
        ConfigError: a key is unknown (the nearest known one is named) or a value does not fit.
    """
    defaults = RunConfig().model_dump(mode="json")
    merged: Json = base.model_dump(mode="json") if base else {}
    for layer in layers:
        merged = _lay(merged, layer, defaults, "")
    try:
        return RunConfig.model_validate(merged)
    except ValidationError as error:
        raise ConfigError(explain(error, RunConfig, "settings")) from error


def over_task_defaults(config: RunConfig, task: Task) -> RunConfig:
    """Lays the settings that were set over those that the task brings along.

    Args:
        config: settings; a field counts as set if a layer or a caller named it, whatever its value.
        task: its `defaults` lie below.

    Raises:
        TaskError: the task's defaults are no settings.
        ConfigError: the two contradict each other.
    """
    if not task.spec.defaults:
        return config
    try:
        compose([task.spec.defaults])
    except ConfigError as error:
        raise TaskError(f"task {task.name!r}, defaults: {error}") from error
    return compose([task.spec.defaults, config.model_dump(mode="json", exclude_unset=True)])


def _lay(below: Json, above: Json | Layer, default: Json, where: str) -> Json:
    """Lays one value over another: tables merge, list items are replaced by index, all else is replaced.

    Args:
        below: what was set before, or None.
        above: what goes over it.
        default: whose items are meant by an index as long as the list is not set.
        where: for messages, empty or ending in a dot.
    """
    if not isinstance(above, Mapping):
        return above
    if below is None and isinstance(default, list):
        below = default
    if isinstance(below, list):
        return _lay_items(below, above, where)
    merged = dict(below) if isinstance(below, dict) else {}
    defaults = default if isinstance(default, dict) else {}
    for name, value in above.items():
        merged[name] = _lay(merged.get(name), value, defaults.get(name), f"{where}{name}.")
    return merged


def _lay_items(below: list[Json], above: Layer, where: str) -> Json:
    items = list(below)
    for index, value in above.items():
        if not index.isdigit() or int(index) > len(items):
            raise ConfigError(
                f"{where}{index} names no item of a list with {len(items)}: {len(items)} appends"
            )
        old = items[int(index)] if int(index) < len(items) else None
        items[int(index) : int(index) + 1] = [_lay(old, value, None, f"{where}{index}.")]
    return items
