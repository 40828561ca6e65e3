"""How agents do on other years and with other models than they were evolved with: the paper's two tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeAlias

from speciate.errors import TaskError
from speciate.evaluators import EvaluationConfig, build_evaluator
from speciate.llm import Ledger, LLMConfig, LLMPool, PriceEntry
from speciate.problems.aime.measures import Measured, measured
from speciate.problems.aime.task import load
from speciate.records import Ask, Json, Program, Query, Reply
from speciate.tasks import Task

Place: TypeAlias = tuple[str, int]
"""A model and a year."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """Everything measured, with the layout of the paper (Lange 2025, https://arxiv.org/abs/2509.19349).

    Attributes:
        agents: names of the agents, in the order of the columns.
        models: specs of the models; the years are measured with the first one.
        years: the years; the models are measured on the first one.
        cells: by agent, model and year.
    """

    agents: tuple[str, ...]
    models: tuple[str, ...]
    years: tuple[int, ...]
    cells: Mapping[tuple[str, str, int], Measured]

    def by_year(self) -> list[list[str]]:
        """Returns head and rows of accuracies: a row a year, a column an agent."""
        rows = [(str(year), (self.models[0], year)) for year in sorted(self.years)]
        return self._table(f"Year, with {self.models[0]}", rows)

    def by_model(self) -> list[list[str]]:
        """Returns head and rows of accuracies: a row a model, a column an agent."""
        year = self.years[0]
        return self._table(f"Model, on {year}", [(model, (model, year)) for model in self.models])

    def by_agent(self) -> list[list[str]]:
        """Returns head and rows of what an agent takes a problem: means over all that was measured."""
        head = ["Agent", "Accuracy", "Calls", "Tokens", "Seconds", "Dollars", "Calls without answer"]
        return [head, *(self._spent(agent) for agent in self.agents)]

    def _table(self, corner: str, rows: Sequence[tuple[str, Place]]) -> list[list[str]]:
        body = ([name, *(_share(self.cells[agent, *place]) for agent in self.agents)] for name, place in rows)
        return [[corner, *self.agents], *body]

    def _spent(self, agent: str) -> list[str]:
        mine = [cell for (name, _, _), cell in self.cells.items() if name == agent]
        costs = [cell.cost for cell in mine if cell.cost is not None]
        return [
            agent,
            f"{fmean(cell.accuracy for cell in mine):.1%}",
            f"{fmean(cell.calls for cell in mine):.2f}",
            f"{fmean(cell.tokens for cell in mine):.0f}",
            f"{fmean(cell.seconds for cell in mine):.1f}",
            f"{fmean(costs):.5f}" if len(costs) == len(mine) else "unknown",
            f"{fmean(cell.failed for cell in mine):.2%}",
        ]


@dataclass(frozen=True, slots=True)
class Measuring:
    """How it is measured.

    Attributes:
        parameters: those of the problem, but for model and years.
        evaluation: how candidates run here.
        llm: settings of the models.
        ledger: caps.
    """

    parameters: Mapping[str, Json]
    evaluation: EvaluationConfig
    llm: LLMConfig
    ledger: Ledger


async def measure_transfer(
    agents: Mapping[str, Program], models: Sequence[str], years: Sequence[int], how: Measuring
) -> Transfer:
    """Measures each agent on every year with the first model, and on the first year with every model.

    Args:
        agents: by name.
        models: specs, at least one.
        years: at least one.
        how: parameters and caps.

    Raises:
        TaskError: a year has no problems, or an agent fails; the message says how.
        BudgetExceededError: a cap has no room for the next call.
    """
    places = dict.fromkeys([(models[0], year) for year in years] + [(model, years[0]) for model in models])
    pool = LLMPool(models, how.llm)
    how.ledger.check_prices([PriceEntry(model, pool.price(model)) for model in models])
    cells: dict[tuple[str, str, int], Measured] = {}
    try:
        for model, year in places:
            chosen: dict[str, Json] = {"model": model, "years": [year], "heldout": []}
            task = load({**how.parameters, **chosen})
            found = await _measure(agents, task, how.evaluation, _asking(pool, model, how.ledger))
            cells |= {(agent, model, year): cell for agent, cell in found.items()}
    finally:
        await pool.close()
    return Transfer(tuple(agents), tuple(models), tuple(years), cells)


async def _measure(
    agents: Mapping[str, Program], task: Task, config: EvaluationConfig, ask: Ask
) -> dict[str, Measured]:
    evaluator = build_evaluator(task, config)
    found: dict[str, Measured] = {}
    try:
        await evaluator.start()
        for name, program in agents.items():
            outcome = await evaluator.asking(ask).evaluate(program, task.context)
            if outcome.result is None:
                assert outcome.failure is not None  # an outcome has either
                failure = outcome.failure
                raise TaskError(f"the agent {name} fails: {failure.message}\n{failure.feedback}")
            results = [
                {"case": case.case, "values": case.values, "seconds": case.seconds}
                for case in outcome.result.cases
            ]
            found[name] = measured(results)
    finally:
        await evaluator.close()
    return found


def _asking(pool: LLMPool, model: str, ledger: Ledger) -> Ask:
    """Returns who answers: the model itself, every call under the caps."""

    async def ask(query: Query) -> Reply:
        reservation = ledger.reserve(model, query.request, pool.price(model))
        try:
            reply = await pool.complete(model, query.request, tries=reservation.tries)
        except BaseException:
            ledger.release(reservation)
            raise
        ledger.settle(reservation, reply.usage)
        return reply

    return ask


def _share(cell: Measured) -> str:
    return f"{cell.accuracy:.1%} ± {cell.interval:.1%}"
