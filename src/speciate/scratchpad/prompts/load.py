"""Finds the prompts of the scratchpad."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import get_args

from speciate.records import NoteKind
from speciate.tasks import Prompt, parse_prompt


@cache
def load_prompt(kind: NoteKind) -> Prompt:
    """Returns the question for one part of an update."""
    file = resources.files(__package__).joinpath(f"{kind}.md")
    return parse_prompt(file.read_text(encoding="utf-8"), where=file.name)


def scratchpad_identities() -> Mapping[str, str]:
    """Returns version and hash of each prompt, by name, for the record of a run."""
    kinds: tuple[NoteKind, ...] = get_args(NoteKind)
    return {f"scratchpad.{kind}": load_prompt(kind).identity for kind in kinds}
