"""How programs and their results look in a prompt. Private metrics have no way in here."""

from __future__ import annotations

import json
from collections.abc import Mapping

from speciate.records import Entry, Outcome, Program, Result, Scalar, fence_for
from speciate.tasks import Task

_METRIC_CHARACTERS = 200


def fenced(text: str, info: str = "") -> tuple[str, str, str]:
    """Returns opening, text and closing of a fenced block that nothing inside can close.

    The text is a piece of its own and unchanged, so that a store keeps a program and its quotations once.
    """
    fence = fence_for(text)
    return f"{fence}{info}\n", text, f"{'' if text.endswith(chr(10)) else chr(10)}{fence}\n"


def capped(text: str, limit: int) -> str:
    """Returns `text`, its middle left out where it is longer than `limit` characters.

    Two thirds of what stays come from the beginning, one third from the end, where tracebacks say what broke.
    """
    if len(text) <= limit:
        return text
    head, tail = 2 * limit // 3, limit // 3
    return f"{text[:head]}\n[{len(text) - head - tail} characters left out]\n{text[len(text) - tail :]}"


def program_parts(program: Program, language: str) -> list[str]:
    """Returns the program's files as fenced blocks, each under its name where there are several."""
    parts: list[str] = []
    for name, text in program.files:
        opening, body, closing = fenced(text, language)
        parts += [f"file: {name}\n{opening}" if len(program.files) > 1 else opening, body, closing]
    return parts


def standing(entry: Entry, task: Task) -> str:
    """Returns how the program did: objectives as the user counts them and public metrics, or its failure."""
    outcome, when = entry.outcome, " in an earlier round, in other company" if entry.earlier else ""
    if outcome.result is None:
        kind = outcome.failure.kind if outcome.failure else "unknown"
        return f"It failed{when} and has no score. Kind of failure: {kind}.\n"
    scores = (
        f"- {objective.name} = {_number(objective.outward(score))} ({direction(objective.direction)})"
        for objective, score in zip(task.objectives, outcome.result.objectives, strict=True)
    )
    lines = [f"Score{when}:", *scores]
    said = {objective.name for objective in task.objectives}
    if besides := {name: value for name, value in outcome.result.public.items() if name not in said}:
        lines += ["Measured besides:", *_metrics(besides)]
    return "\n".join(lines) + "\n"


def direction(name: str) -> str:
    """Returns what is better, in words."""
    return "lower is better" if name == "minimize" else "higher is better"


def feedback(outcome: Outcome) -> str:
    """Returns all text of an outcome that may reach prompts; empty when there is none."""
    if outcome.failure is not None:
        return "\n".join(text for text in (outcome.failure.message, outcome.failure.feedback) if text)
    return _result_feedback(outcome.result) if outcome.result else ""


def _result_feedback(result: Result) -> str:
    if result.feedback:
        return result.feedback
    return "\n".join(f"{case.case}: {case.feedback}" for case in result.cases if case.feedback)


def _metrics(metrics: Mapping[str, Scalar]) -> list[str]:
    return [f"- {name} = {_metric(value)}" for name, value in metrics.items()]


def _metric(value: Scalar) -> str:
    if isinstance(value, float):
        return _number(value)
    return json.dumps(value, ensure_ascii=False)[:_METRIC_CHARACTERS]  # one line, whatever the text holds


def _number(value: float) -> str:
    return f"{value:.10g}"
