"""What a made-up character writes when it is asked for lines of notes instead of a program.

It looks at the numbers of the programs it is shown and at nothing else: what it says has the right form and
no sense. Advice of this kind tests how notes are kept, counted and dropped, never whether advice helps.
"""

from __future__ import annotations

import re

import numpy as np

from speciate.records import Request

_WANTED = "Answer with these lines and nothing else."
_PROGRAM = re.compile(r"^## Program (\d+)\b", re.MULTILINE)
_MOST = re.compile(r"At most (\d+) lines")
_ACTIONS = ("Halve", "Double", "Negate", "Swap", "Repeat", "Remove", "Move up", "Move down")
_THINGS = ("the first number", "the last number", "the first line", "the last line", "the longest line")
_PLACES = ("of the first block", "of the last block", "before the loop", "after the loop", "inside the loop")


def wants_remarks(request: Request) -> bool:
    """Says whether the prompt asks for lines of notes."""
    return any(_WANTED in message.text for message in request.messages if message.role == "system")


def remarks(request: Request, rng: np.random.Generator) -> str:
    """Returns lines in the form that is asked for: numbered ones if programs are shown, else bullets."""
    told = "\n".join(message.text for message in request.messages if message.role == "user")
    asked = "\n".join(message.text for message in request.messages if message.role == "system")
    if "NUMBER:" in asked:
        return "".join(f"{number}: {_remark(rng)}.\n" for number in _PROGRAM.findall(told))
    most = _MOST.search(asked)
    lines = dict.fromkeys(_remark(rng) for _ in range(int(rng.integers(1, int(most[1] if most else 3) + 1))))
    return "".join(f"- {line}\n" for line in lines)


def _remark(rng: np.random.Generator) -> str:
    parts = (_ACTIONS, _THINGS, _PLACES)
    return " ".join(words[int(rng.integers(len(words)))] for words in parts)
