"""Finds the prompt to use: the task's own, or the one that ships with speciate."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from speciate.errors import ConfigError, nearest
from speciate.tasks import PLACEHOLDERS, Prompt, Task, parse_prompt


@cache
def load_prompt(name: str) -> Prompt:
    """Returns one of the prompts that ship with speciate.

    Raises:
        ConfigError: there is no such prompt.
    """
    if name not in PLACEHOLDERS:
        raise ConfigError(f"there is no prompt {name!r}{nearest(name, PLACEHOLDERS)}")
    file = resources.files(__package__).joinpath(f"{name}.md")
    return parse_prompt(file.read_text(encoding="utf-8"), where=file.name)


@cache
def load_phrasing(operator: str, phrasing: str) -> Prompt:
    """Returns one of the further ways of asking for an operator.

    Raises:
        ConfigError: there is no such phrasing.
    """
    known = sorted(file.name.removesuffix(".md") for file in _phrasings(operator))
    if phrasing not in known:
        raise ConfigError(
            f"there is no phrasing {phrasing!r} of {operator!r}{nearest(phrasing, known)} "
            f"(known: {', '.join(known) or 'none'})"
        )
    file = resources.files(__package__).joinpath(operator, f"{phrasing}.md")
    return parse_prompt(file.read_text(encoding="utf-8"), where=file.name)


def _phrasings(operator: str) -> list[Traversable]:
    folder = resources.files(__package__).joinpath(operator)
    return [file for file in folder.iterdir() if file.name.endswith(".md")] if folder.is_dir() else []


def brings_own(task: Task, name: str, variant: str = "") -> bool:
    """Says whether the task's own prompt takes the place of ours; see `prompt_for`."""
    return name in task.prompts or f"{name}.{variant}" in task.prompts


def prompt_for(task: Task, name: str, variant: str = "") -> Prompt:
    """Returns the prompt of a name: the task's variant, else the task's own, else ours.

    Args:
        task: the task.
        name: a name of `PLACEHOLDERS`.
        variant: the variant that a model asks for, or an empty string.

    Raises:
        ConfigError: the task has no prompt at all of this variant.
    """
    if variant and not any(known.endswith(f".{variant}") for known in task.prompts):
        variants = sorted({known.partition(".")[2] for known in task.prompts} - {""})
        raise ConfigError(
            f"the task {task.name!r} has no prompts of variant {variant!r}{nearest(variant, variants)} "
            f"(known: {', '.join(variants) or 'none'})"
        )
    own = task.prompts.get(f"{name}.{variant}") or task.prompts.get(name)
    return own or load_prompt(name)


def prompt_identities(task: Task) -> Mapping[str, str]:
    """Returns version and hash of every prompt that the task's runs may use, by name, for their record."""
    ours = {name: load_prompt(name) for name in PLACEHOLDERS}
    for operator in PLACEHOLDERS:
        phrasings = (file.name.removesuffix(".md") for file in _phrasings(operator))
        ours |= {f"{operator}.{phrasing}": load_phrasing(operator, phrasing) for phrasing in phrasings}
    return {name: prompt.identity for name, prompt in sorted({**ours, **task.prompts}.items())}
