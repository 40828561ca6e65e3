"""A model's word on whether a program that is much like another is still worth a try."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final, Literal, TypeAlias

from speciate.novelty.base import Screening
from speciate.records import Message, ModelGateway, Ordinal, Program, Reply, Request, Sampling, fence_for
from speciate.tasks import Prompt, TaskSpec, parse_prompt

PURPOSE: Final = "judge"
"""Purpose of a judge's calls."""

Said: TypeAlias = Literal["novel", "not_novel", "undecided"]
"""A judge's verdict. Whatever is no clear yes or no is ``undecided``."""

_VERDICT = re.compile(r"^[\W_]*verdict\W*:\W*(?P<word>.*?)[\W_]*$", re.IGNORECASE | re.MULTILINE)
_REASON = re.compile(r"^[\W_]*reason\W*:\W*(?P<text>[^\n]*)", re.IGNORECASE | re.MULTILINE)
_WORDS: dict[str, Said] = {"novel": "novel", "not novel": "not_novel"}
_REASON_CHARS = 300


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge said.

    Attributes:
        said: the verdict.
        reason: one line from the judge, or why there is no verdict.
    """

    said: Said
    reason: str = ""


@cache
def judge_prompt() -> Prompt:
    """Returns the judge's instructions."""
    file = resources.files("speciate.novelty").joinpath("prompts", "judge.md")
    return parse_prompt(file.read_text(encoding="utf-8"), where=file.name)


def read_judgement(reply: Reply) -> Judgement:
    """Returns what a reply says. Only one clear verdict is one: no reply, half a reply, none or two of them
    that contradict each other are `undecided`."""
    if reply.error is not None:
        return Judgement("undecided", f"the judge did not answer: {reply.error}"[:_REASON_CHARS])
    if reply.cut:
        return Judgement("undecided", "the judge's answer was cut off")
    words = [re.sub(r"[\W_]+", " ", match["word"]).lower().strip() for match in _VERDICT.finditer(reply.text)]
    said = {_WORDS.get(word) for word in words}
    if len(said) != 1 or (verdict := said.pop()) is None:
        return Judgement("undecided", "the judge gave no clear verdict")
    reason = _REASON.search(reply.text)
    text = "".join(filter(str.isprintable, reason["text"])).strip("* ") if reason else ""
    return Judgement(verdict, text[:_REASON_CHARS])


class Judge:
    """Asks a model about a suspicious program, once an attempt.

    Args:
        model: the model's spec.
        gateway: asks it.
        program: returns an earlier candidate's program.
        spec: the task's.
        tokens: most tokens of a reply.
        chars: most characters of each program; longer ones are not judged.
    """

    def __init__(
        self,
        model: str,
        gateway: ModelGateway,
        program: Callable[[Ordinal], Program],
        spec: TaskSpec,
        *,
        tokens: int,
        chars: int,
    ) -> None:
        self._model = model
        self._gateway = gateway
        self._program = program
        self._spec = spec
        self._tokens = tokens
        self._chars = chars

    async def judge(self, screening: Screening, nearest: Ordinal) -> Judgement:
        """Returns what the model says of a program beside the one that it is most like.

        Programs that are too long to be shown whole are undecided: where they differ might be what was cut.

        Raises:
            BudgetExceededError: the call would pass a cap.
        """
        shown = _shown(self._program(nearest)), _shown(screening.program)
        if max(map(len, shown)) > self._chars:
            return Judgement("undecided", f"the programs are longer than {self._chars} characters")
        reply = await self._gateway.ask(
            self._model,
            self._request(screening, *shown),
            ordinal=screening.ordinal,
            attempt=screening.attempt,
            purpose=PURPOSE,
        )
        return read_judgement(reply)

    def _request(self, screening: Screening, earlier: str, new: str) -> Request:
        parts = (
            f"# Task\n\n{self._spec.description.strip()}\n\n",
            "# The earlier program\n\n",
            earlier,
            "\n\n# The new program\n\n",
            new,
            "\n",
        )
        # The seed makes the request this candidate's own, so that a recording tells two of them apart.
        seed = int(screening.random(PURPOSE).integers(2**31))
        sampling = Sampling(max_tokens=self._tokens, temperature=0.0, seed=seed)
        return Request((Message("system", (judge_prompt().text,)), Message("user", parts)), sampling)


def _shown(program: Program) -> str:
    """Returns a program in a fence that nothing in it can close."""
    text = "\n".join(f"{name}:\n{text}" for name, text in program.files)
    text = text.encode("utf-8", "replace").decode()  # no request can hold half a surrogate pair
    fence = fence_for(text)
    return f"{fence}\n{text}\n{fence}"
