"""What is to be evolved: the contents of a task.toml, and a task ready to use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from speciate.records import Axis, Context, Direction, Json, Objective, Program, Result
from speciate.tasks.prompts import Prompt

EvaluationKind = Literal["split", "plain", "command", "trusted", "shinka", "openevolve"]

ForeignKind = Literal["shinka", "openevolve"]
"""Kinds whose score code keeps to the contract of another system."""

FOREIGN_KINDS: tuple[ForeignKind, ...] = get_args(ForeignKind)

_SAFE: tuple[EvaluationKind, ...] = ("split", "trusted")


class Spec(BaseModel):
    """Base of all parts of a task.toml: frozen, unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ObjectiveSpec(Spec):
    """One objective. The first one decides `best`."""

    name: str
    direction: Direction = "maximize"


class ProgramSpec(Spec):
    """The source that evolves.

    Attributes:
        files: file names relative to the task folder; the first is the entry file.
        mutable: ``"regions"`` (EVOLVE-BLOCK markers say what may change) or ``"whole"``.
    """

    files: tuple[str, ...] = ("initial.py",)
    mutable: Literal["regions", "whole"] = "regions"


class Limits(Spec):
    """What one evaluation of one candidate may use.

    Attributes:
        cpu_seconds: CPU time of the process tree; decides outcomes.
        wall_seconds: wall time from the evaluation's own start; a safety net.
        memory_mb: address space of each process.
        processes: processes and threads at once.
        output_mb: bytes it may print, answer or write to one file.
        network: always False for now; True is refused.
        score_seconds: deadline of the task's own score code for one candidate.
    """

    cpu_seconds: float = Field(default=10.0, ge=0.1)
    wall_seconds: float = Field(default=20.0, ge=0.1)
    memory_mb: int = Field(default=1024, ge=64, le=1 << 24)
    processes: int = Field(default=16, ge=1)
    output_mb: float = Field(default=16.0, ge=0.001)
    network: Literal[False] = False
    score_seconds: float = Field(default=30.0, gt=0)


class EvaluationSpec(Spec):
    """How a candidate is scored.

    Attributes:
        kind: ``split`` (run.py in the sandbox, score.py outside), ``plain`` (one function, sandboxed,
            forgeable), ``command`` (a program that prints JSON), ``trusted`` (in the engine's own process),
            ``shinka`` and ``openevolve`` (score code written for ShinkaEvolve or OpenEvolve, sandboxed,
            forgeable).
        run: file with ``run(program, case)`` (kind split).
        score: file with ``cases``, ``score`` and ``aggregate`` (kind split).
        evaluate: file with ``evaluate`` (kinds plain, trusted and openevolve), or the script that takes
            ``--program_path`` and ``--results_dir`` (kind shinka).
        command: argument list for kind command; ``{program}`` stands for the entry file's path.
        repeats: runs of each candidate, aggregated by ``aggregate`` (split) or by mean.
        stochastic: whether equal programs may score differently; switches the cache off.
        thresholds: one a cascade stage but the last: the value of the first objective, in its own direction,
            that a candidate must reach to go on to the next stage (kinds split and openevolve; the latter
            has a stage for each of ``evaluate_stage1`` to ``evaluate_stage3``).
        stopped: what becomes of a candidate that a threshold stops: it ``fails``, or it ``scores`` what it
            reached so far, as in OpenEvolve (kind openevolve only).
        warm: modules imported once in the fork server, before any candidate.
        gateway: whether candidates may ask a model while they are evaluated, through the `query` that
            ``run(program, case, query)`` gets (kind split, Python). The parameters ``model``, ``calls`` and
            ``max_tokens`` then say whom, how often a case, and how long an answer may be.
        company: whether a score depends on who else is there (`Context.opponents`): with rounds, champions
            then join the opponents and a new round scores its archives again.
    """

    kind: EvaluationKind = "split"
    run: str = "run.py"
    score: str = "score.py"
    evaluate: str = "evaluate.py"
    command: tuple[str, ...] = ()
    repeats: int = Field(default=1, ge=1)
    stochastic: bool = False
    thresholds: tuple[float, ...] = ()
    stopped: Literal["fails", "scores"] = "fails"
    warm: tuple[str, ...] = ()
    gateway: bool = False
    company: bool = False


class DescriptorSpec(Spec):
    """One axis of behaviour space: explicit `edges`, or `range` cut into `bins` equal parts.

    Attributes:
        name: key of the coordinate.
        edges: increasing inner bin edges; k edges make k + 1 bins. None to use `range` and `bins`.
        range: (low, high); values outside fall into the first or last bin.
        bins: number of equal bins over `range`.
    """

    name: str
    edges: tuple[float, ...] | None = None
    range: tuple[float, float] | None = None
    bins: int = Field(default=10, ge=1)

    @property
    def axis(self) -> Axis:
        """The axis it describes.

        Raises:
            ValueError: there are neither edges nor a range, or they do not increase.
        """
        if self.edges is not None:
            return Axis.from_edges(self.name, self.edges)
        if self.range is None:
            raise ValueError(f"descriptor {self.name!r} needs edges or a range")
        return Axis.uniform(self.name, *self.range, self.bins)


class SandboxSpec(Spec):
    """What else a candidate sees: files of the task folder, bound read-only beside it."""

    files: tuple[str, ...] = ()


