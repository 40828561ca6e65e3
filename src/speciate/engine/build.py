"""From a task, a config and a store to a run with its parts in place."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from speciate.archives import build_population
from speciate.bandits import build_bandit
from speciate.engine.arms import arms_of
from speciate.engine.budget import Budget, BudgetConfig
from speciate.engine.config import RunConfig
from speciate.engine.epochs import read_context
from speciate.engine.gateway import RunGateway
from speciate.engine.journal import Journal
from speciate.engine.keepers import build_keeper, build_reworder, build_wordings, keeper_spec, reworder_spec
from speciate.engine.library import Library
from speciate.engine.observers import Observer
from speciate.engine.programs import programs
from speciate.engine.proposers import build_proposers, is_model, proposer_specs
from speciate.engine.run import Approve, Run
from speciate.engine.state import State
from speciate.engine.twins import build_behaviour
from speciate.evaluators import Evaluator, build_evaluator, build_outcome_cache
from speciate.llm import Ledger, LLMPool, price_table
from speciate.novelty import NoveltyMemory, Surroundings, build_novelty
from speciate.scratchpad import Pad
from speciate.selection import build_policy
from speciate.store import Store
from speciate.tasks import Task, gateway_of


def build_run(
    task: Task,
    config: RunConfig,
    store: Store,
    *,
    observers: Sequence[Observer] = (),
    approve: Approve | None = None,
    evaluator: Evaluator | None = None,
    offline: bool = False,
) -> Run:
    """Builds every part of a run; nothing is started and nothing read from the store yet.

    Args:
        task: what is evolved.
        config: complete settings.
        store: an open store; its events are folded by `fold.fold`.
        observers: are told of every event.
        approve: asks before each evaluation, or None.
        evaluator: scores programs; None builds the one the task asks for.
        offline: whether models answer from the record alone; none is opened.

    Raises:
        ConfigError: settings contradict each other or the task.
    """
    specs = proposer_specs(task, config)
    proposers = build_proposers(specs, task, config)
    arms = arms_of(config, proposers)
    keeper = keeper_spec(config, proposers)
    reworder = reworder_spec(config, proposers)
    aside = [spec for spec in (keeper, reworder) if spec is not None]
    gateway_to = gateway_of(task.spec)
    inside = () if gateway_to is None else (gateway_to.model,)
    asked = (*filter(is_model, specs), *config.novelty.models, *aside, *inside)
    models = LLMPool([] if offline else asked, config.llm)
    state = _state(task, config, store, arms.names, specs)
    state.keep(kept=keeper is not None, reworded=reworder is not None)
    journal = Journal(store, state, observers)
    ledger = _ledger(config.budget)
    ledger.check_prices(price_table(models.specs, config.llm))
    library = Library(store)
    gateway = RunGateway(journal, models, ledger, tries=config.llm.retry.attempts)
    around = Surroundings(
        task.spec, state.novelty, gateway, programs(state, journal, library), journal.text, task.canonical
    )
    return Run(
        config=config,
        task=task,
        store=store,
        state=state,
        journal=journal,
        library=library,
        evaluator=evaluator or build_evaluator(task, config.evaluation),
        proposers=proposers,
        arms=arms,
        policy=build_policy(config.selection),
        novelty=build_novelty(config.novelty, around),
        behaviour=build_behaviour(config, state, library),
        keeper=build_keeper(task, config, proposers, gateway),
        reworder=build_reworder(task, config, proposers, gateway),
        models=models,
        ledger=ledger,
        gateway=gateway,
        budget=Budget(
            config.budget,
            repeats=task.spec.evaluation.repeats,
            spent_seconds=sum(session.seconds for session in store.sessions()),
        ),
        approve=approve,
    )


def _state(
    task: Task, config: RunConfig, store: Store, arms: Sequence[str], proposers: tuple[str, ...]
) -> State:
    axes = [descriptor.axis for descriptor in task.spec.descriptors]
    return State(
        task.context,
        population=build_population(config.population, axes, len(task.objectives)),
        load_context=partial(read_context, store),
        bandit=build_bandit(config.bandit, arms),
        arms=config.bandit.arms,
        novelty=NoveltyMemory(watches=config.novelty.embeds),
        cache=build_outcome_cache(task, config.evaluation),
        pad=Pad(config.scratchpad) if config.scratchpad.enabled else None,
        wordings=build_wordings(task, config),
        proposers=proposers,
    )


def _ledger(caps: BudgetConfig) -> Ledger:
    return Ledger(
        max_cost=caps.cost,
        max_tokens=caps.tokens,
        max_calls=caps.calls,
        allow_unknown_price=caps.allow_unknown_price,
    )
