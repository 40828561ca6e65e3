"""What a sandbox pool is asked to do, and what it answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from speciate.records import Failure, Program, Seconds

# `Any` because a value that crossed a frame may be any JSON value or numpy array, nested at will.
FrameValue: TypeAlias = Any
"""None, bool, int, float, str, numpy array, or a list or string-keyed dict of these."""


@dataclass(frozen=True, slots=True)
class Case:
    """One input a candidate is run on.

    Attributes:
        name: the case's name.
        data: what ``run(program, case)`` receives; None for tasks without input.
        stage: the cascade stage it belongs to.
    """

    name: str
    data: FrameValue = None
    stage: int = 0


@dataclass(frozen=True, slots=True)
class Job:
    """One candidate process: a program and what to do with it.

    Attributes:
        program: the candidate.
        mode: ``"run"`` calls ``run(program, case)`` of the task's run file once a case; ``"plain"`` calls
            ``evaluate(path)`` of the task's evaluate file once; ``"foreign"`` has the shim of another
            system call that file; ``"agent"`` calls ``run(program, case, query)``, and `query` asks a model.
        cases: the cases, in order; for ``"plain"`` one case whose data is None; for ``"foreign"`` one whose
            data are the settings of the shim.
        seed: told apart repeats of a program: its global random generators start from program and seed.
    """

    program: Program
    mode: Literal["run", "plain", "foreign", "agent"]
    cases: tuple[Case, ...]
    seed: int = 0


Response: TypeAlias = bytes | Literal["calls", "malformed"]
"""What a question of a candidate gets: a frame with ``text`` and ``error``, or how the candidate ends: it
asked too often, or wrote what is no question."""

Respond: TypeAlias = Callable[[bytes], Awaitable[Response]]
"""Answers one question, an untrusted frame. What it raises ends the job and passes through."""


@dataclass(frozen=True, slots=True)
class CaseReport:
    """What one case gave.

    Attributes:
        case: the case's name.
        data: what the candidate answered; untrusted.
        seconds: wall time between two frames, measured outside the candidate's process.
    """

    case: str
    data: FrameValue
    seconds: Seconds


@dataclass(frozen=True, slots=True)
class Report:
    """How a job ended.

    Attributes:
        cases: the cases that were answered, in order; all of the job's when `failure` is None.
        failure: why the candidate failed, or None.
        seconds: wall time from the candidate's own start, measured outside.
        cpu_seconds: CPU time of the candidate's process tree, measured outside.
        memory_mb: peak resident memory of the candidate's tree, or None when it was not measured.
        output: the last 4 KB of what it printed (stdout and stderr together).
    """

    cases: tuple[CaseReport, ...]
    failure: Failure | None
    seconds: Seconds
    cpu_seconds: Seconds
    memory_mb: float | None
    output: str


@dataclass(frozen=True, slots=True)
class CommandReport:
    """How a command ended.

    Attributes:
        stdout: what it printed, at most `limits.output_mb`.
        stderr: the last 4 KB of its error output.
        exit_code: its exit status; negative for a signal; None when a limit ended it.
        failure: which limit it hit or which signal ended it, or None.
            An exit code other than 0 is no failure here.
        seconds: wall time from its own start.
        cpu_seconds: CPU time of its process tree.
        memory_mb: peak resident memory, or None when it was not measured.
    """

    stdout: str
    stderr: str
    exit_code: int | None
    failure: Failure | None
    seconds: Seconds
    cpu_seconds: Seconds
    memory_mb: float | None
