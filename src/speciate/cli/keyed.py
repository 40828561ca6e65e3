"""The parts of presets that need a key: taken where there is one, and told where there is none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from speciate.engine.settings import Keyed, Layer, Preset
from speciate.llm import EXTRA, VENDORS, find_credential, is_installed


def preset_layers(preset: Preset, over: Sequence[Layer]) -> list[Layer]:
    """Returns the layers of a preset: its settings, and over them the parts that nothing stands against.

    Args:
        preset: the preset.
        over: what will lie over it.

    Raises:
        ConfigError: a key or the file ``.env`` cannot be understood.
    """
    return [preset.settings, *(part.settings for part in preset.keyed if obstacle(part, over) is None)]


def preset_remarks(preset: Preset, over: Sequence[Layer]) -> list[str]:
    """Returns a line for each part that needs a key: that it is on, or why not."""
    lines = []
    for part in preset.keyed:
        against = obstacle(part, over)
        on = "on, since there is a key" if against is None else f"OFF, since {against}"
        lines.append(f"{preset.name}: {part.about}: {on}")
    return lines


def obstacle(part: Keyed, over: Sequence[Layer]) -> str | None:
    """Returns why a part of a preset is left out, or None if it is not.

    A part is taken as a whole or not at all: half of it could contradict what a user sets himself.
    """
    if changed := sorted(_keys(part.settings) & {key for layer in over for key in _keys(layer)}):
        return f"{changed[0]} is set otherwise"
    vendor = VENDORS[part.vendor]
    if find_credential(vendor.keys) is None:
        return f"there is no key in {' or '.join(vendor.keys)}"
    if not all(is_installed(package) for package in ("pydantic_ai", *vendor.packages)):
        return f"its libraries are absent: pip install 'speciate[{EXTRA}]'"
    return None


def _keys(layer: Layer) -> set[str]:
    return set(_leaves(layer, ""))


def _leaves(layer: Layer, before: str) -> Iterable[str]:
    for name, value in layer.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{before}{name}.")
        else:
            yield before + name
