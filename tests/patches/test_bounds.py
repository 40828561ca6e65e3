"""Large and crooked replies and programs cost a bounded amount of work."""

from __future__ import annotations

import pytest

from speciate.patches import PatchFailure, apply_full_text, apply_search_replace
from speciate.patches.fuzzy import Work, near_windows
from speciate.patches.markers import documents
from speciate.records import Program, text_hash
from speciate.tasks import ObjectiveSpec, Task, TaskSpec

SPEC = TaskSpec(name="t", objectives=(ObjectiveSpec(name="score"),))


def program(lines: list[str]) -> Program:
    return Program.of({"initial.py": "\n".join(["# EVOLVE-BLOCK-START", *lines, "# EVOLVE-BLOCK-END", ""])})


def line(number: int, step: str = "step") -> str:
    """Returns a line unlike all others."""
    return f"{step}({text_hash(str(number))})"


LONG = program([line(number) for number in range(20_000)])
TASK = Task(spec=SPEC, initial=LONG)

CROOKED = {
    "openers": "<<<<<<< SEARCH\n" * 70_000,
    "dividers": "<<<<<<< SEARCH\n" + "=======\n" * 130_000,
    "fences": "```\nx\n```\n" * 100_000,
    "unclosed fences": "```a\n~~~~\n" * 100_000,
    "ticks": "`" * 1_000_000,
    "spaces after file": "file:" + " " * 900_000 + "!\n<<<<<<< SEARCH\nx\n=======\n>>>>>>> REPLACE",
    "dashes": "-" * 900_000 + "\n<<<<<<< SEARCH\nx\n=======\n>>>>>>> REPLACE",
    "one long line": "<<<<<<< SEARCH\n" + "a b" * 330_000 + "\n=======\nx\n>>>>>>> REPLACE",
    "near markers": "```\n#" + "-" * 900_000 + "EVOLVE-BLOCK-STAR\n```",
    "markers": "```\n" + "# EVOLVE-BLOCK-START\n" * 45_000 + "```",
    "info string": "```" + "x" * 900_000 + "\nx\n```",
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("reply", CROOKED.values(), ids=CROOKED.keys())
def test_a_crooked_reply_of_a_megabyte_gets_an_answer(reply: str) -> None:
    assert isinstance(apply_search_replace(LONG, reply, TASK), PatchFailure)
    assert isinstance(apply_full_text(LONG, reply, TASK), Program | PatchFailure)


def misquoted(number: int, count: int) -> str:
    lines = [line(i, step="stepp") for i in range(number, number + count)]
    return "<<<<<<< SEARCH\n" + "\n".join(lines) + "\n=======\npass\n>>>>>>> REPLACE\n"


def test_likeness_works_in_a_long_program_until_the_allowance_is_used_up() -> None:
    assert isinstance(apply_search_replace(LONG, misquoted(7_000, 3), TASK), Program)
    several = "".join(misquoted(100 * i, 3) for i in range(10))
    failure = apply_search_replace(LONG, several, TASK)
    assert isinstance(failure, PatchFailure)
    assert "too much text to look for lines that are only alike" in failure.message


def test_a_used_up_allowance_finds_nothing() -> None:
    (document,) = documents(LONG, TASK)
    assert near_windows(document, ["step(7)"], Work(scanned=10)) == []
    assert near_windows(document, ["step(7)"], Work(compared=-1)) == []
    assert near_windows(document, ["step(7)"], Work())[0].ratio > 0.2
