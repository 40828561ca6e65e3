"""Reads a new wording from a reply. What makes no sense, or could do harm, is said and never mended."""

from __future__ import annotations

import re
from dataclasses import dataclass

from speciate.patches import fences
from speciate.records import Reply
from speciate.reflection import UnreadableError, tidy, whole_text

LEAST_CHARACTERS = 40
"""Shorter texts are no instructions."""

_SUMMARY = re.compile(r"^\W{0,6}summary\W{0,4}:\W{0,4}(?P<text>[^\n]*)", re.IGNORECASE | re.MULTILINE)
_FORM = re.compile(
    r"`{3}|~{3}|<{4,}|>{4,}|={7}|\{\{|\bSEARCH\s*/\s*REPLACE\b|\bEVOLVE-BLOCK\b|\bSummary:", re.IGNORECASE
)
"""What only the form of an answer is about, which is ours and told elsewhere."""


@dataclass(frozen=True, slots=True)
class NewWording:
    """A wording as it was answered.

    Attributes:
        text: what it says.
        summary: one line on what is different, or an empty string.
    """

    text: str
    summary: str


def read_wording(reply: Reply, *, most: int) -> NewWording:
    """Returns the new wording of a reply.

    Args:
        reply: the reply.
        most: longest wording, in characters.

    Raises:
        UnreadableError: there is no answer, it declines or was cut off, it does not hold exactly one block,
            or the text in it is too short, too long, or tells how to answer.
    """
    said = whole_text(reply)
    blocks = fences(said)
    if len(blocks) != 1:
        raise UnreadableError(f"there should be one fenced block with the wording, there are {len(blocks)}")
    text = _clean(blocks[0].text)
    if len(text) < LEAST_CHARACTERS:
        raise UnreadableError(
            f"the wording has {len(text)} characters; at least {LEAST_CHARACTERS} are needed"
        )
    if len(text) > most:
        raise UnreadableError(f"the wording has {len(text)} characters; at most {most} are taken")
    if form := _FORM.search(text):
        raise UnreadableError(
            f"the wording speaks of the form of the answer ({form[0]!r}), which is not its own"
        )
    summary = _SUMMARY.search(said)
    return NewWording(text, tidy(summary["text"]).strip("* ") if summary else "")


def _clean(text: str) -> str:
    """Returns the text without what cannot be stored or seen: halves of characters, control characters."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    lines = (
        "".join(filter(str.isprintable, line.replace("\t", "    "))).rstrip() for line in whole.splitlines()
    )
    return "\n".join(lines).strip()
