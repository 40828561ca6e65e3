"""One memory of outcomes for all nodes."""

from __future__ import annotations

from typing_extensions import override

from speciate.ensembles.merge import Memo
from speciate.evaluators import Evaluator
from speciate.records import Context, Outcome, Program


class MemoEvaluator(Evaluator):
    """Evaluates what is not known yet, and answers from memory what is.

    For simulations of tasks whose equal programs score equally: each node goes the way it would go, and only
    the time of evaluations is saved. Outcomes are those that were measured, their seconds too.

    Args:
        inner: does the work.
        memo: what is known, and where outcomes go; may be shared with `speciate.ensembles.merge`.
    """

    def __init__(self, inner: Evaluator, memo: Memo) -> None:
        self.slots = inner.slots
        self.reused = 0
        self._inner = inner
        self._memo = memo
        self._last: Context | None = None
        self._hash = ""

    @override
    async def start(self) -> None:
        await self._inner.start()

    @override
    async def evaluate(self, program: Program, context: Context) -> Outcome:
        key = program.hash, self._hash_of(context)
        known = self._memo.get(key)
        if known is not None:
            self.reused += 1
            return known
        outcome = self._memo[key] = await self._inner.evaluate(program, context)
        return outcome

    def _hash_of(self, context: Context) -> str:
        if context is not self._last:  # nodes of a task without company all have the very same one
            self._last, self._hash = context, context.hash
        return self._hash

    @override
    async def syntax(self, program: Program) -> str | None:
        return await self._inner.syntax(program)

    @override
    async def close(self) -> None:
        await self._inner.close()
