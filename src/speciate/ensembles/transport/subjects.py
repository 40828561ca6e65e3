"""How ensembles, nodes and messages are called at the broker.

Names may hold dots, which part a subject there. They travel as ``=``, which no name holds.
"""

from __future__ import annotations

import re
from typing import Final

from speciate.records import MessageId

BUCKET: Final = "speciate-nodes"
"""Who holds which name, in all ensembles of the broker."""
_LONGEST = 64
_STRANGE = re.compile(r"[^A-Za-z0-9._-]")


def stream_of(ensemble: str) -> str:
    """Returns the stream that is an ensemble's log."""
    return f"speciate-{_token(ensemble)}"


def everything(ensemble: str) -> str:
    """Returns the pattern of all subjects of an ensemble."""
    return f"speciate.{_token(ensemble)}.>"


def announcements(ensemble: str, node: str | None = None, incarnation: str | None = None) -> str:
    """Returns the pattern of an ensemble's, a node's or an incarnation's announcements."""
    parts = [each for each in (node, incarnation) if each is not None]
    return ".".join(["speciate", _token(ensemble), "announce", *map(_token, parts), ">"])


def announcement(ensemble: str, message: MessageId) -> str:
    """Returns the subject of one announcement. No other message has it, so that it is in the log once."""
    return f"speciate.{_token(ensemble)}.announce.{_path(message)}"


def champion(ensemble: str, message: MessageId) -> str:
    """Returns the subject of the program behind an announcement."""
    return f"speciate.{_token(ensemble)}.champion.{_path(message)}"


def sender_of(subject: str) -> str:
    """Returns the node in whose name an announcement stands in the log.

    Anybody may make a subject up, and the name is shown on terminals: what no name holds becomes ``?``.
    """
    parts = subject.split(".")
    return _STRANGE.sub("?", parts[3].replace("=", "."))[:_LONGEST] if len(parts) > 3 else ""


def round_of(subject: str) -> int | None:
    """Returns the round of an announcement, or None if somebody made the subject up."""
    last = subject.rsplit(".", 1)[-1]
    return int(last) if last.isdecimal() and last.isascii() else None


def claim(ensemble: str, node: str) -> str:
    """Returns the key under which a node's name is held."""
    return f"{_token(ensemble)}.{_token(node)}"


def claims(ensemble: str) -> str:
    """Returns the pattern of all keys of an ensemble."""
    return f"{_token(ensemble)}.*"


def node_of(key: str) -> str:
    """Returns the node that a key is about."""
    return key.rsplit(".", 1)[-1].replace("=", ".")


def _path(message: MessageId) -> str:
    return f"{_token(message.node)}.{_token(message.incarnation)}.{message.round}"


def _token(name: str) -> str:
    return name.replace(".", "=")
