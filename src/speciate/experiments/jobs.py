"""From a plan to its runs, each with complete settings and a folder of its own."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from speciate.engine import Run, RunConfig, build_run, is_model
from speciate.engine.settings import Layer, compose, load_preset, over_task_defaults
from speciate.ensembles import check_opponents, members_of, node_folder
from speciate.errors import ConfigError, MissingExtraError, MissingKeyError, SpeciateError
from speciate.experiments.plan import BudgetPlan, ConditionConfig, Plan
from speciate.records import Context, Json, Objective, Program, text_hash
from speciate.reports import Measure, Unit
from speciate.store import MemoryStore
from speciate.tasks import Task, list_tasks, load_task

DEFAULTS: Layer = {
    "driver": "sequential",
    "success": False,
    "evaluation": {"slots": 1},
    "budget": {"candidates": None},
}
"""What experiments set unless the plan does: one core a run, each candidate sees all before it, a run spends
its whole budget even if it has succeeded, and no other cap ends it."""


SLACK = 0.02
"""Ensembles may leave so much of the budget: 250 candidates a round are 62 for each of four nodes."""


@dataclass(frozen=True, slots=True)
class Job:
    """One run of an experiment.

    Attributes:
        task: label of the task, fit for a folder's name.
        source: the problem's name or the task's folder.
        condition: name of its condition.
        seed: its seed.
        initial: text of another initial program, or None for the task's own.
        settings: complete settings, but for those that the task brings along.
        folder: where it is kept.
        pool: of an ensemble, what is laid over the task's parameters for the company in which its archives
            are merged; None for a run.
    """

    task: str
    source: str
    condition: str
    seed: int
    initial: str | None
    settings: RunConfig
    folder: Path
    pool: Mapping[str, Json] | None = None

    @property
    def key(self) -> str:
        """What it is called: ``task/condition/seed-n``."""
        return f"{self.task}/{self.condition}/seed-{self.seed}"

    @property
    def digest(self) -> str:
        """Identity of what is run: equal digests mean equal settings, task and initial program.

        How models are reached decides nothing, and where things lie on the disk may change; that a task's
        scoring changed is noticed by what a run records of it.
        """
        settings = self.settings.model_dump(mode="json", exclude_unset=True, exclude={"llm"})
        return text_hash(json.dumps([self.task, self.initial, settings], sort_keys=True))

    @property
    def runs(self) -> tuple[Path, ...]:
        """The folders of its runs: those of an ensemble's nodes, or its own."""
        if self.pool is None:
            return (self.folder,)
        return tuple(node_folder(self.folder, member.name) for member in members_of(self.settings))

    @property
    def models(self) -> frozenset[str]:
        """The proposers that its settings name, at any node."""
        if self.pool is None:
            return frozenset(self.settings.models)
        return frozenset(name for member in members_of(self.settings) for name in member.config.models)

    def load(self) -> Task:
        """Returns the task with the job's initial program.

        Raises:
            TaskError: it cannot be loaded.
            ConfigError: another initial program is given for a task of several files.
        """
        task = load_task(self.source, self.settings.task.parameters)
        if self.initial is None:
            return task
        if len(task.initial.files) != 1:
            raise ConfigError(f"the task {task.name} has several files; `initial` replaces a single one")
        return replace(task, initial=Program.of({task.initial.entry: self.initial}))

    def load_pool(self) -> Context | None:
        """Returns the company in which an ensemble's archives are merged.

        None leaves it to the ensemble's own champions, or to the task where no score depends on company.

        Raises:
            TaskError: the parameters make no sense.
        """
        if not self.pool:
            return None
        return load_task(self.source, {**self.settings.task.parameters, **self.pool}).context


