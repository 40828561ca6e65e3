"""Conducts an experiment and tells how it goes. Heavy: imported as the command runs."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer

from speciate.cli.failures import BROKEN
from speciate.cli.output import Output, columns
from speciate.cli.words import clock_time
from speciate.engine import is_model
from speciate.engine.settings import Layer, assignment_layer
from speciate.errors import RunFolderError, StoreError, UsageError
from speciate.experiments import (
    Concluded,
    ConcludedMerged,
    Ended,
    Experiment,
    Job,
    cautions,
    conclude,
    conclude_merged,
    condition_rows,
    conduct,
    cores,
    estimate,
    gains,
    load_plan,
    merged_cautions,
    open_experiment,
    planned_pairs,
    shipped_plans,
    state_of,
    summary_of,
)
from speciate.records import Json, Objective
from speciate.reports import dollars, number, pair_json
from speciate.statistics import Pair, seeds_needed
from speciate.store import RunHistory, open_reader


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for on the command line; None leaves it as the plan has it.

    Attributes:
        plan: a file or a shipped plan's name.
        out: the experiment's folder.
        jobs: runs at the same time.
        seeds: how many.
        budget: of each run.
        models: who proposes.
        assignments: settings as ``--set`` takes them.
        dry_run: whether nothing is run.
    """

    plan: str
    out: Path | None
    jobs: int | None
    seeds: int | None
    budget: float | None
    models: tuple[str, ...]
    assignments: tuple[str, ...]
    dry_run: bool


def list_plans(output: Output) -> None:
    """Lists the plans that ship with speciate."""
    plans = [load_plan(name)[0] for name in shipped_plans()]
    output.say("Plans that ship with speciate:", *columns((plan.name, plan.about) for plan in plans))
    output.result({"plans": [{"name": plan.name, "about": plan.about} for plan in plans]})


def experimenting(request: Request, output: Output) -> None:
    """Conducts an experiment, or says what it would do.

    Raises:
        UsageError: the plan has to be mended first.
        KeyboardInterrupt: Ctrl-C.
        typer.Exit: a run failed.
    """
    _check_models(request)
    models: list[Layer] = [{"models": list(request.models)}] if request.models else []
    overrides = [*models, *map(assignment_layer, request.assignments)]
    experiment = open_experiment(
        request.plan, out=request.out, changes=_changes(request), overrides=overrides
    )
    for line in forecast(experiment, request.jobs or cores()):
        (output.say if request.dry_run else output.remark)(line)
    if request.dry_run:
        for what in experiment.missing:
            output.say(f"missing: {what}; conditions that need it were not checked further")
        output.result(_plan_json(experiment))
        return
    with _told_how_to_go_on(request):
        conduct(experiment, at_once=request.jobs, listener=Progress(experiment, output))
    if experiment.plan.merged is None:
        concluded = conclude(experiment)
        output.say(*ending(concluded, experiment))
        output.result(_json(concluded, experiment))
        missing = concluded.results.missing
    else:
        merged = conclude_merged(experiment)
        output.say(*ending_merged(merged, experiment))
        output.result(merged_json(merged, experiment))
        missing = merged.results.missing
    if missing:
        raise typer.Exit(BROKEN)


def _check_models(request: Request) -> None:
    """Refuses ``--model`` where the plan says who proposes at each node, which would go over it unsaid.

    Raises:
        UsageError: it was given for such a plan.
    """
    if not request.models:
        return
    plan, _ = load_plan(request.plan, changes=_changes(request))
    if any(condition.nodes for condition in plan.all_conditions().values()):
        raise UsageError(
            f"the plan {plan.name} says who proposes at each node ([proposers]), and --model would not "
            "change that: change the plan"
        )


def forecast(experiment: Experiment, at_once: int) -> list[str]:
    """Returns what will run, what is done already, and what the tests can show at best."""
    plan, states = experiment.plan, experiment.states()
    conditions, seeds = plan.all_conditions(), len(plan.seed_list)
    lines = [
        f"{plan.name}: {len(plan.tasks)} task(s) × {len(conditions)} conditions × {seeds} seeds = "
        f"{len(experiment.jobs)} runs of {number(plan.budget.amount)} {plan.budget.unit}, "
        f"{at_once} at a time, in {experiment.out}",
        f"conditions: {', '.join(conditions)}",
    ]
    if (price := _at_most(experiment)) is not None:
        lines.append(price)
    if plan.merged is not None:
        lines += _time(experiment, at_once)
    known = [f"{count} {_STATES[state]}" for state, count in sorted(states.items()) if state != "new"]
    if known:
        lines.append(f"of these are there already: {', '.join(known)}")
    pairs = len(planned_pairs(plan))
    needed = seeds_needed(pairs, alpha=plan.alpha, paired=plan.pairing == "seeds") if pairs else 0
    if seeds < needed:
        lines.append(f"too few seeds to show anything: {pairs} comparisons need {needed} seeds or more")
    return lines


