"""What can be wrong with a reply before its patch is looked at."""

from __future__ import annotations

import re

from speciate.records import Rejected, Reply

_SUMMARY = re.compile(r"^\W{0,6}summary\W{0,4}:\W{0,4}(?P<text>[^\n]*)", re.IGNORECASE | re.MULTILINE)
_SUMMARY_CHARACTERS = 200


def clean(text: str) -> str:
    """Returns `text` with halves of surrogate pairs replaced, which no file and no JSON can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def unusable(reply: Reply, *, attempt: int, max_chars: int) -> Rejected | None:
    """Returns why there is nothing to read in a reply, or None when there is.

    A reply that was cut short is not read: half a program may well be a program, and not the one meant.

    Args:
        reply: the model's answer.
        attempt: the attempt it belongs to.
        max_chars: longest reply that is read, in characters.
    """
    if reply.error is not None:
        reason, message = "provider", reply.error
    elif reply.declined:
        reason, message = "refused", "The model declined to answer."
    elif reply.cut:
        reason, message = "cut", "The answer was cut off at its greatest length. Answer more briefly."
    elif len(reply.text) > max_chars:
        reason = "too_large"
        message = f"The answer had {len(reply.text)} characters; at most {max_chars} are read."
    elif not reply.text.strip():
        reason, message = "empty", "The answer was empty."
    else:
        return None
    return Rejected("propose", reason, message, attempt)


def summary_of(text: str) -> str:
    """Returns what follows ``Summary:`` in a reply, on one line and bounded; empty when it is missing."""
    match = _SUMMARY.search(text)
    return "".join(filter(str.isprintable, match["text"])).strip("* ")[:_SUMMARY_CHARACTERS] if match else ""
