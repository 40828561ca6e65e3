"""What a model that looks back is told of one candidate. Private metrics have no way in here."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from speciate.records import Objective, Ordinal, Outcome, Program, fence_for


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is told of one candidate.

    Attributes:
        change_chars: characters of what it changed.
        feedback_chars: characters of the feedback on it.
    """

    change_chars: int
    feedback_chars: int


@dataclass(frozen=True, slots=True)
class Story:
    """A candidate that has ended.

    Attributes:
        ordinal: its number.
        operator: how it was made.
        parent: the ordinal of its first parent, or None for one made from nothing.
        parent_score: the parent's first objective, higher is better, or None.
        summary: one line from its proposer.
        program: its program, or None if it was turned away.
        origin: its parent's program, or None.
        outcome: how it did, or None if it was never evaluated.
        rejection: why it was turned away, or an empty string.
        gain: how far it lies above the better of parent and initial program, or None.
    """

    ordinal: Ordinal
    operator: str
    parent: Ordinal | None
    parent_score: float | None
    summary: str
    program: Program | None
    origin: Program | None
    outcome: Outcome | None
    rejection: str
    gain: float | None


def tell(story: Story, objective: Objective, bounds: Bounds) -> str:
    """Returns a candidate's story in Markdown.

    Args:
        story: the candidate.
        objective: the task's first objective.
        bounds: how much is shown.
    """
    by = f"program {story.parent} changed" if story.parent is not None else "made from nothing"
    lines = [f"## Program {story.ordinal} ({by}, {story.operator})", "", _ending(story, objective)]
    if story.summary:
        lines.append(f"Its maker says: {_short(story.summary, bounds.feedback_chars)}")
    if said := _feedback(story.outcome):
        lines += ["Feedback:", *fenced(_short(said, bounds.feedback_chars))]
    if story.program is not None:
        change = changed(story.origin, story.program)
        lines += ["What is different:", *fenced(_short(change, bounds.change_chars), "diff")]
    return "\n".join(lines) + "\n\n"


def changed(old: Program | None, new: Program) -> str:
    """Returns a unified diff over all files, without context lines far from a change."""
    before = {} if old is None else dict(old.files)
    lines: list[str] = []
    for name, text in new.files:
        lines += difflib.unified_diff(
            before.get(name, "").splitlines(), text.splitlines(), name, name, lineterm="", n=2
        )
    return "\n".join(lines)


def show(program: Program, limit: int) -> str:
    """Returns a program's files in fences, cut where they are longer than `limit` characters together."""
    text = "\n".join(
        text if len(program.files) == 1 else f"# file: {name}\n{text}" for name, text in program.files
    )
    return "\n".join(fenced(_short(text, limit))) + "\n"


def _ending(story: Story, objective: Objective) -> str:
    outcome = story.outcome
    if outcome is None:
        return f"It was turned away before it ran: {story.rejection or 'no reason recorded'}"
    if outcome.failure is not None:
        return f"It failed ({outcome.failure.kind}): {outcome.failure.message}"
    assert outcome.result is not None  # an outcome has either
    better = "lower is better" if objective.direction == "minimize" else "higher is better"
    score = f"Score: {objective.name} = {objective.outward(outcome.result.objectives[0]):.8g} ({better})"
    if story.parent_score is None:
        return score
    verdict = "an improvement" if story.gain is not None and story.gain > 0 else "no improvement"
    return f"{score}; its parent has {objective.outward(story.parent_score):.8g}: {verdict}"


def _feedback(outcome: Outcome | None) -> str:
    if outcome is None:
        return ""
    return outcome.failure.feedback if outcome.failure else outcome.result.feedback if outcome.result else ""


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}\n[{len(text) - limit} characters left out]"


def fenced(text: str, info: str = "") -> list[str]:
    """Returns the lines of a fenced block that nothing inside can close."""
    fence = fence_for(text)
    return [f"{fence}{info}", text, fence]
