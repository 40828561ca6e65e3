"""Lets a candidate ask a model while it is evaluated."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from speciate.engine.run import Run
from speciate.evaluators import Evaluator
from speciate.llm import LLMConfig, LLMPool
from speciate.records import Choice, Proposal, Query, Reply
from speciate.tasks import Task, gateway_of


def asking(run: Run, choice: Choice, proposal: Proposal) -> Evaluator:
    """Returns the evaluator for one candidate; for most tasks that is the run's own.

    Each question is a call of the run's gateway: reserved, recorded under the candidate's ordinal before it
    is sent, and answered from the record when the candidate is evaluated again after a crash. A cap that has
    no room for the next one raises BudgetExceededError out of the evaluation, and the candidate stays open.
    """
    gateway = gateway_of(run.task.spec)
    if gateway is None:
        return run.evaluator

    async def ask(query: Query) -> Reply:
        return await run.gateway.ask(
            gateway.model,
            query.request,
            ordinal=choice.ordinal,
            attempt=proposal.attempt,
            purpose=query.part,
        )

    return run.evaluator.asking(ask)


@asynccontextmanager
async def asking_alone(evaluator: Evaluator, task: Task, config: LLMConfig) -> AsyncIterator[Evaluator]:
    """Lends an evaluator whose candidates ask the task's model outside any run, without record or cap.

    Raises:
        ConfigError: the model cannot be opened.
    """
    gateway = gateway_of(task.spec)
    if gateway is None:
        yield evaluator
        return
    pool, model = LLMPool([gateway.model], config), gateway.model

    async def ask(query: Query) -> Reply:
        return await pool.complete(model, query.request)

    try:
        yield evaluator.asking(ask)
    finally:
        await pool.close()
