"""What every model must do. Inherit `LLMContract` and say how to open one.

Needs pytest, so import it from tests only.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from speciate.llm import LLM
from speciate.records import Message, Reply, Request, Sampling

QUESTION = Request(
    (
        Message("system", ("You improve programs.",)),
        Message("user", ("# Current program\n\n```\nx = 1\n```\n",)),
    ),
    Sampling(max_tokens=500),
)
"""A small question that every model can answer."""

_TOGETHER = 20


class LLMContract(ABC):
    """Tests that every model passes."""

    @abstractmethod
    def opened(self, folder: Path) -> AbstractContextManager[LLM]:
        """Gives a model that will answer `QUESTION` with repeats 0 to 19; its files go into `folder`."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """A folder for the model's files."""
        return tmp_path

    def test_a_reply_has_its_full_shape(self, folder: Path) -> None:
        """One call is one call; a cost is never negative; nothing was retried."""
        with self.opened(folder) as llm:
            reply = asyncio.run(self._ask(llm))
        assert isinstance(reply, Reply)
        assert reply.error is None
        assert reply.text
        assert reply.model
        assert reply.usage.calls == 1
        assert reply.usage.input_tokens > 0
        assert reply.usage.output_tokens > 0
        assert reply.usage.cost is None or reply.usage.cost >= 0
        assert (reply.retries, reply.seconds >= 0) == (0, True)

    def test_many_calls_may_be_in_flight(self, folder: Path) -> None:
        """Twenty calls at once are answered, each with its own usage."""

        async def all_at_once(llm: LLM) -> list[Reply]:
            try:
                return await asyncio.gather(*(llm.complete(QUESTION, repeat=i) for i in range(_TOGETHER)))
            finally:
                await llm.close()

        with self.opened(folder) as llm:
            replies = asyncio.run(all_at_once(llm))
        assert [reply.error for reply in replies] == [None] * _TOGETHER
        assert sum(reply.usage.calls for reply in replies) == _TOGETHER

    def test_closing_twice_is_fine(self, folder: Path) -> None:
        """A model may be closed before it was ever used, and again."""

        async def twice(llm: LLM) -> None:
            await llm.close()
            await llm.close()

        with self.opened(folder) as llm:
            asyncio.run(twice(llm))

    def test_a_cancelled_call_leaves_the_model_usable(self, folder: Path) -> None:
        """Whoever gives up on one call can still make the next."""

        async def cancel_one(llm: LLM) -> Reply:
            first = asyncio.create_task(llm.complete(QUESTION))
            await asyncio.sleep(0)
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
            return await self._ask(llm, repeat=1)

        with self.opened(folder) as llm:
            assert asyncio.run(cancel_one(llm)).text

    @staticmethod
    async def _ask(llm: LLM, repeat: int = 0) -> Reply:
        try:
            return await llm.complete(QUESTION, repeat=repeat)
        finally:
            await llm.close()
