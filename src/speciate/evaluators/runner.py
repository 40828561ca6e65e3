"""What evaluators need of a place where candidates run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from speciate.evaluators.jobs import CommandReport, Job, Report, Respond
from speciate.records import Program


class CandidateRunner(Protocol):
    """Runs candidates; whatever they do comes back as a report, never as an exception.

    `SandboxPool` is the one on this machine. Every method may be called many times at once.
    """

    async def start(self) -> None:
        """Makes ready. Called once, before the first job."""
        ...

    async def run(self, job: Job, listen: Callable[[], Respond] | None = None) -> Report:
        """Runs one candidate process; waiting for a free slot or for a reply counts against no limit.

        Args:
            job: what to run.
            listen: for mode ``agent``: returns who answers, once each time that the job has to begin anew.
        """
        ...

    async def command(self, program: Program, argv: Sequence[str]) -> CommandReport:
        """Runs one command on the program's files; ``{program}`` stands for the entry file's path."""
        ...

    async def close(self) -> None:
        """Ends everything. May be called twice."""
        ...
