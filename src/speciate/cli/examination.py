"""What `check` finds out about a task. Heavy: imported as the command runs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import typer

from speciate.cli.failures import BROKEN
from speciate.cli.output import Output, columns
from speciate.cli.settings import Course, settings
from speciate.engine import RunConfig, asking_alone
from speciate.evaluators import build_evaluator
from speciate.records import Evaluated, Outcome, stable
from speciate.reports import exact
from speciate.tasks import DescriptorSpec, Task, gateway_of, has_validator, load_task, program_segments

RUNS = 2

FORMAT_NAMES = {"shinka": "ShinkaEvolve", "openevolve": "OpenEvolve"}
"""What users call the formats of folders that are not our own."""


@dataclass(frozen=True, slots=True)
class Region:
    """Lines of a file that may change, first and last, counted from 1."""

    file: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Examination:
    """What became of a task's initial program.

    Attributes:
        task: the task.
        regions: what may change.
        validated: whether the score code can refuse an answer.
        syntax: what is wrong with the initial program's syntax, or None.
        outcomes: one a run, each in a fresh evaluator; none with broken syntax.
    """

    task: Task
    regions: tuple[Region, ...]
    validated: bool
    syntax: str | None
    outcomes: tuple[Outcome, ...]

    @property
    def valid(self) -> bool:
        """Whether every run gave a score."""
        return bool(self.outcomes) and all(outcome.valid for outcome in self.outcomes)

    @property
    def deterministic(self) -> bool:
        """Whether all runs ended alike, times apart."""
        alike = {repr(stable(Evaluated(ordinal=0, outcome=outcome))) for outcome in self.outcomes}
        return len(alike) == 1

    def as_json(self) -> dict[str, object]:
        """Returns it as one JSON object; scores in the user's own direction."""
        spec = self.task.spec
        return {
            "task": spec.name,
            "folder": self.task.folder,
            "format": self.task.format,
            "remarks": self.task.remarks,
            "language": spec.language,
            "kind": spec.evaluation.kind,
            "objectives": [objective.model_dump() for objective in spec.objectives],
            "files": spec.program.files,
            "regions": self.regions,
            "limits": spec.limits.model_dump(),
            "descriptors": [descriptor.model_dump() for descriptor in spec.descriptors],
            "forgeable": self.task.forgeable,
            "unvalidated": not self.validated,
            "syntax": self.syntax,
            "valid": self.valid,
            "deterministic": self.deterministic if self.outcomes else None,
            "runs": [_run_json(self.task, outcome) for outcome in self.outcomes],
        }


def examine_task(name: str, assignments: Sequence[str], *, unsafe: bool, output: Output) -> None:
    """Examines a task and tells about it.

    Raises:
        TaskError: it cannot be understood.
        ScoreError: its score code broke.
        typer.Exit: with 1, the initial program is invalid.
    """
    config = settings([Course(unsafe_no_sandbox=unsafe).layer()], assignments=assignments)
    task = load_task(name, config.task.parameters)
    regions = mutable_regions(task)
    output.say(*understood(task, regions))
    syntax, outcomes = asyncio.run(_try(task, config))
    found = Examination(task, regions, has_validator(task), syntax, outcomes)
    output.say(*verdict(found))
    output.result(found.as_json())
    if not found.valid:
        raise typer.Exit(BROKEN)


async def _try(task: Task, config: RunConfig) -> tuple[str | None, tuple[Outcome, ...]]:
    outcomes: list[Outcome] = []
    for _ in range(RUNS):
        evaluator = build_evaluator(
            task, config.evaluation.model_copy(update={"slots": 1, "cache_dir": None})
        )
        try:
            await evaluator.start()
            if syntax := await evaluator.syntax(task.initial):
                return syntax, ()
            async with asking_alone(evaluator, task, config.llm) as asking:
                outcomes.append(await asking.evaluate(task.initial, task.context))
        finally:
            await evaluator.close()
    return None, tuple(outcomes)


def mutable_regions(task: Task) -> tuple[Region, ...]:
    """Returns the lines that may change; raises TaskError if there are none."""
    regions: list[Region] = []
    for file in program_segments(task.initial, task.spec):
        line = 1
        for segment in file.segments:
            lines = len(segment.text.splitlines())
            if segment.mutable:
                regions.append(Region(file.name, line, line + lines - 1))
            line += lines
    return tuple(regions)


