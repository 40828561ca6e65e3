"""The one narrow pipe through which anything asks a model."""

from __future__ import annotations

from typing import Protocol

from speciate.records.exchange import Reply, Request
from speciate.records.types import Ordinal


class ModelGateway(Protocol):
    """Asks models on behalf of a candidate: budgeted, recorded, and answered from the record on resume.

    Injected by the engine into whatever needs a model (proposers, judges, evaluators of agent scaffolds).
    """

    async def ask(
        self, model: str, request: Request, *, ordinal: Ordinal, attempt: int, purpose: str
    ) -> Reply:
        """Returns the model's reply to one request.

        The request is recorded before it is sent and the reply before it is returned. A reply that is
        already in the history is returned without asking.

        Args:
            model: the model's spec, one of the run's models.
            request: the question.
            ordinal: the candidate that pays.
            attempt: its attempt.
            purpose: what the call is for; (ordinal, attempt, purpose) is asked at most once.

        Returns:
            The reply. A provider that failed for good gives a reply with `error` set.

        Raises:
            BudgetExceededError: the worst case of this call would pass a cap.
        """
        ...
