"""Asking a model about the run as a whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from speciate.records import Aside, Message, ModelGateway, Reply, Request, Sampling, aside_part
from speciate.reflection.agenda import Job
from speciate.tasks import Task


@dataclass(frozen=True, slots=True)
class Asker:
    """Who is asked about a run, and what is needed to ask.

    Attributes:
        model: the model's spec.
        task: what is evolved.
        gateway: asks.
        random: gives the random stream for a purpose and an ordinal.
    """

    model: str
    task: Task
    gateway: ModelGateway
    random: Callable[[str, int], np.random.Generator]

    async def ask(
        self, job: Job, about: Aside, what: str, *, system: str, text: str, max_tokens: int
    ) -> Reply:
        """Asks one question of an update, under the ordinal that made it due.

        Args:
            job: the update.
            about: what the update is of.
            what: which of its questions this is.
            system: the instructions.
            text: what is told after the task.
            max_tokens: most tokens of the reply.

        Raises:
            BudgetExceededError: the call would pass a cap.
        """
        description = self.task.spec.description.strip()
        task = f"# Task: {self.task.name}\n\n{description}\n\nLanguage: {self.task.spec.language}\n\n"
        purpose = aside_part(about, what)
        seed = int(self.random(purpose, job.ordinal).integers(2**31))
        request = Request(
            (Message("system", (system,)), Message("user", (task, text))),
            Sampling(max_tokens=max_tokens, seed=seed),
        )
        return await self.gateway.ask(self.model, request, ordinal=job.ordinal, attempt=0, purpose=purpose)
