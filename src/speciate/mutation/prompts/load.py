"""Reads prompt files and fills in their placeholders."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources

from speciate.errors import ConfigError, nearest

PROMPTS = ("system", "diff", "full", "crossover", "fix", "retry")
"""The prompts that ship with speciate."""

_HEAD = re.compile(r"---\n(?P<head>.*?)\n---\n(?P<body>.*)", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")


@dataclass(frozen=True)
class Prompt:
    """A text with placeholders such as ``{{rules}}``.

    Attributes:
        name: what it is for.
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

    def render(self, values: Mapping[str, str]) -> str:
        """Returns the text with every placeholder filled in.

        Values are taken as they are: braces inside them, as templates in a program have, are left alone.

        Raises:
            ConfigError: a placeholder has no value, or a value has no placeholder.
        """
        for name in sorted(self.placeholders ^ values.keys()):
            known = values if name in self.placeholders else self.placeholders
            kind = (
                "no value for the placeholder"
                if name in self.placeholders
                else "no placeholder for the value"
            )
            raise ConfigError(f"prompt {self.name!r}: {kind} {name!r}{nearest(name, known)}")
        return _PLACEHOLDER.sub(lambda match: values[match[1]], self.text)


def parse_prompt(source: str, *, where: str) -> Prompt:
    """Reads a prompt file's contents.

    Args:
        source: the file's text: a head between lines of ``---`` with name and version, then the prompt.
        where: the file's name, for messages.

    Raises:
        ConfigError: the head is missing or says something else.
    """
    match = _HEAD.fullmatch(source.replace("\r\n", "\n"))
    head = dict(re.findall(r"^(\w+):\s*(\S+)\s*$", match["head"], re.MULTILINE)) if match else {}
    if match is None or head.keys() != {"name", "version"} or not head["version"].isdecimal():
        raise ConfigError(f"{where}: a prompt begins with ---, name: <word>, version: <whole number>, ---")
    return Prompt(head["name"], int(head["version"]), match["body"].strip("\n"))


@cache
def load_prompt(name: str) -> Prompt:
    """Returns one of the prompts that ship with speciate.

    Raises:
        ConfigError: there is no such prompt.
    """
    if name not in PROMPTS:
        raise ConfigError(f"there is no prompt {name!r}{nearest(name, PROMPTS)}")
    file = resources.files(__package__).joinpath(f"{name}.md")
    return parse_prompt(file.read_text(encoding="utf-8"), where=file.name)


def prompt_versions() -> Mapping[str, int]:
    """Returns the version of every prompt, for a run's record of what it rests on."""
    return {name: load_prompt(name).version for name in PROMPTS}
