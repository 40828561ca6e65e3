r"""Simulated characters that answer contest problems. Made up: they know the shipped problems by heart.

What they do says nothing about any model, and a result on them measures how scaffolds behave under chance
alone. A character sees the text of the prompt. When a shipped problem stands in it, it finds the answer with
a probability that depends on the problem and on its own skill. When it does not, it takes over one of the
answers in ``\boxed{}`` that the prompt shows, if there are any, else it is wrong: in one of three cases by
the mistake that is usual for the problem, else by chance. Problems of other files it never solves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from speciate.errors import ModelRefusedError
from speciate.llm import GuestCharacter, ModelPrice
from speciate.problems.aime.answers import MOST, boxed_all
from speciate.problems.aime.problems import SHIPPED, Problem, read_problems
from speciate.records import Request
from speciate.seeds import stream

UNBOXED = 0.03
"""Probability that an answer has no box."""

FAILS = 0.005
"""Probability that a call gets no answer."""

USUAL = 1 / 3
"""Probability that a wrong answer is the usual wrong one."""


@dataclass(frozen=True, slots=True)
class Skill:
    """Probabilities of solving the hardest and the easiest problem."""

    hardest: float
    easiest: float

    def of(self, problem: Problem) -> float:
        """Returns the probability of solving a problem; how hard each is, is drawn from its name."""
        ease = stream(0, 0, f"ease of {problem.name}").random()
        return float(self.hardest + (self.easiest - self.hardest) * ease)


def answer(skill: Skill, request: Request, rng: np.random.Generator) -> str:
    """Returns what a character of some skill says; at temperature 0 that depends on the words alone.

    Raises:
        ModelRefusedError: this call gets no answer.
    """
    said = "\x1e".join(message.text for message in request.messages)
    if not request.sampling.temperature:
        rng = stream(0, 0, said)
    if rng.random() < FAILS:
        raise ModelRefusedError("a simulated failure")
    problem = _find(said)
    shown = boxed_all(request.messages[-1].text)
    number = _number(problem, skill, shown, rng)
    closing = f"\\boxed{{{number:03d}}}" if rng.random() >= UNBOXED else "That settles it."
    return f"{_WORK * int(rng.integers(2, 9))}So the answer is {closing}"


_WORK = "A simulated step: I rewrite the condition, look at small cases, and count what is left. "


def _number(problem: Problem | None, skill: Skill, shown: list[int], rng: np.random.Generator) -> int:
    if problem is not None and rng.random() < skill.of(problem):
        return problem.answer
    if shown:
        return shown[int(rng.integers(len(shown)))]
    usual = stream(0, 0, f"mistake in {'' if problem is None else problem.name}")
    source = usual if rng.random() < USUAL else rng
    wrong = int(source.integers(MOST))  # one number less than there are: the right one is left out
    return wrong + (problem is not None and wrong >= problem.answer)


@cache
def _known() -> tuple[tuple[str, Problem], ...]:
    return tuple((" ".join(problem.text.split()), problem) for problem in read_problems(SHIPPED))


def _find(said: str) -> Problem | None:
    text = " ".join(said.split())
    return next((problem for known, problem in _known() if known in text), None)


def _character(skill: Skill, *, latency: float, price: ModelPrice) -> GuestCharacter:
    return GuestCharacter(partial(answer, skill), latency=latency, spread=0.4, price=price)


PUPIL = _character(Skill(0.0, 0.6), latency=2.0, price=ModelPrice(input=0.1, output=0.4))
MATHEMATICIAN = _character(Skill(0.0, 0.9), latency=6.0, price=ModelPrice(input=0.4, output=1.6))
PROFESSOR = _character(Skill(0.3, 1.0), latency=20.0, price=ModelPrice(input=2.0, output=8.0))
