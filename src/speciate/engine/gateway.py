"""Asks models for the run: reserved, recorded before and after, answered from the record on resume."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from speciate.engine.journal import Journal
from speciate.errors import BudgetExceededError
from speciate.llm import Ledger, LLMPool, Reservation
from speciate.records import (
    Asked,
    Message,
    Ordinal,
    Part,
    Replied,
    Reply,
    Request,
    StoredMessage,
    TextHash,
    TextRef,
    text_hash,
)

INLINE_CHARACTERS = 80
"""Parts up to this length stay in the event; longer ones are stored once by content."""


class RunGateway:
    """The run's `ModelGateway`.

    Attributes:
        refused: the first refusal of a call for want of budget, or None.
    """

    def __init__(self, journal: Journal, pool: LLMPool, ledger: Ledger, *, tries: int) -> None:
        self._journal = journal
        self._pool = pool
        self._ledger = ledger
        self._tries = tries
        self.refused: BudgetExceededError | None = None
        self._settled = asyncio.Event()

    async def ask(
        self, model: str, request: Request, *, ordinal: Ordinal, attempt: int, purpose: str
    ) -> Reply:
        """See `ModelGateway`."""
        replied = self._journal.find(ordinal, attempt, "replied", purpose)
        if isinstance(replied, Replied):
            return replied.reply(self._journal.text(replied.text.text))
        reservation = await self._reserve(model, request)
        messages, texts = _store_messages(request.messages)
        asked = Asked(
            ordinal=ordinal,
            attempt=attempt,
            part=purpose,
            model=model,
            messages=messages,
            sampling=request.sampling,
            request=request.hash,
            reserved=reservation.worst.cost,
        )
        try:
            await self._journal.write(asked, texts)
            reply = await self._pool.complete(model, request, tries=reservation.tries)
        except BaseException:
            self._ledger.release(reservation)
            self._settled.set()
            raise
        self._ledger.settle(reservation, reply.usage)
        self._settled.set()
        await self._journal.write(Replied.of(asked, reply), {text_hash(reply.text): reply.text})
        return reply

    async def _reserve(self, model: str, request: Request) -> Reservation:
        """Reserves the worst case; waits while calls in flight may turn out cheaper than theirs."""
        price = self._pool.price(model)
        while True:
            try:
                return self._ledger.reserve(model, request, price, tries=self._tries)
            except BudgetExceededError as error:
                if not self._ledger.reserved.calls:
                    self.refused = self.refused or error
                    raise
            self._settled.clear()
            await self._settled.wait()


def _store_messages(
    messages: tuple[Message, ...],
) -> tuple[tuple[StoredMessage, ...], Mapping[TextHash, str]]:
    texts: dict[TextHash, str] = {}

    def stored(part: str) -> Part:
        if len(part) <= INLINE_CHARACTERS:
            return part
        digest = text_hash(part)
        texts[digest] = part
        return TextRef(digest)

    kept = tuple(StoredMessage(m.role, tuple(stored(part) for part in m.parts)) for m in messages)
    return kept, texts
