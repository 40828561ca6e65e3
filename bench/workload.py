"""A made-up run of any length: programs of 1.5 KB, replies that change them, a score that says nothing."""

from __future__ import annotations

import json
import random
from pathlib import Path

from speciate.records import Context, Program, Result
from speciate.tasks import EvaluationSpec, ObjectiveSpec, Task, TaskSpec

ANCHOR = "    # further steps"
"""A line that every program has once, so that a diff written in advance fits any of them."""

_PLACES = 26
_DIFF_PROMPT = "<<<<<<< SEARCH"
_REWRITE_PROMPT = "the whole file in one fenced code block"


def constant(program: Program, context: Context) -> Result:
    """Scores every program alike."""
    return Result((1.0,))


def task() -> Task:
    """Returns the task: a program of 1.5 KB, scored in the engine's own process."""
    spec = TaskSpec(
        name="constant",
        description="Place 26 circles in the unit square so that the sum of their radii is large.",
        objectives=(ObjectiveSpec(name="score"),),
        evaluation=EvaluationSpec(kind="trusted"),
    )
    return Task(spec, Program.of({"initial.py": source(lines(random.Random(0)))}), trusted=constant)


def lines(rng: random.Random) -> list[str]:
    """Returns the lines of a program that differ from one rewrite to the next."""
    return [f"        ({rng.random():.4f}, {rng.random():.4f}, 0.05)," for _ in range(_PLACES)]


def source(places: list[str]) -> str:
    """Returns a program's text."""
    return "\n".join(
        [
            '"""Circles in the unit square: centres by hand, radii by a rule."""',
            "import math",
            "",
            "# EVOLVE-BLOCK-START",
            "def construct():",
            '    """Returns (x, y, radius) of each circle."""',
            "    circles = [",
            *places,
            "    ]",
            ANCHOR,
            "    placed = []",
            "    for x, y, radius in circles:",
            "        radius = min(radius, x, y, 1.0 - x, 1.0 - y)",
            "        for a, b, r in placed:",
            "            distance = math.hypot(x - a, y - b)",
            "            radius = max(0.0, min(radius, distance - r))",
            "        placed.append((x, y, radius))",
            "    return placed",
            "# EVOLVE-BLOCK-END",
            "",
        ]
    )


def write_script(path: Path, candidates: int, *, delays: list[float] | None = None) -> None:
    """Writes replies for a run: as many diffs as rewrites, each enough and to spare.

    Args:
        path: the file.
        candidates: how many candidates the run has.
        delays: seconds that each reply takes, dealt out in turn; None for none.
    """
    rng = random.Random(1)
    places = lines(rng)
    count = candidates // 2 + 4 * int(candidates**0.5) + 40
    with path.open("w") as file:
        for number in range(count):
            places[rng.randrange(_PLACES)] = lines(rng)[0]
            for turn, (match, text) in enumerate(
                ((_DIFF_PROMPT, _diff(number)), (_REWRITE_PROMPT, _rewrite(places)))
            ):
                line = {"reply": text, "match": match}
                delay = 0.0 if delays is None else delays[(2 * number + turn) % len(delays)]
                file.write(json.dumps({**line, "delay": delay}) + "\n")


def _diff(number: int) -> str:
    step = f"    circles.sort(key=lambda c: c[0] * {number}.25 + c[1])\n"
    return (
        f"Summary: place them in another order.\n\n<<<<<<< SEARCH\n{ANCHOR}\n=======\n"
        f"{step}{ANCHOR}\n>>>>>>> REPLACE\n"
    )


def _rewrite(places: list[str]) -> str:
    return f"Summary: move two circles.\n\n```python\n{source(places)}```\n"
