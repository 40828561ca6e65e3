"""Prompts for models that write Redcode, with the rules of the battle filled in."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Final

from speciate.problems.corewar.settings import Settings
from speciate.tasks import Prompt, task_prompt

COMPACT: Final = "compact"
"""Variant of the prompts for small models: a specification of a quarter of the length, bare requests."""

_NAMES: Final = ("system", "new", "full", "crossover", "fix", "retry")


def redcode_prompts(settings: Settings) -> Mapping[str, Prompt]:
    """Returns the prompts of a Core War task, plain and compact ones, by name.

    Args:
        settings: the rules that the specification tells of.
    """
    values = {
        "core_size": str(settings.core_size),
        "cycles": str(settings.cycles),
        "processes": str(settings.processes),
        "max_length": str(settings.max_length),
        "min_distance": str(settings.min_distance),
    }
    stems = [*_NAMES, *(f"{name}.{COMPACT}" for name in _NAMES)]
    folder = resources.files(__package__).joinpath("texts")
    return {
        stem: task_prompt(
            folder.joinpath(f"{stem}.md").read_text(encoding="utf-8"), stem=stem, where=stem, values=values
        )
        for stem in stems
    }
