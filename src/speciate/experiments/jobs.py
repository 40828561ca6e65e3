"""From a plan to its runs, each with complete settings and a folder of its own."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from speciate.engine import Run, RunConfig, build_run, is_model
from speciate.engine.settings import Layer, compose, over_task_defaults
from speciate.ensembles import check_opponents
from speciate.errors import ConfigError, MissingExtraError, MissingKeyError, SpeciateError
from speciate.experiments.plan import BudgetPlan, ConditionConfig, Plan
from speciate.records import Json, Objective, Program, text_hash
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
    """

    task: str
    source: str
    condition: str
    seed: int
    initial: str | None
    settings: RunConfig
    folder: Path

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
    conditions = plan.all_conditions()
    settled = {name: _settled(plan, name, condition, overrides) for name, condition in conditions.items()}
    initial = {name: _initial(condition, base) for name, condition in conditions.items()}
    jobs = []
    for (label, source), seed, name in product(_tasks(plan, base).items(), plan.seed_list, conditions):
        folder = out / "runs" / label / name / f"seed-{seed}"
        settings = _of_one_run(settled[name], seed, folder)
        jobs.append(Job(label, source, name, seed, initial[name], settings, folder))
    return tuple(jobs)


def check_jobs(jobs: Sequence[Job]) -> tuple[str, ...]:
    """Builds the parts of one run of each task and condition for nothing: what is wrong is told at once.

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
                _check(job)
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


def _check(job: Job) -> None:
    task = job.load()
    config = over_task_defaults(job.settings, task)
    if config.ensemble.rounds:
        check_opponents(task, config)
        if task.spec.evaluation.company:
            raise ConfigError(
                "its rounds are each in a company of its own, whose scores make no single curve: experiments "
                "measure runs of one epoch"
            )
    if config.driver == "pipeline" and config.pipeline.in_flight is None:
        raise ConfigError(
            "the pipeline's default of candidates in flight depends on the machine: set pipeline.in_flight"
        )
    run = build_run(task, config, MemoryStore())
    try:
        _check_ends(run)
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
    try:
        return compose([DEFAULTS, plan.settings, *overrides, condition.settings, _cap(plan.budget)])
    except ConfigError as error:
        raise ConfigError(f"condition {name}: {error}") from error


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
