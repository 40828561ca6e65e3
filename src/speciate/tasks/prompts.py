"""Prompt files: speciate ships one of each, and a task may bring its own instead.

A file is Markdown with a head between lines of ``---`` that gives name and version. Its text may hold
placeholders such as ``{{answer}}``. A file ``NAME.VARIANT.md`` is a variant, for models that ask for it by a
word in their spec: a specification cut short for a small model, for example.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Final

from speciate.errors import ConfigError, TaskError, nearest
from speciate.records import text_hash

_OPERATOR: Final = frozenset({"answer", "rules"})

PLACEHOLDERS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "system": frozenset[str](),
        "new": _OPERATOR,
        "diff": _OPERATOR,
        "full": _OPERATOR,
        "crossover": _OPERATOR,
        "fix": _OPERATOR,
        "retry": frozenset({"answer", "problem"}),
    }
)
"""Every prompt, by name, and the placeholders it may hold: ``answer`` says what the answer must be, as the
object of "give"; ``rules`` are lines that every answer must keep to; ``problem`` is why an answer was of no
use."""

_HEAD = re.compile(r"---\n(?P<head>.*?)\n---\n(?P<body>.*)", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")
_VARIANT = re.compile(r"\w[\w-]*")
_HASH_DIGITS = 12


@dataclass(frozen=True)
class Prompt:
    """A text with placeholders.

    Attributes:
        name: what it is for: a name of `PLACEHOLDERS`, or one followed by a dot and a variant.
        version: goes up with every change of wording, so that results can name what they rest on.
        text: the text, without its head.
    """

    name: str
    version: int
    text: str

    @cached_property
    def placeholders(self) -> frozenset[str]:
        """Names that `render` must be given."""
        return frozenset(_PLACEHOLDER.findall(self.text))

    @cached_property
    def identity(self) -> str:
        """Version and a hash of the text, for a run's record of what it rests on: ``2-3f09c1aa27de``."""
        return f"{self.version}-{text_hash(self.text)[:_HASH_DIGITS]}"

    def render(self, values: Mapping[str, str]) -> str:
        """Returns the text with every placeholder filled in; values that it does not ask for are left out.

        Values are taken as they are: braces inside them, as templates in a program have, are left alone.

        Raises:
            ConfigError: a placeholder has no value.
        """
        for name in sorted(self.placeholders - values.keys()):
            raise ConfigError(
                f"prompt {self.name!r}: no value for the placeholder {name!r}{nearest(name, values)}"
            )
        return self.filled(values).text

    def filled(self, values: Mapping[str, str]) -> Prompt:
        """Returns the prompt with the placeholders filled in that `values` has a text for; others stay."""
        return replace(self, text=_PLACEHOLDER.sub(lambda m: values.get(m[1], m[0]), self.text))


def parse_prompt(source: str, *, where: str) -> Prompt:
    """Reads a prompt file's contents.

    Args:
        source: the file's text.
        where: the file's name, for messages.

    Raises:
        TaskError: the head is missing or says something else.
    """
    match = _HEAD.fullmatch(source.replace("\r\n", "\n"))
    head = dict(re.findall(r"^(\w+):\s*(\S+)\s*$", match["head"], re.MULTILINE)) if match else {}
    if match is None or head.keys() != {"name", "version"} or not head["version"].isdecimal():
        raise TaskError(f"{where}: a prompt begins with ---, name: <word>, version: <whole number>, ---")
    return Prompt(head["name"], int(head["version"]), match["body"].strip("\n"))


def task_prompt(source: str, *, stem: str, where: str, values: Mapping[str, str] | None = None) -> Prompt:
    """Reads a prompt that a task brings along.

    Args:
        source: the file's text.
        stem: the file's name without ``.md``: ``full`` or ``full.compact``.
        where: the file's place, for messages.
        values: what the task fills in itself, by placeholder; None for nothing.

    Raises:
        TaskError: the head is wrong or belongs to another file, there is no prompt of this name, or it holds
            a placeholder that nothing fills.
    """
    name, dot, variant = stem.partition(".")
    if name not in PLACEHOLDERS:
        names = ", ".join(PLACEHOLDERS)
        raise TaskError(f"{where}: there is no prompt {name!r}{nearest(name, PLACEHOLDERS)} (known: {names})")
    if dot and not _VARIANT.fullmatch(variant):
        raise TaskError(f"{where}: a variant is one word, as in {name}.compact.md")
    prompt = parse_prompt(source, where=where).filled(values or {})
    if prompt.name != stem:
        raise TaskError(f"{where}: its head says name: {prompt.name}; expected name: {stem}")
    for unknown in sorted(prompt.placeholders - PLACEHOLDERS[name]):
        known = [*sorted(PLACEHOLDERS[name]), *(values or {})]
        raise TaskError(
            f"{where}: nothing fills the placeholder {unknown!r}{nearest(unknown, known)} "
            f"(known: {', '.join(known) or 'none'})"
        )
    return prompt