def plan_jobs(plan: Plan, base: Path, out: Path, overrides: Sequence[Layer] = ()) -> tuple[Job, ...]:
    """Returns the runs of a plan: task by task, seed by seed, every condition of a seed before the next seed.

    So an experiment that is stopped early has about as many seeds of each condition.

    Args:
        plan: what is planned.
        base: the folder that the plan's paths are relative to.
        out: the experiment's folder.
        overrides: laid over the plan's settings and under those of the conditions.

    Raises:
        ConfigError: settings are unknown or contradict each other or the budget.
    """
    for layer, where in ((plan.settings, "settings"), *((layer, "--set") for layer in overrides)):
        _check_free(layer, where, allow_caps=True, unit=plan.budget.unit)
    conditions, pool = plan.all_conditions(), None if plan.merged is None else plan.merged.parameters
    settled = {name: _settled(plan, name, condition, overrides) for name, condition in conditions.items()}
    initial = {name: _initial(condition, base) for name, condition in conditions.items()}
    jobs = []
    for (label, source), seed, name in product(_tasks(plan, base).items(), plan.seed_list, conditions):
        folder = out / "runs" / label / name / f"seed-{seed}"
        settings = _of_one_run(settled[name], seed, folder)
        jobs.append(Job(label, source, name, seed, initial[name], settings, folder, pool))
    return tuple(jobs)


def check_jobs(jobs: Sequence[Job], budget: BudgetPlan) -> tuple[str, ...]:
    """Builds the parts of one run of each task and condition for nothing: what is wrong is told at once.

    Args:
        jobs: the runs.
        budget: of each.

    Returns:
        What a run needs and this machine lacks (keys, packages), one sentence each. Conditions that lack
        something are not checked beyond it.

    Raises:
        UsageError: something about a condition has to be mended; the message names it.
    """
    missing: list[str] = []
    seen: set[tuple[str, str]] = set()
    for job in jobs:
        if (job.task, job.condition) not in seen:
            seen.add((job.task, job.condition))
            try:
                _check(job, budget)
            except (MissingKeyError, MissingExtraError) as error:
                missing.append(str(error))
            except SpeciateError as error:
                raise ConfigError(f"condition {job.condition} on {job.task}: {error}") from error
    return tuple(dict.fromkeys(missing))


def measure_of(plan: Plan, task: Task) -> Measure:
    """Returns what the runs of a plan are compared by."""
    if plan.measure is None:
        return Measure(task.objectives[0])
    objective = Objective(plan.measure.public, plan.measure.direction)
    return Measure(objective, public=True, incumbent=plan.measure.of == "best")


def _check(job: Job, budget: BudgetPlan) -> None:
    task = job.load()
    config = over_task_defaults(job.settings, task)
    if job.pool is not None:
        _check_ensemble(job, task, config, budget)
        return
    if config.ensemble.nodes:
        raise ConfigError("ensembles are compared by their merged archives: say how in the plan's [merged]")
    if config.ensemble.rounds:
        check_opponents(task, config)
        if task.spec.evaluation.company:
            raise ConfigError(
                "its rounds are each in a company of its own, whose scores make no single curve: experiments "
                "measure runs of one epoch"
            )
    with _built(task, config) as run:
        _check_ends(run)


def _check_ensemble(job: Job, task: Task, config: RunConfig, budget: BudgetPlan) -> None:
    _check_equal(budget, config)
    if config.ensemble.clock == "wall":
        raise ConfigError(
            "on the wall clock no run can be repeated: experiments leave ensemble.clock virtual"
        )
    job.load_pool()
    for member in members_of(config):
        check_opponents(task, member.config)
        with _built(task, member.config):
            pass


@contextmanager
def _built(task: Task, config: RunConfig) -> Iterator[Run]:
    """Builds the parts of a run that will not be lived.

    Raises:
        UsageError: something about it has to be mended.
    """
    if config.driver == "pipeline" and config.pipeline.in_flight is None:
        raise ConfigError(
            "the pipeline's default of candidates in flight depends on the machine: set pipeline.in_flight"
        )
    quiet = config.llm.model_copy(update={"record": None})  # a recording would begin its file
    run = build_run(task, config.model_copy(update={"llm": quiet}), MemoryStore())
    try:
        yield run
    finally:
        asyncio.run(run.close())


def _check_ends(run: Run) -> None:
    """Refuses a run that spends nothing of what it is capped by, and so would go on for ever.

    Raises:
        ConfigError: no model proposes, or none that has a price.
    """
    budget = run.config.budget
    if any(cap is not None for cap in (budget.candidates, budget.evaluations, budget.seconds)):
        return
    prices = [run.models.price(spec) for spec in run.proposers if is_model(spec)]
    if not prices:
        raise ConfigError("no model proposes, so a budget in tokens or cost never ends: take another unit")
    if budget.tokens is None and budget.calls is None and all(price and price.free for price in prices):
        raise ConfigError("no model that proposes costs anything, so a budget in cost never ends")


