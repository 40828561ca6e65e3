"""An agent for contest problems. The entry point is Agent(query).solve(problem)."""

# EVOLVE-BLOCK-START
import re
from collections import Counter
from collections.abc import Callable

SAMPLES = 5
TEMPERATURE = 0.7


def boxed(text: str) -> int | None:
    """Returns the last number from 0 to 999 in \\boxed{}, or None."""
    found = re.findall(r"\\boxed\{\s*(\d{1,3})\s*\}", text)
    return int(found[-1]) if found else None


class Agent:
    """Asks several times and takes the answer that comes most often."""

    def __init__(self, query: Callable[..., str]) -> None:
        """Takes query(prompt, system="", temperature=0.0) -> str, which asks the model."""
        self.query = query

    def solve(self, problem: str) -> str:
        """Returns a text with the answer in \\boxed{}."""
        votes: Counter[int] = Counter()
        for _ in range(SAMPLES):
            answer = self.ask(problem)
            if answer is not None:
                votes[answer] += 1
        best = votes.most_common(1)[0][0] if votes else 0
        return f"\\boxed{{{best:03d}}}"

    def ask(self, problem: str) -> int | None:
        """Returns one answer, or None when there is none to be had."""
        system = "You are a skilled mathematician."
        prompt = (
            problem
            + "\n\nThink step by step. End with the answer, three digits from 000 to 999, in \\boxed{}."
        )
        try:
            return boxed(self.query(prompt, system, TEMPERATURE))
        except ConnectionError:
            return None


# EVOLVE-BLOCK-END
