"""One evaluator for several runs."""

from __future__ import annotations

from typing_extensions import override

from speciate.evaluators import Evaluator
from speciate.records import Context, Outcome, Program


class SharedEvaluator(Evaluator):
    """Lets several runs of one task use one evaluator: it starts with the first and ends with the last.

    Args:
        inner: does the work, for whoever asks first.
        users: how many runs will start and close it.
    """

    def __init__(self, inner: Evaluator, users: int) -> None:
        self._inner = inner
        self._users = users
        self._started = False
        self.slots = inner.slots

    @override
    async def start(self) -> None:
        if not self._started:
            self._started = True
            await self._inner.start()

    @override
    async def evaluate(self, program: Program, context: Context) -> Outcome:
        return await self._inner.evaluate(program, context)

    @override
    async def syntax(self, program: Program) -> str | None:
        return await self._inner.syntax(program)

    @override
    async def close(self) -> None:
        self._users -= 1
        if self._users == 0:
            await self._inner.close()
