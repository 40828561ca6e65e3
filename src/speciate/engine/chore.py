"""What every chore owes; see `chores`."""

from __future__ import annotations

from abc import ABC, abstractmethod

from speciate.engine.run import Decide, Run
from speciate.records import Aside
from speciate.reflection import Agenda, Job


class Chore(ABC):
    """Something that a model does for the run as a whole. Its state is the run's and its history's."""

    about: Aside
    """What its model calls are about, and its key."""

    @abstractmethod
    def agenda(self, run: Run) -> Agenda | None:
        """Returns the fold that says when an update is due, or None for a run without this chore."""

    @abstractmethod
    def interval(self, run: Run) -> int:
        """Returns after how many placed candidates an update is due."""

    @abstractmethod
    async def draft(self, run: Run, job: Job) -> Decide:
        """Asks what has to be asked; recorded replies are not asked for again. Changes nothing.

        Returns:
            What says, when it is called in its turn, which events the update comes to.

        Raises:
            BudgetExceededError: a call would pass a cap.
        """
