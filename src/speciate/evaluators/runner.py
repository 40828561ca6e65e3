"""What evaluators need of a place where candidates run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from speciate.evaluators.jobs import CommandReport, Job, Report
from speciate.records import Program


class CandidateRunner(Protocol):
    """Runs candidates; whatever they do comes back as a report, never as an exception.

    `SandboxPool` is the one on this machine. Every method may be called many times at once.
    """

    async def start(self) -> None:
        """Makes ready. Called once, before the first job."""
        ...

    async def run(self, job: Job) -> Report:
        """Runs one candidate process; waiting for a free slot counts against no limit."""
        ...

    async def command(self, program: Program, argv: Sequence[str]) -> CommandReport:
        """Runs one command on the program's files; ``{program}`` stands for the entry file's path."""
        ...

    async def close(self) -> None:
        """Ends everything. May be called twice."""
        ...