def understood(task: Task, regions: Sequence[Region]) -> list[str]:
    """Returns what a task's definition says, in words."""
    spec, limits = task.spec, task.spec.limits
    rows = [
        ("objectives", ", ".join(f"{o.direction} {o.name}" for o in spec.objectives)),
        ("program", f"{', '.join(spec.program.files)} ({spec.language})"),
        ("may change", ", ".join(f"{r.file} lines {r.first}-{r.last}" for r in regions)),
        ("evaluation", _evaluation(task)),
        (
            "limits",
            f"{limits.cpu_seconds:g} s of CPU, {limits.wall_seconds:g} s wall time, {limits.memory_mb} MB, "
            f"{limits.processes} processes, {limits.output_mb:g} MB of output",
        ),
        ("descriptors", ", ".join(_axis(d) for d in spec.descriptors) or "none"),
    ]
    if gateway := gateway_of(spec):
        rows.append(
            (
                "asks",
                f"{gateway.model}, up to {gateway.calls} times a case; only runs cap what that costs",
            )
        )
    of = "" if task.format == "native" else f", as a folder of {FORMAT_NAMES[task.format]}"
    return [f"Task {spec.name}{of}", *columns(rows), *(f"Note: {remark}" for remark in task.remarks)]


def verdict(found: Examination) -> list[str]:
    """Returns how the initial program did, in words."""
    if found.syntax is not None:
        return [f"The initial program is not valid: {found.syntax}"]
    lines = [f"The initial program, run {RUNS} times:"]
    lines += columns([(f"run {i}", *_outcome(found.task, o)) for i, o in enumerate(found.outcomes, start=1)])
    native = found.task.format == "native"
    lines.append("Valid" if found.valid else "NOT valid: `speciate run` would refuse this task")
    if found.deterministic:
        lines.append("Deterministic: all runs ended alike")
    elif found.task.spec.evaluation.stochastic:
        lines.append("Stochastic, as task.toml says" if native else "Stochastic, as you say")
    else:
        remedy = "set evaluation.stochastic = true in task.toml"
        remedy = remedy if native else "--set task.parameters.stochastic=true says so"
        lines.append(f"NOT deterministic: runs differ; {remedy}")
    if found.task.forgeable:
        lines.append(
            "Forgeable: a candidate runs in the process that tells its score (kind split prevents it)"
        )
    if not found.validated:
        lines.append("Unvalidated: the score code never refuses an answer")
    return lines


def _evaluation(task: Task) -> str:
    evaluation = task.spec.evaluation
    files = {
        "split": f"{evaluation.run} in the sandbox, {evaluation.score} outside",
        "plain": f"{evaluation.evaluate} in the sandbox",
        "command": " ".join(evaluation.command),
        "trusted": "in the engine's own process",
        "shinka": f"{evaluation.evaluate} in the sandbox",
        "openevolve": f"{evaluation.evaluate} in the sandbox",
    }[evaluation.kind]
    repeats = "" if evaluation.repeats == 1 else f", {evaluation.repeats} repeats"
    return f"{evaluation.kind}: {files}{repeats}"


def _axis(descriptor: DescriptorSpec) -> str:
    if descriptor.edges is not None:
        return f"{descriptor.name} ({len(descriptor.edges) + 1} bins)"
    low, high = descriptor.range or (float("nan"), float("nan"))
    return f"{descriptor.name} ({low:g} to {high:g}, {descriptor.bins} bins)"


def _outcome(task: Task, outcome: Outcome) -> tuple[str, str, str]:
    memory = "memory not measured" if outcome.memory_mb is None else f"{outcome.memory_mb:.0f} MB"
    used = f"{outcome.seconds:.3f} s"
    if outcome.failure is not None:
        return f"{outcome.failure.kind}: {outcome.failure.message}", used, memory
    scores = ", ".join(f"{name} {exact(value)}" for name, value in _scores(task, outcome).items())
    return scores, used, memory


def _scores(task: Task, outcome: Outcome) -> dict[str, float]:
    if outcome.fitness is None:
        return {}
    pairs = zip(task.objectives, outcome.fitness, strict=True)
    return {objective.name: objective.outward(score) for objective, score in pairs}


def _run_json(task: Task, outcome: Outcome) -> dict[str, object]:
    return {
        "scores": _scores(task, outcome),
        "failure": outcome.failure,
        "seconds": outcome.seconds,
        "cpu_seconds": outcome.cpu_seconds,
        "memory_mb": outcome.memory_mb,
    }
