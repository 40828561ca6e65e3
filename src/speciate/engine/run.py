"""A run and its parts. Building them is here; what they do together is in `candidate`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from speciate.bandits import Arms
from speciate.engine.budget import Budget
from speciate.engine.config import RunConfig
from speciate.engine.gateway import RunGateway
from speciate.engine.journal import Journal
from speciate.engine.library import Library
from speciate.engine.state import State
from speciate.evaluators import Evaluator
from speciate.llm import Ledger, LLMPool
from speciate.mutation import NEW, Proposer
from speciate.novelty import BehaviourIndex, NoveltyFilter
from speciate.records import Aside, Choice, Entry, Event, Ordinal, Proposal, RoundReason
from speciate.scratchpad import Keeper
from speciate.selection import ParentPolicy
from speciate.store import Store
from speciate.tasks import Task
from speciate.wordings import Reworder

Approve = Callable[[Choice, Proposal], Awaitable[bool]]
"""Asks whether a program may be evaluated."""

Decide: TypeAlias = Callable[[], Sequence[Event]]
"""Says which events an update comes to that a model was asked for. Changes nothing."""


@dataclass
class Run:
    """Everything one run is made of.

    Attributes:
        config: complete settings.
        task: what is evolved.
        store: the history.
        state: what the history amounts to.
        journal: the one way in which the history grows.
        library: recorded candidates by ordinal.
        evaluator: scores programs.
        proposers: by name.
        arms: what the bandit chooses among, with these proposers.
        policy: draws parents.
        novelty: turns away what is not new.
        behaviour: finds occupants that behave like a newcomer.
        models: all models in use.
        ledger: money and tokens.
        gateway: asks models on behalf of candidates.
        budget: caps between candidates.
        keeper: keeps the scratchpad, or None for a run without one.
        reworder: varies the wordings of the system prompt, or None for a run in which they do not evolve.
        drafting: the updates that are being made, by what they are about.
        tasks: what goes on in the background belongs here; None before the run lives.
        approve: asks before each evaluation, or None to go on without asking.
        stopping: why the run was asked to stop, or None.
    """

    config: RunConfig
    task: Task
    store: Store
    state: State
    journal: Journal
    library: Library
    evaluator: Evaluator
    proposers: Mapping[str, Proposer]
    arms: Arms
    policy: ParentPolicy
    novelty: NoveltyFilter
    behaviour: BehaviourIndex
    models: LLMPool
    ledger: Ledger
    gateway: RunGateway
    budget: Budget
    keeper: Keeper | None = None
    reworder: Reworder | None = None
    drafting: dict[Aside, asyncio.Task[Decide | None]] = field(default_factory=dict)
    tasks: asyncio.TaskGroup | None = None
    approve: Approve | None = None
    stopping: str | None = None

    def horizon(self, choice: Choice) -> Ordinal:
        """Returns the ordinal below which memory may be looked up for this candidate.

        In the order of ordinals a candidate must not see what happened to be faster; in the order of
        arrival it may see all there is.
        """
        return sys.maxsize if self.in_arrival_order else choice.seen

    @property
    def in_arrival_order(self) -> bool:
        """Whether candidates are placed as they come."""
        return self.config.driver == "pipeline" and self.config.pipeline.order == "arrival"

    def standing(self, ordinal: Ordinal) -> Entry:
        """Returns a candidate with the outcome by which it stands; see `State.company_of`.

        Raises:
            StoreCorruptError: the history has no such evaluated candidate.
        """
        scored = self.state.company_of(ordinal).hash
        entry = self.library.get(ordinal, scored)
        return entry if scored == self.state.context_hash else replace(entry, earlier=True)

    def stop_reason(self) -> str | None:
        """Returns why no further candidate should be chosen, or None."""
        return self.stopping or self._success() or self.round_over() or self.budget.stop_reason(self.state)

    def round_over(self) -> RoundReason | None:
        """Returns why the present round needs no further candidate, or None (without rounds, always).

        A round is skipped after its first iteration at the earliest, as in Digital Red Queen: what was scored
        again says nothing about what this round would find.
        """
        rules, best = self.config.ensemble, self.state.population.best()
        if not rules.rounds:
            return None
        tried = self.state.begun >= self.fresh + rules.children
        if rules.skip is not None and best is not None and tried:
            enough = self.task.objectives[0].inward(rules.skip)
            if best.fitness[0] > enough:
                return "skip"
        return "iterations" if self.state.begun >= self.fresh + rules.iterations * rules.children else None

    @property
    def fresh(self) -> int:
        """How many candidates at the beginning of the present round are made from nothing."""
        rules = self.config.ensemble
        begins_empty = rules.archives == "round" or self.state.round == 0
        able = any(NEW in proposer.operators for proposer in self.proposers.values())
        return rules.initial if rules.rounds and begins_empty and able else 0

    def _success(self) -> str | None:
        threshold, best = self.task.spec.success, self.state.population.best()
        if not self.config.success or threshold is None or best is None:
            return None
        return "success" if best.fitness[0] >= self.task.objectives[0].inward(threshold) else None

    @property
    def in_flight(self) -> int:
        """How many candidates develop at once."""
        asked = self.config.pipeline.in_flight
        return asked or (max(8, self.evaluator.slots) if self.models.specs else self.evaluator.slots)

    @property
    def window(self) -> int:
        """How many ordinals back a candidate's choice looks, in the order of ordinals."""
        return self.config.pipeline.window or 4 * self.in_flight

    async def close(self) -> None:
        """Writes what is noted and releases evaluator and models; the store stays open for its owner."""
        try:
            await self.journal.flush()
        finally:
            await self.evaluator.close()
            await self.models.close()