def _settled(plan: Plan, name: str, condition: ConditionConfig, overrides: Sequence[Layer]) -> RunConfig:
    _check_free(condition.settings, f"condition {name}", allow_caps=False, unit=plan.budget.unit)
    cap = _cap(plan.budget) if plan.merged is None else {}
    seats: Layer = {"ensemble": {"nodes": plan.seats(condition)}} if condition.nodes else {}
    try:
        below = {} if plan.preset is None else {**load_preset(plan.preset).settings, "budget": {}}
        return compose([below, DEFAULTS, plan.settings, *overrides, condition.settings, seats, cap])
    except ConfigError as error:
        raise ConfigError(f"condition {name}: {error}") from error


def candidates_of(config: RunConfig) -> int:
    """Returns how many candidates the nodes of an ensemble propose in all their rounds.

    Raises:
        ConfigError: there are no nodes, or no rounds.
    """
    each = [member.config.ensemble for member in members_of(config)]
    return sum(
        one.rounds * one.iterations * one.children
        + one.initial * (one.rounds if one.archives == "round" else 1)
        for one in each
    )


def _check_equal(budget: BudgetPlan, config: RunConfig) -> None:
    """Refuses an ensemble that does not spend what the plan grants: its rounds end it, no cap does.

    Raises:
        ConfigError: it spends more, or much less.
    """
    if budget.unit != "candidates":
        raise ConfigError("the budget of ensembles is in candidates: their nodes' rounds are counted in them")
    planned = candidates_of(config)
    if not (1 - SLACK) * budget.amount <= planned <= budget.amount:
        raise ConfigError(
            f"its nodes propose {planned} candidates in all their rounds, and the budget is "
            f"{budget.amount:g}: conditions are equal if they spend it, or up to {SLACK:.0%} less"
        )


def _of_one_run(settled: RunConfig, seed: int, folder: Path) -> RunConfig:
    """Returns the settings of one run: its seed, and a recording of its own if replies are recorded."""
    layers: list[Layer] = [settled.model_dump(mode="json", exclude_unset=True), {"seed": seed}]
    if settled.llm.record is not None:  # equal requests of different runs would answer for each other
        layers.append({"llm": {"record": str(folder / settled.llm.record.name)}})
    return compose(layers)


def _cap(budget: BudgetPlan) -> Layer:
    """Returns the cap that ends every run."""
    amount: Json = budget.amount if budget.unit == "cost" else int(budget.amount)
    return {"budget": {budget.unit: amount}}


def _check_free(settings: Mapping[str, Json], where: str, *, allow_caps: bool, unit: Unit) -> None:
    """Refuses what would make runs unequal.

    Raises:
        ConfigError: a seed is set, or the budget outside of the plan's own table.
    """
    if "seed" in settings:
        raise ConfigError(f"{where}: seeds are named in the plan's `seeds`, not among settings")
    budget = settings.get("budget")
    if budget is None:
        return
    if not allow_caps:
        raise ConfigError(f"{where}: all conditions have the plan's one budget")
    if isinstance(budget, dict) and unit in budget:
        raise ConfigError(f"{where}: the cap on {unit} is the plan's budget; name it under [budget] alone")


def _initial(condition: ConditionConfig, base: Path) -> str | None:
    if condition.initial is None:
        return None
    try:
        return (base / condition.initial).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the initial program {base / condition.initial}: {error}") from error


def _tasks(plan: Plan, base: Path) -> dict[str, str]:
    """Returns the source of each task by a label that is fit for a folder's name."""
    found: dict[str, str] = {}
    for name in plan.tasks:
        local = os.sep in name or name not in list_tasks()
        source = str((base / name).resolve()) if local else name
        label = Path(source).name if local else name
        if label in found:
            raise ConfigError(f"two tasks of the plan are called {label!r}: rename a folder")
        found[label] = source
    return found
