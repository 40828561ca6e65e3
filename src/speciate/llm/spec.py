"""The one string that names a model, taken apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from speciate.errors import ConfigError, nearest
from speciate.llm.characters import CHARACTERS, character_names
from speciate.llm.vendors import VENDORS

KINDS: Mapping[str, str] = {
    "openai": "openai:<model>[?api=chat|responses|embeddings]",
    "anthropic": "anthropic:<model>",
    "google": "google:<model>",
    "deepseek": "deepseek:<model>",
    "openrouter": "openrouter:<vendor>/<model>",
    "azure": "azure:<deployment>[?api=chat|responses]",
    "bedrock": "bedrock:<model id>",
    "local": "local:<model>@<url>[?api=chat|completions|embeddings][&key=<environment variable>][&grammar=on]"
    "[&prompts=<variant>]",
    "command": "command:<program and arguments>",
    "spool": "spool:<folder>",
    "scripted": "scripted:<file.toml|file.jsonl>[?choose=order|cycle|hash]",
    "simulated": "simulated:<character>",
    "replay": "replay:<cassette.jsonl>[?model=<recorded spec>]",
}
"""The form of each kind of spec."""


_TAKE_OPTIONS = frozenset({"local", "scripted", "replay", *VENDORS})
"""Kinds whose specs may end in ``?name=value``; a command keeps its question marks."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A model's spec in parts.

    Attributes:
        text: the whole spec, as the user wrote it.
        kind: what stands before the first colon.
        name: what follows: a model, a file, a folder, a character or a command line.
        options: what follows a ``?`` for kinds that take options.
    """

    text: str
    kind: str
    name: str
    options: Mapping[str, str]

    def option(self, name: str, default: str, choices: tuple[str, ...] = ()) -> str:
        """Returns an option's value.

        Raises:
            ConfigError: the value is not one of `choices` (when any are given).
        """
        value = self.options.get(name, default)
        if choices and value not in choices:
            raise ConfigError(f"{self.text!r}: {name} must be one of {', '.join(choices)}, not {value!r}")
        return value

    def allow(self, *names: str) -> None:
        """Raises ConfigError when an option is not one of `names`."""
        for given in self.options:
            if given not in names:
                hint = nearest(given, names)
                raise ConfigError(f"{self.text!r}: unknown option {given!r}{hint}; form: {KINDS[self.kind]}")

    @property
    def model(self) -> str:
        """The bare model name (for ``local:`` without the server)."""
        return self.name.partition("@http")[0] if self.kind == "local" else self.name

    @property
    def embeds(self) -> bool:
        """Whether it names a model that turns texts into vectors."""
        return self.options.get("api") == "embeddings"

    @property
    def provider(self) -> str:
        """What shares one bound on calls in flight: a vendor, or a server's host and port."""
        if self.kind != "local":
            return self.kind
        return f"local@{urlsplit(self.name[len(self.model) + 1 :]).netloc}"


def parse_spec(text: str) -> Spec:
    """Returns a spec in parts.

    Raises:
        ConfigError: the kind or the simulated character is unknown, or nothing follows the kind.
    """
    kind, _, name = text.partition(":")
    if kind not in KINDS:
        forms = ", ".join(f"{known}:" for known in KINDS)
        raise ConfigError(f"unknown model {text!r}{nearest(kind, KINDS)}; a model starts with one of {forms}")
    options: dict[str, str] = {}
    if kind in _TAKE_OPTIONS:
        name, _, query = name.partition("?")
        options = dict(parse_qsl(query, keep_blank_values=True))
    if not name.strip() and kind != "simulated":
        raise ConfigError(f"{text!r} names nothing; form: {KINDS[kind]}")
    if kind == "simulated" and name not in CHARACTERS and name not in (known := character_names()):
        raise ConfigError(
            f"no simulated character {name!r}{nearest(name, known)}; there are {', '.join(known)}"
        )
    return Spec(text, kind, name, options)


def takes_grammar(text: str) -> bool:
    """Returns whether a spec says that its server takes a GBNF grammar; only ``local:`` ones can.

    Raises:
        ConfigError: it is ``local:`` and says something that has no meaning.
    """
    if not text.startswith("local:"):
        return False
    return parse_spec(text).option("grammar", "off", ("on", "off")) == "on"


def prompt_variant(text: str) -> str:
    """Returns the variant of a task's prompts that a spec asks for, or an empty string for the plain ones.

    Only ``local:`` specs can ask for one. Raises ConfigError for one of these that has no meaning.
    """
    return parse_spec(text).option("prompts", "") if text.startswith("local:") else ""


def located(text: str, folder: Path) -> str:
    """Returns a spec whose file or folder no longer depends on where the process stands.

    Args:
        text: a spec; those without a file are returned as they are.
        folder: what relative paths are relative to.

    Raises:
        ConfigError: it is no spec.
    """
    spec = parse_spec(text)
    if spec.kind not in ("scripted", "replay", "spool"):
        return text
    kind, _, rest = text.partition(":")
    return f"{kind}:{rest.replace(spec.name, str(folder / Path(spec.name).expanduser()), 1)}"