class TaskSpec(Spec):
    """A task.toml.

    Attributes:
        name: the task's name.
        description: the task message; reaches every prompt.
        language: a name known to `tasks.languages`.
        objectives: at least one.
        program: the source that evolves.
        evaluation: how it is scored.
        limits: what an evaluation may use.
        descriptors: axes of behaviour space; may be empty.
        qd_offset: offset of the QD-Score, in the first objective's own direction.
        success: value of the first objective at which a run may stop, or None.
        imports_allowed: top-level modules a Python candidate may import, or None for any.
        sandbox: what else a candidate sees.
        notes: hints for prompts, by operator name or ``"all"``.
        parameters: values of the task, changed by ``--set task.parameters.x=…``; reach score code and cases.
        proposers: who proposes when nobody is named: ``genetic``, names of installed proposers, or models.
        nodes: who proposes at each node of an ensemble when nobody is named; empty lets `proposers` propose
            at all of them.
        defaults: settings of a run that fit this task, nested as in a settings file; all others go over them.
    """

    name: str
    description: str = ""
    language: str = "python"
    objectives: tuple[ObjectiveSpec, ...] = Field(min_length=1)
    program: ProgramSpec = ProgramSpec()
    evaluation: EvaluationSpec = EvaluationSpec()
    limits: Limits = Limits()
    descriptors: tuple[DescriptorSpec, ...] = ()
    qd_offset: float = 0.0
    success: float | None = None
    imports_allowed: tuple[str, ...] | None = None
    sandbox: SandboxSpec = SandboxSpec()
    notes: Mapping[str, str] = Field(default_factory=dict)
    parameters: Mapping[str, Json] = Field(default_factory=dict)
    proposers: tuple[str, ...] = Field(default=("genetic",), min_length=1)
    nodes: tuple[str, ...] = ()
    defaults: Mapping[str, Json] = Field(default_factory=dict)


TrustedScore = Callable[[Program, Context], Result]
"""Scores a candidate in the engine's own process; raises ValueError for an invalid candidate."""

SyntaxCheck = Callable[[Program], str | None]
"""Says what is wrong with a program's syntax, well enough to send it to a model; None when nothing is. Runs
nothing of the program."""


Canonical = Callable[[Program], str | None]
"""Says what alone decides a program's score. Equal programs get equal answers, at any time."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A whole program as it was found in a model's reply.

    Attributes:
        text: the entry file's new text.
        summary: what the program says of itself, on one line, or an empty string.
        notes: what was mended in it, one sentence each.
    """

    text: str
    summary: str = ""
    notes: tuple[str, ...] = ()


ReadReply = Callable[[str], Reading]
"""Finds the whole program in a model's reply. Raises ValueError, with a message for the model, if there is
none that could run."""


@dataclass(frozen=True)
class Task:
    """A task ready to use.

    Attributes:
        spec: what task.toml says.
        initial: the initial program.
        folder: where its files lie, or None for a task built in Python.
        trusted: the function of a ``trusted`` task built in Python, else None (loaded from `folder`).
        context: the context of epoch 0.
        syntax: checks the syntax of a language that speciate itself knows no checker for, or None.
        prompts: prompts that take the place of ours for this task, by name (``full``, ``full.compact``).
        grammar: GBNF grammar of all answers that are a whole program and nothing else, or None. It goes out
            to models whose spec says that their server takes one.
        read_reply: reads replies that hold a whole program, instead of our own reading of fenced blocks; None
            for the latter.
        generality: measures a champion, or None: the share of opponents held out from the search that it
            beats or ties one to one.
        room: most opponents that a candidate can meet at once, or None for any number.
        canonical: returns what alone decides a program's score, as text, or None for a program that it cannot
            read. Programs with equal text are one: a second one is a duplicate, and is not evaluated again.
            Without it Python goes by its compiled code where duplicates are told, all else by the letter.
        scored_by: identities of what decides scores and is none of the folder's own files, by name: what
            changes one of them changes what a score means.
        ready: raises UsageError where what scores is not on this machine; None where nothing can be missing.
            It is asked before a run begins.
        format: name of the format of the folder it was loaded from.
        remarks: what a user should know about how its files were understood, one sentence each.
        forgeable: whether a candidate can forge its score (all kinds but split and trusted).
    """

    spec: TaskSpec
    initial: Program
    folder: Path | None = None
    trusted: TrustedScore | None = None
    context: Context = field(default_factory=Context)
    syntax: SyntaxCheck | None = None
    prompts: Mapping[str, Prompt] = field(default_factory=dict)
    grammar: str | None = None
    read_reply: ReadReply | None = None
    generality: Callable[[Program], float] | None = None
    room: int | None = None
    canonical: Canonical | None = None
    scored_by: Mapping[str, str] = field(default_factory=dict)
    ready: Callable[[], None] | None = None
    format: str = "native"
    remarks: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The task's name."""
        return self.spec.name

    @cached_property
    def objectives(self) -> tuple[Objective, ...]:
        """The objectives as records."""
        return tuple(Objective(o.name, o.direction) for o in self.spec.objectives)

    @property
    def forgeable(self) -> bool:
        """Whether a candidate runs in the process that tells its score."""
        return self.spec.evaluation.kind not in _SAFE
