"""What a keeper saw, in the words of the records."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from typing import Any

from speciate.evaluators import frame
from speciate.evaluators.jobs import Case, CaseReport, CommandReport, Report
from speciate.evaluators.limits import Bounds
from speciate.evaluators.wire import Message
from speciate.records import Failure, FailureKind

_TEXTS = 3  # stdout, stderr and error come before the answers


def report(message: Message, cases: Sequence[Case], bounds: Bounds) -> Report:
    """Returns the report of a job in mode run or plain."""
    header = message.header
    answers, failure = _answers(message, cases)
    failure = _failure(message, bounds) or failure
    return Report(
        cases=answers,
        failure=failure,
        seconds=header["seconds"],
        cpu_seconds=header["cpu_seconds"],
        memory_mb=header["peak_bytes"] / (1 << 20),
        output=_text(message.blobs[0] + message.blobs[1])[-4096:],
    )


def command_report(message: Message, bounds: Bounds) -> CommandReport:
    """Returns the report of a command; an exit code other than 0 is no failure."""
    header = message.header
    status = header["status"]
    ended = header["end"] in ("exited", "signalled") and status is not None
    failure = None if header["end"] == "exited" else _failure(message, bounds)
    return CommandReport(
        stdout=_text(message.blobs[0]),
        stderr=_text(message.blobs[1]),
        exit_code=os.waitstatus_to_exitcode(status) if ended else None,
        failure=failure,
        seconds=header["seconds"],
        cpu_seconds=header["cpu_seconds"],
        memory_mb=header["peak_bytes"] / (1 << 20),
    )


def _text(data: bytes) -> str:
    """Returns what was printed as text, broken characters replaced."""
    return data.decode("utf-8", "replace")


def _answers(message: Message, cases: Sequence[Case]) -> tuple[tuple[CaseReport, ...], Failure | None]:
    """Returns the answers up to the first that is not a frame, and the failure if there is one."""
    answers: list[CaseReport] = []
    for case, blob, seconds in zip(
        cases, message.blobs[_TEXTS:], message.header["case_seconds"], strict=False
    ):
        try:
            data = frame.decode(blob)
        except frame.FrameError as error:
            text = f"the answer to case {case.name!r} is malformed: {error}"
            return tuple(answers), Failure(FailureKind.MALFORMED, text)
        answers.append(CaseReport(case.name, data, seconds))
    return tuple(answers), None


def _failure(message: Message, bounds: Bounds) -> Failure | None:
    """Returns the failure for a way of ending; None for a candidate that answered everything."""
    end = message.header["end"]
    if end == "answered":
        return None
    tail = _text(message.blobs[1])[-2000:]
    limits = {
        "cpu": (FailureKind.CPU_LIMIT, f"used more than {bounds.cpu_seconds:g} s of CPU time"),
        "wall": (FailureKind.WALL_LIMIT, f"took longer than {bounds.wall_seconds:g} s"),
        "memory": (
            FailureKind.MEMORY_LIMIT,
            f"its processes used more than {bounds.tree_bytes >> 20} MB together",
        ),
        "output": (FailureKind.OUTPUT_LIMIT, f"printed or answered more than {bounds.output_bytes:,} bytes"),
        "processes": (FailureKind.EXCEPTION, f"started more than {bounds.processes} processes and threads"),
        "calls": (FailureKind.CALL_LIMIT, "asked the model more often than it may"),
        "malformed": (FailureKind.MALFORMED, "wrote something that is no answer into the answer channel"),
    }
    if end in limits:
        kind, text = limits[end]
        return Failure(kind, text, tail)
    if end == "raised":
        return _raised(message.blobs[2], bounds)
    if end == "lost":
        return Failure(FailureKind.CRASH, "was killed from outside with all its processes", tail)
    if end == "exited":
        code = os.waitstatus_to_exitcode(message.header["status"])
        return Failure(FailureKind.EXIT, f"exited with code {code} before it had answered every case", tail)
    return Failure(FailureKind.CRASH, f"died of {_signal(message.header['status'])}", tail)


def _signal(status: int) -> str:
    """Returns a name for the signal in a wait status."""
    number = os.WTERMSIG(status)
    known = number in {s.value for s in signal.Signals}
    return f"signal {number} ({signal.Signals(number).name})" if known else f"signal {number}"


def _raised(blob: bytes, bounds: Bounds) -> Failure:
    """Returns the failure that the candidate's process reported about itself; it may have lied."""
    try:
        told: Any = frame.decode(blob)
        kind = FailureKind(told["kind"])
        message, feedback = str(told["message"]), str(told["feedback"])
    except (frame.FrameError, ValueError, TypeError, KeyError):
        return Failure(FailureKind.MALFORMED, "wrote something that is no report into the answer channel")
    if kind not in _OWN:
        return Failure(
            FailureKind.MALFORMED, f"reported a failure of kind {kind.value}, which only others can see"
        )
    if kind is FailureKind.MEMORY_LIMIT:
        message = f"asked for more than {bounds.memory_bytes >> 20} MB of memory ({message})"
    return Failure(kind, message[:600], feedback[-4096:])


_OWN = frozenset(
    {
        FailureKind.SYNTAX,
        FailureKind.IMPORT,
        FailureKind.EXCEPTION,
        FailureKind.EXIT,
        FailureKind.MEMORY_LIMIT,
        FailureKind.OUTPUT_LIMIT,
        FailureKind.MALFORMED,
    }
)
