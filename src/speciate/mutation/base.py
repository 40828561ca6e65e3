"""What every proposer owes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from speciate.mutation.phrasings import Phrasing
from speciate.records import Choice, Entry, ModelGateway, Proposal, Rejected
from speciate.tasks import Task


@dataclass(frozen=True)
class Assignment:
    """All that a proposer may look at for one attempt.

    Attributes:
        task: the task.
        choice: what was chosen.
        parents: the parents in the choice's order; the first is the one to change. Never empty.
        inspirations: further programs, in the choice's order.
        attempt: which attempt this is, from 0.
        rejections: earlier rejected attempts of this candidate, oldest first.
        gateway: asks models; genetic proposers leave it alone.
        random: gives the random stream for a purpose, already keyed by run, ordinal, epoch and attempt.
        notes: further advice for the prompt (scratchpad, island notes), or an empty string.
        wording: what the system prompt begins with instead of the task's own, or an empty string.
    """

    task: Task
    choice: Choice
    parents: tuple[Entry, ...]
    inspirations: tuple[Entry, ...]
    attempt: int
    rejections: tuple[Rejected, ...]
    gateway: ModelGateway
    random: Callable[[str], np.random.Generator]
    notes: str = ""
    wording: str = ""


class Proposer(ABC):
    """Turns an assignment into a new program. A model with operators, a genetic operator set, an agent.

    Implementers: no state between calls; equal assignments (and equal replies) give equal proposals. A
    reply that makes no sense is `Rejected` with a message that says how to do better, never an exception.
    """

    name: str
    """Arm of the bandit, key of reports."""

    operators: tuple[str, ...]
    """Operators this proposer can carry out."""

    inspired: bool = True
    """Whether it looks at inspirations; none are drawn for one that does not."""

    advised: bool = False
    """Whether it reads `Assignment.notes`; none are drawn for one that does not."""

    worded: bool = False
    """Whether it reads `Assignment.wording`; none are drawn for one that does not."""

    weights: Mapping[str, float] | None = None
    """How often each operator is used unless the settings say otherwise (`MixtureConfig.own`); None takes the
    settings' table for its kind."""

    def phrasings(self, task: Task, operator: str) -> Mapping[Phrasing, float]:
        """Returns weights of the phrasings in which it can be asked for an operator; none if there is one."""
        return {}

    @abstractmethod
    async def propose(self, assignment: Assignment) -> Proposal | Rejected:
        """Makes one attempt.

        Raises:
            BudgetExceededError: a model call would pass a cap.
        """
