"""The helper that most ShinkaEvolve evaluation scripts are written around (Lange 2025, arXiv 2509.19349).

It runs a candidate's function some times, validates each result, aggregates them to metrics and writes
``metrics.json`` and ``correct.json``.
"""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, TypeAlias

from ..utils.eval_stop import (  # noqa: TID252 (inside, this package has another name)
    EarlyStopDecision,
    EarlyStopMethod,
    create_early_stop_method,
)
from .notes import NOTES
from .plain import json_plain
from .runs import MissingFunctionError, Plan, Run, load_program, parallel, sequential

__all__ = ["DEFAULT_METRICS_ON_ERROR", "load_program", "run_shinka_eval", "save_json_results"]

# Any, here and below: results and metrics are whatever candidate and script make of them.
Metrics: TypeAlias = dict[str, Any]
Validate: TypeAlias = Callable[[Any], tuple[bool, str | None]]

DEFAULT_METRICS_ON_ERROR: Metrics = {
    "combined_score": 0.0,
    "execution_time_mean": 0.0,
    "execution_time_std": 0.0,
    "num_successful_runs": 0,
    "num_valid_runs": 0,
    "num_invalid_runs": 0,
    "all_validation_errors": [],
}
"""Metrics that are written when an evaluation raised."""


def save_json_results(
    results_dir: str, metrics: Mapping[str, Any], correct: bool, error: str | None = None
) -> None:
    """Writes ``metrics.json`` and then ``correct.json``; numpy's numbers and arrays become plain ones."""
    folder = Path(results_dir)
    folder.mkdir(parents=True, exist_ok=True)
    correctness = {"correct": bool(correct), "error": error}
    for name, value in (("metrics.json", metrics), ("correct.json", correctness)):
        (folder / name).write_text(json.dumps(json_plain(value), indent=2), encoding="utf-8")


def run_shinka_eval(  # more parameters than ours have: it is somebody else's signature
    program_path: str,
    results_dir: str,
    experiment_fn_name: str,
    num_runs: int,
    get_experiment_kwargs: Callable[[int], dict[str, Any]] | None = None,
    aggregate_metrics_fn: Callable[[list[Any]], Metrics] | None = None,
    validate_fn: Validate | None = None,
    plotting_fn: Callable[[Any], list[Any]] | None = None,
    default_metrics_on_error: Mapping[str, Any] | None = None,
    early_stop_method: str | EarlyStopMethod | None = None,
    early_stop_threshold: float | None = None,
    early_stop_score_fn: Callable[[Any], float] | None = None,
    early_stop_kwargs: Mapping[str, Any] | None = None,
    run_workers: int = 1,
    max_workers_cap: int | None = None,
) -> tuple[Metrics, bool, str | None]:
    """Evaluates a candidate and writes ``metrics.json`` and ``correct.json``; extra data go to ``extra.pkl``.

    Args:
        program_path: the candidate.
        results_dir: where to write.
        experiment_fn_name: the function of the candidate that is run.
        num_runs: how often.
        get_experiment_kwargs: keyword arguments of a run by its number from 0; without it, ``seed`` from 1.
        aggregate_metrics_fn: makes metrics of all results; ``combined_score`` counts, ``public``,
            ``private``, ``text_feedback`` and ``extra_data`` are told apart.
        validate_fn: says of a result whether it is valid and, if not, why; one invalid run is enough.
        plotting_fn: is not called: pictures are no part of a score.
        default_metrics_on_error: metrics in case something raises.
        early_stop_method: ``none``, ``bayesian``, ``ci``, ``hybrid`` or a method; runs one after another.
        early_stop_threshold: the mean score to beat; needed with a method.
        early_stop_score_fn: returns the score of a result; without it, a result is a score.
        early_stop_kwargs: settings of a method given by name.
        run_workers: processes that run at once.
        max_workers_cap: bound on `run_workers`, or None.

    Returns:
        The metrics without extra data, whether all is correct, and the first error or None.

    Raises:
        ValueError: the arguments contradict each other.
    """
    workers = _workers(run_workers, max_workers_cap, num_runs)
    stopper = _stopper(
        early_stop_method, early_stop_threshold, early_stop_score_fn, early_stop_kwargs or {}, workers
    )
    arguments = get_experiment_kwargs or (lambda number: {"seed": number + 1})
    plan = Plan(program_path, experiment_fn_name, arguments, num_runs)
    found = Evaluation(stopper=stopper, asked=num_runs)
    NOTES.raised = NOTES.extra = None
    try:
        found.collect(parallel(plan, workers) if workers > 1 else sequential(plan), validate_fn)
        metrics = found.metrics(aggregate_metrics_fn)
        correct, error = found.verdict(metrics)
    except Exception as raised:  # noqa: BLE001 (the contract: whatever is raised is written down as the error)
        NOTES.raised = None if isinstance(raised, MissingFunctionError) else raised
        defaults = default_metrics_on_error or {}
        metrics = {name: defaults.get(name, value) for name, value in DEFAULT_METRICS_ON_ERROR.items()}
        correct, error = False, f"{type(raised).__name__}: {raised}"
    _keep_extra(metrics, Path(results_dir))
    save_json_results(results_dir, metrics, correct, error)
    return metrics, correct, error


