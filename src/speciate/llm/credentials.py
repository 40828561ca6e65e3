"""Where keys are found: in the environment, else in the file ``.env`` of the working folder."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from speciate.errors import ConfigError, MissingKeyError
from speciate.llm.dotenv import read_dotenv

DOTENV = ".env"


@dataclass(frozen=True, slots=True)
class Source:
    """A place that variables are read from; its values are never shown."""

    name: str
    values: Mapping[str, str] = field(repr=False)

    def get(self, name: str) -> str | None:
        """Returns a variable without the blanks around it, or None when it is absent or empty."""
        return self.values.get(name, "").strip() or None


@dataclass(frozen=True, slots=True)
class Credential:
    """A key and where it was found.

    Attributes:
        name: the variable that holds it.
        value: the key itself; never shown.
        source: the place; what belongs to the key (a second half, an address) is looked for there first.
    """

    name: str
    value: str = field(repr=False)
    source: Source

    def beside(self, *names: str) -> str | None:
        """Returns the first of these variables that is set where the key is, else in the environment.

        The environment may move a key from a file to another address, but a file may not move a key from the
        environment: it can be anybody's who wrote the folder one stands in.
        """
        for source in (self.source, environment()):
            for name in names:
                if (value := source.get(name)) is not None:
                    return value
        return None


def environment() -> Source:
    """Returns this process's environment as it is now."""
    return Source("the environment", os.environ)


def sources() -> tuple[Source, ...]:
    """Returns the places where keys are looked for, the first one first.

    Raises:
        ConfigError: there is a file ``.env`` that cannot be understood.
    """
    return environment(), Source(DOTENV, read_dotenv(Path(DOTENV)))


def find_credential(names: Sequence[str]) -> Credential | None:
    """Returns the first of several variables that is set, in the first source that has any.

    Raises:
        ConfigError: ``.env`` cannot be understood, or the key has characters that no header can carry.
    """
    for source in sources():
        for name in names:
            if (value := source.get(name)) is not None:
                return Credential(name, _sendable(name, value), source)
    return None


def need_credential(spec: str, *names: str) -> Credential:
    """Returns the key of a model.

    Raises:
        MissingKeyError: it is nowhere; the message names the variables.
    """
    found = find_credential(names)
    if found is None:
        variables = " or ".join(names)
        raise MissingKeyError(
            f"{spec!r} needs a key in the environment variable {variables}, or in {DOTENV} here"
        )
    return found


def _sendable(name: str, value: str) -> str:
    """Refuses a key that a library could not send and would quote in its complaint, in a form of its own."""
    if not value.isascii() or not value.isprintable() or set(value) & set("\"'\\"):
        raise ConfigError(f"the key in {name} holds quotes or other characters that no key has")
    return value
