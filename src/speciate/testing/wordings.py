"""Wordings of the system prompt, for tests: an archive told step by step, and a model that varies them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from speciate.records import Choice, Json, Placed, Reworded
from speciate.wordings import Wordings, WordingsConfig

ORIGINAL = "You improve programs. Change one thing at a time, and carry it out completely."


class Archive:
    """Wordings and candidates that are placed as soon as they are chosen."""

    def __init__(self, **settings: object) -> None:
        settings = {"enabled": True, "interval": 4, "trial": 2, "size": 3, **settings}
        self.wordings = Wordings(WordingsConfig.model_validate(settings), ORIGINAL)
        self.issued = 0

    def lived(
        self, wording: int | None, gain: float | None, failure: str | None = None, operator: str = "full"
    ) -> None:
        self.wordings.chosen(Choice(self.issued, 0, 0, 0, operator, "model", (0,), wording=wording))
        self.wordings.placed(Placed(ordinal=self.issued, gain=gain), best=0, failure=failure)
        self.issued += 1

    def made(self, text: str, *, retired: int | None = None, update: int = 1) -> int:
        number = self.wordings.next_number()
        self.wordings.reworded(
            Reworded(ordinal=1, update=update, parent=0, number=number, text=text, retired=retired)
        )
        return number


_ASKED = "Write a\nnew wording that is likely to do better"

ADVICE = (
    "Look at the feedback before you look at the program",
    "Change several things at once where they belong together",
    "Prefer what is simple to what is clever, and numbers to structure",
    "Think of three ways first, then carry out the second",
    "Begin with whatever limits the score most",
)


def write_reworder(path: Path, *, useless: bool = True, delays: Sequence[float] = (0.0,)) -> str:
    """Writes the script of a model that varies wordings; returns its spec.

    The same question gets the same answer, also after a restart, whatever else was asked.

    Args:
        path: a file ending in ``.jsonl``.
        useless: whether some answers cannot be read and some calls fail.
        delays: seconds that replies take, in turn.
    """
    texts = [
        f"You improve programs. {one}; {other.lower()}." for one in ADVICE for other in ADVICE if one != other
    ]
    replies = [f"Summary: {text.split(';')[1].strip()}\n\n```text\n{text}\n```\n" for text in texts]
    lines: list[dict[str, Json]] = [{"match": _ASKED, "reply": reply} for reply in replies]
    if useless:
        lines += [{"match": _ASKED, "reply": "I like it as it is."}, {"match": _ASKED, "reply": ""}] * 2
        lines += [{"match": _ASKED, "error": "refused", "reply": "no"}] * 2
    timed = [{**line, "delay": delays[number % len(delays)]} for number, line in enumerate(lines)]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in timed))
    return f"scripted:{path}?choose=hash"
