"""What a model answered that looks back on a run. What makes no sense is said, never guessed."""

from __future__ import annotations

from speciate.records import Reply

MOST_CHARACTERS = 500
"""Of one line; longer ones are cut."""


class UnreadableError(Exception):
    """A reply is of no use; the message says why. Never leaves the room that reads it."""


def check_answered(reply: Reply) -> None:
    """Checks that the model answered.

    Raises:
        UnreadableError: no answer came.
    """
    if reply.error is not None:
        raise UnreadableError(f"no answer: {reply.error}"[:MOST_CHARACTERS])


def whole_text(reply: Reply) -> str:
    """Returns an answer that is only of use as a whole.

    Raises:
        UnreadableError: there is none, the model declined, it is empty or was cut off.
    """
    check_answered(reply)
    if reply.declined:
        raise UnreadableError("the model declined to answer")
    if reply.cut:
        raise UnreadableError("the answer was cut off")
    if not reply.text.strip():
        raise UnreadableError("the answer was empty")
    return reply.text


def whole_lines(reply: Reply, what: str) -> list[str]:
    """Returns the lines of an answer; of one that was cut off all but the last.

    Args:
        reply: the answer.
        what: what was asked for, for messages.

    Raises:
        UnreadableError: no answer came, or nothing whole is in it.
    """
    check_answered(reply)
    lines = reply.text.splitlines()
    if reply.cut:
        lines = lines[:-1]  # the last one is half a line
        if not lines:
            raise UnreadableError(f"the {what} were cut off")
    return lines


def tidy(text: str) -> str:
    """Returns one printable line of bounded length."""
    return "".join(filter(str.isprintable, text)).strip()[:MOST_CHARACTERS]
