"""What every model owes."""

from __future__ import annotations

from abc import ABC, abstractmethod

from speciate.records import Reply, Request


class LLM(ABC):
    """A model behind one string, for example ``local:qwen@http://127.0.0.1:8080/v1``.

    Implementers: one try a call, no hidden retries (retries are counted and bounded in `llm.retry`).
    `complete` may be called many times at once. Import heavy libraries on first use, not on import.
    """

    spec: str
    """The string by which the user named it."""

    @abstractmethod
    async def complete(self, request: Request, *, repeat: int = 0) -> Reply:
        """Asks once.

        Args:
            request: the question.
            repeat: how often this same request was asked before in this run; recordings use it.

        Returns:
            The reply; `usage.calls` is 1, `usage.cost` is None when the price is unknown.

        Raises:
            ModelUnavailableError: another try may help.
            ModelRefusedError: another try will not help.
            CassetteMissError: a recording has no such request.
        """

    async def close(self) -> None:
        """Releases connections. May be called twice."""
        return
