"""An agent for contest problems. The entry point is Agent(query).solve(problem)."""

# EVOLVE-BLOCK-START
import re
from collections import Counter
from collections.abc import Callable, Iterable

FORM = "End with the answer, three digits from 000 to 999, in \\boxed{}."

SOLVERS = (
    "You are a meticulous mathematician. You define every quantity, take small steps and check each of them.",
    "You are a mathematician with a sharp intuition. You look for symmetry and for patterns in small cases.",
    "You are a mathematician who thinks in algorithms: you turn problems into exact counts and recurrences.",
)
REVIEWER = (
    "You review solutions and trust nobody. You look for the first wrong step, repair what follows, "
    "and confirm an answer only when you have found it yourself."
)
EDITOR = (
    "You are the editor in chief. You weigh solutions and reviews against each other, "
    "settle where they disagree, and publish one answer."
)


def boxed(text: str) -> int | None:
    """Returns the last number from 0 to 999 in \\boxed{}, or None."""
    found = re.findall(r"\\boxed\{\s*(\d{1,3})\s*\}", text)
    return int(found[-1]) if found else None


def majority(texts: Iterable[str]) -> int | None:
    """Returns the answer that comes most often, or None when no text has one."""
    votes = Counter(answer for answer in map(boxed, texts) if answer is not None)
    return votes.most_common(1)[0][0] if votes else None


class Agent:
    """Three solve, each solution is reviewed, one decides. Who fails is left out; the rest go on."""

    def __init__(self, query: Callable[..., str]) -> None:
        """Takes query(prompt, system="", temperature=0.0) -> str, which asks the model."""
        self.query = query

    def solve(self, problem: str) -> str:
        """Returns a text with the answer in \\boxed{}."""
        solutions = [text for text in (self.ask(f"{problem}\n\n{FORM}", who, 0.7) for who in SOLVERS) if text]
        reviews = [text for text in (self.review(problem, solution) for solution in solutions) if text]
        final = self.decide(problem, solutions, reviews) if solutions else ""
        for texts in ([final], reviews, solutions):
            answer = majority(texts)
            if answer is not None:
                return f"\\boxed{{{answer:03d}}}"
        return "\\boxed{000}"

    def review(self, problem: str, solution: str) -> str:
        """Returns a review of a solution with an answer of its own."""
        return self.ask(f"{problem}\n\nA proposed solution:\n{solution}\n\nReview it. {FORM}", REVIEWER, 0.1)

    def decide(self, problem: str, solutions: list[str], reviews: list[str]) -> str:
        """Returns the last word."""
        told = [f"Solution {i}:\n{text}" for i, text in enumerate(solutions, 1)]
        told += [f"Review {i}:\n{text}" for i, text in enumerate(reviews, 1)]
        return self.ask("\n\n".join([problem, *told, f"Decide. {FORM}"]), EDITOR, 0.0)

    def ask(self, prompt: str, system: str, temperature: float) -> str:
        """Returns what the model says, or an empty text when it gives no answer."""
        try:
            return self.query(prompt, system, temperature)
        except ConnectionError:
            return ""


# EVOLVE-BLOCK-END
