"""All models of a run, behind one door."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace

from speciate.errors import ConfigError, nearest
from speciate.llm.base import LLM
from speciate.llm.cassette import Recording, Take, reenact
from speciate.llm.catalog import Price, price_of
from speciate.llm.config import LLMConfig
from speciate.llm.ledger import worst_case
from speciate.llm.open import open_llm
from speciate.llm.retry import ask_patiently
from speciate.llm.secrets import redact
from speciate.llm.spec import parse_spec
from speciate.records import Reply, Request


class LLMPool:
    """Opens models, bounds the calls in flight and asks again when a model is unavailable.

    With `LLMConfig.record` every reply is recorded, final failures included; with `LLMConfig.replay` the
    recorded replies stand in for all models, which then need no keys.

    It does not know budgets: reserve first (`Ledger.reserve`), then ask with the granted tries, then settle
    with the reply's usage.
    """

    def __init__(self, specs: Iterable[str], config: LLMConfig) -> None:
        """Opens every model, so that a wrong spec, file or missing key shows before anything is spent.

        Raises:
            ConfigError: a spec, its file or its key is missing or wrong.
            MissingExtraError: a model needs an optional package.
        """
        self._config = config
        self._models: dict[str, LLM] = {}
        self._prices: dict[str, Price | None] = {}
        self._slots: dict[str, asyncio.Semaphore] = {}
        wanted = dict.fromkeys(specs)
        if config.replay is not None:
            self._models |= reenact(tuple(wanted), config.replay)
        self._recording = None if config.record is None else Recording(config.record)
        for spec in wanted:
            if spec not in self._models:
                self._models[spec] = open_llm(spec, config)
            self._prices[spec] = price_of(spec, config)
            self._slots.setdefault(parse_spec(spec).provider, asyncio.Semaphore(config.in_flight))

    @property
    def specs(self) -> tuple[str, ...]:
        """The models, in the order given."""
        return tuple(self._models)

    def price(self, spec: str) -> Price | None:
        """Returns what one of the pool's models costs, or None when unknown; ConfigError for any other."""
        self._check(spec)
        return self._prices[spec]

    async def complete(
        self, spec: str, request: Request, *, repeat: int = 0, tries: int | None = None
    ) -> Reply:
        """Asks a model, again when it is unavailable.

        Args:
            spec: one of the pool's models.
            request: the question.
            repeat: how often this same request was asked before in this run.
            tries: most tries; None takes `retry.attempts`. A reservation's `tries` belongs here.

        Returns:
            The reply. A model that failed for good gives a reply with `error` set.

        Raises:
            CassetteMissError: a recording has no such request.
            StoreError: the reply cannot be recorded.
            ConfigError: the model is not one of the pool's.
        """
        self._check(spec)
        reply = await ask_patiently(
            self._models[spec],
            request,
            repeat=repeat,
            config=self._config.retry,
            tries=min(tries or self._config.retry.attempts, self._config.retry.attempts),
            slots=self._slots[parse_spec(spec).provider],
            lost=lambda: worst_case(request, self._prices[spec]),
        )
        if reply.error is not None:
            reply = replace(reply, error=redact(reply.error))
        if self._recording is not None:
            await self._recording.append(Take(spec, request.hash, repeat, reply))
        return reply

    async def close(self) -> None:
        """Closes every model. May be called twice."""
        for model in self._models.values():
            await model.close()
        if self._recording is not None:
            self._recording.close()

    def _check(self, spec: str) -> None:
        if spec not in self._models:
            raise ConfigError(f"{spec!r} is not one of this run's models{nearest(spec, self._models)}")
