"""Whom candidates of a task may ask while they are evaluated, and how often."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from speciate.tasks.definition import TaskSpec
from speciate.tasks.languages import language


@dataclass(frozen=True, slots=True)
class Gateway:
    """The one pipe out of the sandbox.

    Attributes:
        model: spec of the model that answers.
        calls: most questions about one case.
        max_tokens: most tokens of one answer.
    """

    model: str
    calls: int
    max_tokens: int


def gateway_of(spec: TaskSpec) -> Gateway | None:
    """Returns the gateway that a task's parameters describe, or None where candidates ask nobody."""
    if not spec.evaluation.gateway:
        return None
    model, calls, max_tokens = (spec.parameters[name] for name in ("model", "calls", "max_tokens"))
    assert isinstance(model, str)  # `gateway_problems` was asked when the task was loaded
    assert isinstance(calls, int)
    assert isinstance(max_tokens, int)
    return Gateway(model, calls, max_tokens)


def gateway_problems(spec: TaskSpec) -> Iterator[str]:
    """Yields what is wrong with a definition that lets candidates ask a model, one sentence each."""
    evaluation = spec.evaluation
    if not evaluation.gateway:
        return
    if evaluation.kind != "split" or language(spec.language).name != "python":
        yield 'evaluation.gateway needs kind = "split" and a program in Python'
    if evaluation.company:
        yield "evaluation.gateway and evaluation.company exclude each other"
    if not str(spec.parameters.get("model") or "").strip() or not isinstance(spec.parameters["model"], str):
        yield "evaluation.gateway needs parameters.model, the spec of the model that candidates may ask"
    for name in ("calls", "max_tokens"):
        value = spec.parameters.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            yield f"evaluation.gateway needs parameters.{name}, a number of at least 1, not {value!r}"