@dataclass(slots=True)
class Stopper:
    """Early stopping of repeated runs: the method, the mean to beat, and how a result is scored."""

    method: EarlyStopMethod
    threshold: float
    score: Callable[[Any], float]
    scores: list[float] = field(default_factory=list)
    decision: EarlyStopDecision | None = None

    def enough(self, result: Any) -> bool:
        """Says whether the runs so far decide."""
        self.scores.append(float(self.score(result)))
        self.decision = self.method.check(self.scores, self.threshold)
        return self.decision.should_stop


@dataclass(slots=True)
class Evaluation:
    """What the runs of a candidate have come to so far."""

    stopper: Stopper | None
    asked: int
    runs: list[Run] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    valid: int = 0
    invalid: int = 0
    validated: bool = False

    def collect(self, runs: Iterable[Run], validate: Validate | None) -> None:
        """Makes the runs, validates each, and stops when enough is known."""
        self.validated = validate is not None
        for run in runs:
            self.runs.append(run)
            if validate is not None:
                self._validate(validate, run)
            if self.stopper is not None and self.stopper.enough(run.result):
                break

    def _validate(self, validate: Validate, run: Run) -> None:
        valid, why = validate(run.result)
        if valid:
            self.valid += 1
            return
        self.invalid += 1
        if why and why not in self.errors:
            self.errors.append(why)

    def metrics(self, aggregate: Callable[[list[Any]], Metrics] | None) -> Metrics:
        """Returns what the script makes of the results, and counts and times of the runs."""
        results = [run.result for run in self.runs]
        metrics: Metrics = dict(aggregate(results)) if aggregate else {"num_successful_runs": len(results)}
        seconds = [run.seconds for run in self.runs]
        metrics["execution_time_mean"] = fmean(seconds) if seconds else 0.0
        metrics["execution_time_std"] = pstdev(seconds) if seconds else 0.0
        if self.validated:
            metrics["num_valid_runs"], metrics["num_invalid_runs"] = self.valid, self.invalid
            metrics["all_validation_errors"] = list(self.errors)
        if self.stopper is not None:
            metrics["early_stop"] = _stop_facts(self.stopper, self.asked, len(self.runs))
        return metrics

    def verdict(self, metrics: Mapping[str, Any]) -> tuple[bool, str | None]:
        """Returns whether the candidate is correct, and the first thing that is not."""
        if self.invalid:
            return False, f"Validation failed: {self.errors[0]}" if self.errors else "Validation failed"
        score = metrics.get("combined_score")
        if score is not None and not math.isfinite(score):
            return False, f"combined_score is {float(score)}"
        return True, None


def _workers(asked: int, cap: int | None, runs: int) -> int:
    if asked < 1 or (cap is not None and cap < 1):
        raise ValueError(f"run_workers and max_workers_cap have to be at least 1, not {asked} and {cap}")
    return max(1, min(asked, runs, asked if cap is None else cap))


def _stopper(
    method: str | EarlyStopMethod | None,
    threshold: float | None,
    score: Callable[[Any], float] | None,
    settings: Mapping[str, Any],
    workers: int,
) -> Stopper | None:
    if method is None:
        return None
    if workers > 1:
        raise ValueError("early stopping needs runs one after another: run_workers=1")
    if threshold is None:
        raise ValueError("early_stop_method needs an early_stop_threshold")
    made = create_early_stop_method(method, **settings) if isinstance(method, str) else method
    made.reset()
    return Stopper(made, threshold, score or float)


def _stop_facts(stopper: Stopper, asked: int, done: int) -> Metrics:
    decision = stopper.decision or EarlyStopDecision(False, "uncertain", 0.0, done)
    facts = asdict(decision)
    return {
        "method": stopper.method.name,
        "threshold": stopper.threshold,
        "triggered": facts.pop("should_stop"),
        "runs_completed": done,
        "runs_requested": asked,
        **facts,
        "scores": list(stopper.scores),
    }


def _keep_extra(metrics: Metrics, folder: Path) -> None:
    """Takes extra data out of the metrics; they go into a file of their own, and to the adapter."""
    if "extra_data" not in metrics:
        return
    NOTES.extra = metrics.pop("extra_data")
    folder.mkdir(parents=True, exist_ok=True)
    with suppress(
        pickle.PicklingError, AttributeError, TypeError
    ):  # for the script alone: nobody else reads it
        (folder / "extra.pkl").write_bytes(pickle.dumps(NOTES.extra))
