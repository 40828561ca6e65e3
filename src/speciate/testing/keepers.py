"""Models that keep a scratchpad, for tests: their answers are made of good, half-good and useless lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from speciate.records import Json

_SUMMARIES = "For each of them write one line"
_INSIGHTS = "Write the list of insights anew"
_RECOMMENDATIONS = "Write further ones"

MOST_CANDIDATES = 400
"""Ordinals that the summaries speak of."""


def write_keeper(path: Path, *, useless: bool = True, delays: Sequence[float] = (0.0,)) -> str:
    """Writes a keeper's script; returns the model's spec.

    The same question gets the same answer, also after a restart, whatever else was asked.

    Args:
        path: a file ending in ``.jsonl``.
        useless: whether some answers cannot be read and some calls fail.
        delays: seconds that replies take, in turn.
    """
    summaries = "".join(f"{n}: turned a knob, version {n}\n" for n in range(1, MOST_CANDIDATES + 1))
    lines: list[dict[str, Json]] = [
        {"match": _SUMMARIES, "reply": summaries},
        {"match": _SUMMARIES, "reply": f"Here they are.\n\n{summaries}"},
        {"match": _INSIGHTS, "reply": "- x near 1 is good (3, 5)\n- y counts as much as x (once)\n"},
        {"match": _INSIGHTS, "reply": "1. halving x helps\n2. adding to y beyond 2 hurts\n"},
    ]
    lines += [
        {"match": _RECOMMENDATIONS, "reply": _advice(first, first + 1 + first % 3)} for first in range(12)
    ]
    if useless:
        lines += [
            {"match": _SUMMARIES, "reply": "Nothing of note happened."},
            {"match": _INSIGHTS, "error": "refused", "reply": "no"},
            {"match": _RECOMMENDATIONS, "reply": "I have no further ideas."},
        ]
    timed = [{**line, "delay": delays[number % len(delays)]} for number, line in enumerate(lines)]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in timed))
    return f"scripted:{path}?choose=hash"


def _advice(first: int, last: int) -> str:
    contradiction = " (contradicts 1)" if first % 4 == 3 else ""
    return "".join(f"- set x to {k} and y to {k + 1}{contradiction}\n" for k in range(first, last + 1))
