"""An agent for contest problems. The entry point is Agent(query).solve(problem)."""

# EVOLVE-BLOCK-START
from collections.abc import Callable


class Agent:
    """Asks once and takes the answer as it is."""

    def __init__(self, query: Callable[..., str]) -> None:
        """Takes query(prompt, system="", temperature=0.0) -> str, which asks the model."""
        self.query = query

    def solve(self, problem: str) -> str:
        """Returns a text with the answer in \\boxed{}."""
        system = "You are a skilled mathematician."
        prompt = (
            problem
            + "\n\nThink step by step. End with the answer, three digits from 000 to 999, in \\boxed{}."
        )
        return self.query(prompt, system, 0.0)


# EVOLVE-BLOCK-END
