"""What every evaluator owes."""

from __future__ import annotations

from abc import ABC, abstractmethod

from speciate.records import Ask, Context, Outcome, Program


class Evaluator(ABC):
    """Scores programs of one task.

    Implementers: `evaluate` may be called many times at once; run at most `slots` candidates at a time and
    let the others wait (waiting never counts against a candidate's limits). A candidate that fails in any
    way is an `Outcome` with a `Failure`; an exception means that the set-up is broken.
    """

    slots: int
    """How many candidates run at once."""

    async def start(self) -> None:
        """Makes ready (starts workers, warms modules). Called once, before the first evaluation.

        Raises:
            SandboxError: the sandbox cannot be set up.
            ScoreError: the task's own code cannot be loaded.
        """
        return

    @abstractmethod
    async def evaluate(self, program: Program, context: Context) -> Outcome:
        """Runs and scores one program in one context.

        Raises:
            SandboxError: the sandbox itself broke.
            ScoreError: the task's own code broke in a way that no candidate can cause.
        """

    def asking(self, ask: Ask) -> Evaluator:
        """Returns this evaluator for one candidate, whose questions to a model `ask` answers.

        Evaluators whose candidates ask nobody return themselves.
        """
        return self

    async def syntax(self, program: Program) -> str | None:
        """Checks the program's syntax without running it, where a checker exists.

        Returns:
            What is wrong, with places, good enough to send to a model; None when nothing was found.
        """
        return None

    async def close(self) -> None:
        """Ends all workers. May be called twice."""
        return