def _time(experiment: Experiment, at_once: int) -> list[str]:
    """Returns how long what is left may take, unless trying would cost something."""
    left = [job for job in experiment.jobs if state_of(job.folder) != "done"]
    if not left or any(_is_paid(model) for job in left for model in job.models):
        return []
    seconds = clock_time(estimate(left, at_once))
    return [f"about {seconds} for {len(left)} ensembles, at a rough guess from a short try just now"]


def _at_most(experiment: Experiment) -> str | None:
    """Returns what all runs may cost together if any of them asks a real model."""
    asking = [job for job in experiment.jobs if any(map(_is_paid, job.models))]
    if not asking:
        return None
    caps = [job.settings.budget.cost for job in asking]
    known = [cap for cap in caps if cap is not None]
    if len(known) < len(caps):
        return "models are asked and no cap limits what that costs: --set budget.cost=1.0 caps each run"
    return f"models cost at most {dollars(sum(known))} in all"


def _is_paid(spec: str) -> bool:
    return is_model(spec) and not spec.startswith(("simulated:", "scripted:", "replay:"))


_STATES = {"done": "done", "half": "cut short (will go on)", "failed": "failed (get another try)"}


def ending(concluded: Concluded, experiment: Experiment) -> list[str]:
    """Returns what the experiment came to, for a terminal."""
    results, plan = concluded.results, experiment.plan
    lines = [f"{plan.name}: {len(results.measured)} of {len(experiment.jobs)} runs count"]
    for task in concluded.tasks:
        better = "higher" if task.objective.direction == "maximize" else "lower"
        lines += ["", f"{task.task}, {task.objective.name} ({better} is better)"]
        rows = [("condition", "runs", "median final", f"{plan.confidence:.0%} interval", "mean area")]
        for one in task.conditions:
            told = summary_of(task, one)
            middle, low, high = told.median_final, told.median_final_low, told.median_final_high
            ends = "–" if low is None else f"{number(low)} to {number(high)}"
            rows.append((one.name, str(one.runs), number(middle), ends, number(told.mean_area)))
        lines += columns(rows)
        lines += [line for pair in task.finals if (line := _shown(pair, plan.alpha))]
    lines += ["", *(f"* {note}" for note in cautions(results, concluded.tasks))]
    lines += [f"* {line}" for line in concluded.written.skipped]
    return [*lines, "", f"Written: {concluded.written.files[0]}"]


def ending_merged(concluded: ConcludedMerged, experiment: Experiment) -> list[str]:
    """Returns what an experiment on ensembles came to, for a terminal."""
    results, plan = concluded.results, experiment.plan
    lines = [f"{plan.name}: {len(results.measured)} of {len(experiment.jobs)} ensembles count"]
    for one in concluded.analyses:
        lines += ["", f"{one.task}: merged archives, mean ± standard deviation over seeds"]
        lines += columns(condition_rows(one))
        lines += gains(one, plan)
    lines += ["", *(f"* {note}" for note in merged_cautions(results, concluded.analyses))]
    lines += [f"* {line}" for line in concluded.written.skipped]
    return [*lines, "", f"Written: {concluded.written.files[0]}"]


def _shown(pair: Pair, alpha: float) -> str:
    winner = pair.winner(alpha)
    if winner is None:
        return ""
    other = pair.second if winner == pair.first else pair.first
    effect = f"p {number(pair.adjusted, digits=2)} after Holm, A {pair.superiority:.2f}"
    return f"  {winner} is better than {other} ({effect})"


