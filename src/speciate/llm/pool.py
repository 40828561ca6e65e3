"""All models of a run, behind one door."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace

from speciate.errors import ConfigError, nearest
from speciate.llm.base import LLM
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
        for spec in dict.fromkeys(specs):
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
        return reply if reply.error is None else replace(reply, error=redact(reply.error))

    async def close(self) -> None:
        """Closes every model. May be called twice."""
        for model in self._models.values():
            await model.close()

    def _check(self, spec: str) -> None:
        if spec not in self._models:
            raise ConfigError(f"{spec!r} is not one of this run's models{nearest(spec, self._models)}")
