"""A gateway that answers from a list, for tests of whatever asks models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from speciate.records import Ordinal, Reply, Request, Usage

Answer = str | Reply | Callable[[Request], str]
"""What to say: a text, a whole reply, or a function of the request."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request that was really asked."""

    model: str
    request: Request
    ordinal: Ordinal
    attempt: int
    purpose: str


class ScriptedGateway:
    """A `ModelGateway` in memory: gives its answers in order, and a recorded reply again without asking.

    Attributes:
        calls: requests that were asked, in order; repeats answered from the record are not among them.
    """

    def __init__(self, answers: Sequence[Answer]) -> None:
        """Takes the answers in order. Asking more often than there are answers is an AssertionError."""
        self.calls: list[Call] = []
        self._answers = list(answers)
        self._record: dict[tuple[Ordinal, int, str], Reply] = {}

    async def ask(
        self, model: str, request: Request, *, ordinal: Ordinal, attempt: int, purpose: str
    ) -> Reply:
        """See `ModelGateway`."""
        key = (ordinal, attempt, purpose)
        if key not in self._record:
            assert self._answers, f"{model} was asked once too often: {key}"
            answer = self._answers.pop(0)
            self.calls.append(Call(model, request, ordinal, attempt, purpose))
            self._record[key] = _reply(answer, request, model)
        return self._record[key]


def _reply(answer: Answer, request: Request, model: str) -> Reply:
    if isinstance(answer, Reply):
        return answer
    text = answer if isinstance(answer, str) else answer(request)
    return Reply(text, model, Usage(calls=1, input_tokens=1, output_tokens=1))