class Progress:
    """Tells of each run that ends, how far those are that go on, and how long all the rest may take."""

    def __init__(self, experiment: Experiment, output: Output) -> None:
        self._output = output
        self._all = len(experiment.jobs)
        self._ended = experiment.states().get("done", 0)
        self._before = self._ended
        self._unit = experiment.plan.budget.unit
        self._amount = experiment.plan.budget.amount
        self._histories: dict[Path, RunHistory] = {}
        self._began = time.monotonic()

    def ended(self, ended: Ended) -> None:
        """Says so."""
        for folder in ended.job.runs:
            if (history := self._histories.pop(folder, None)) is not None:
                history.reader.close()
        self._ended += 1
        passed = time.monotonic() - self._began
        left = passed / (self._ended - self._before) * (self._all - self._ended)
        how = {"done": "done", "half": "cut short"}.get(ended.state, "FAILED")
        self._output.remark(
            f"[{self._ended}/{self._all}] {ended.job.key} {how} in {ended.seconds:.1f} s, "
            f"about {clock_time(left)} left"
        )
        if ended.error is not None:
            self._output.remark(f"    {ended.error.splitlines()[-1]}")

    def going(self, jobs: Sequence[Job]) -> None:
        """Says how much of their budgets they have spent."""
        told = [f"{job.key} {self._spent(job)}" for job in jobs]
        if told:
            self._output.remark(f"going on: {', '.join(told)}")

    def _spent(self, job: Job) -> str:
        each = [self._spent_by(folder) for folder in job.runs]
        known = [spent for spent in each if spent is not None]
        return f"{number(sum(known))}/{number(self._amount)} {self._unit}" if known else "begins"

    def _spent_by(self, folder: Path) -> float | None:
        try:
            # Kept, because reading on costs no more than what is new.
            history = self._histories.get(folder) or RunHistory(open_reader(folder))
            self._histories[folder] = history
            history.refresh()
        except (RunFolderError, StoreError):
            return None
        counts = history.counts()
        return {
            "candidates": counts.proposed,
            "evaluations": counts.evaluations,
            "tokens": counts.usage.input_tokens + counts.usage.output_tokens,
            "cost": counts.usage.cost,
        }[self._unit]


@contextmanager
def _told_how_to_go_on(request: Request) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as error:
        plan = shlex.quote(request.plan)
        where = "" if request.out is None else f" --out {shlex.quote(str(request.out))}"
        error.add_note(f"What has run is kept; the same command goes on: speciate experiment {plan}{where} …")
        raise


def _changes(request: Request) -> Layer:
    changes: dict[str, Json] = {}
    if request.seeds is not None:
        changes["seeds"] = request.seeds
    if request.budget is not None:
        changes["budget"] = {"amount": request.budget}
    return changes


def _plan_json(experiment: Experiment) -> dict[str, object]:
    return {
        "out": experiment.out,
        "plan": experiment.plan,
        "runs": {"planned": len(experiment.jobs)} | {str(k): n for k, n in experiment.states().items()},
        "missing": list(experiment.missing),
        "dry_run": True,
    }


def _json(concluded: Concluded, experiment: Experiment) -> dict[str, object]:
    results, tasks = concluded.results, concluded.tasks
    return {
        "out": experiment.out,
        "plan": experiment.plan.name,
        "budget": experiment.plan.budget,
        "runs": {"planned": len(experiment.jobs), "counted": len(results.measured)},
        "missing": [
            {"run": one.job.key, "state": one.state, "reason": one.reason} for one in results.missing
        ],
        "conditions": [summary_of(task, one) for task in tasks for one in task.conditions],
        "comparisons": [
            {"task": task.task, "of": of, **pair_json(pair, task.objective, alpha=experiment.plan.alpha)}
            for task in tasks
            for of, pairs in (("final", task.finals), ("area", task.areas))
            for pair in pairs
        ],
        "not_shown": list(cautions(results, tasks)),
        "files": list(concluded.written.files),
        "skipped": list(concluded.written.skipped),
    }


def merged_json(concluded: ConcludedMerged, experiment: Experiment) -> dict[str, object]:
    """Returns what an experiment on ensembles came to, for programs."""
    results, plan = concluded.results, experiment.plan
    return {
        "out": experiment.out,
        "plan": plan.name,
        "budget": plan.budget,
        "runs": {"planned": len(experiment.jobs), "counted": len(results.measured)},
        "missing": [
            {"run": one.job.key, "state": one.state, "reason": one.reason} for one in results.missing
        ],
        "conditions": [
            {
                "task": one.task,
                "condition": values.name,
                "measure": result.measure.name,
                "values": values.by_seed,
            }
            for one in concluded.analyses
            for result in one.measures
            for values in result.values
        ],
        "comparisons": [
            {
                "task": one.task,
                "of": result.measure.name,
                **pair_json(pair, Objective(result.measure.name), alpha=plan.alpha),
            }
            for one in concluded.analyses
            for result in one.measures
            for pair in result.pairs
        ],
        "gains": [line for one in concluded.analyses for line in gains(one, plan)],
        "subsets": [
            {
                "task": one.task,
                "proposers": subset.proposers,
                "expected": subset.expected,
                "vendi": subset.vendi,
            }
            for one in concluded.analyses
            if one.predicted is not None
            for subset in one.predicted.subsets
        ],
        "not_shown": list(merged_cautions(results, concluded.analyses)),
        "files": list(concluded.written.files),
        "skipped": list(concluded.written.skipped),
    }
