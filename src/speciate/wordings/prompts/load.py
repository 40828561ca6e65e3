"""Finds the prompts of this room."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Literal, TypeAlias, get_args

from speciate.tasks import Prompt, parse_prompt

PromptName: TypeAlias = Literal["evolve", "keep"]
"""``evolve`` asks for another wording; ``keep`` is ours and follows every wording that a model made."""


@cache
def load_prompt(name: PromptName) -> Prompt:
    """Returns one of the prompts of this room."""
    file = resources.files(__package__).joinpath(f"{name}.md")
    return parse_prompt(file.read_text(encoding="utf-8"), where=file.name)


def wording_identities() -> Mapping[str, str]:
    """Returns version and hash of each prompt, by name, for the record of a run."""
    names: tuple[PromptName, ...] = get_args(PromptName)
    return {f"wordings.{name}": load_prompt(name).identity for name in names}
