"""The process of one run of an experiment: `main` in a Python of its own, a request on stdin.

The pipe closes with the experiment, however that dies; the run then kills itself, so that none goes on behind
the back of an experiment that was started again.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from speciate.engine import RunConfig
from speciate.engine.settings import compose
from speciate.ensembles import (
    LAST_ROUND,
    evolve,
    evolve_ensemble,
    is_ensemble,
    members_of,
    node_folder,
    read_ensemble,
    resume,
    resume_ensemble,
)
from speciate.errors import SpeciateError
from speciate.experiments.jobs import Job
from speciate.experiments.merging import merge_job
from speciate.records import Json
from speciate.reports import is_held
from speciate.store import holds_run
from speciate.tasks import Task

FAILED = 1
_WAITS, _WAIT_SECONDS = 50, 0.1


class Request(BaseModel):
    """What a worker is told: a job, as JSON on one line.

    Attributes:
        source: the problem's name or the task's folder.
        initial: text of another initial program, or None for the task's own.
        settings: those that were set.
        folder: where the run is kept.
        pool: see `Job.pool`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    initial: str | None
    settings: Mapping[str, Json]
    folder: Path
    pool: Mapping[str, Json] | None = None

    @classmethod
    def of(cls, job: Job) -> Request:
        """Returns the request for a job."""
        settings = job.settings.model_dump(mode="json", exclude_unset=True)
        return cls(
            source=job.source, initial=job.initial, settings=settings, folder=job.folder, pool=job.pool
        )

    @property
    def config(self) -> RunConfig:
        """The settings, complete but for those that the task brings along."""
        return compose([self.settings])


def main() -> None:
    """Reads a request, carries it out and leaves with 0, or with 1 and a message on stderr."""
    request = Request.model_validate_json(_read_line())
    threading.Thread(target=_die_with_the_experiment, name="experiment", daemon=True).start()
    try:
        perform(request)
    except SpeciateError as error:
        print(error, file=sys.stderr)
        sys.exit(FAILED)
    except Exception:  # noqa: BLE001 -- the edge of a worker: one broken run must not end the others
        traceback.print_exc()
        sys.exit(FAILED)


def perform(request: Request) -> None:
    """Starts the run, or goes on with it where it ended; a run that is over stays as it is.

    Raises:
        SpeciateError: it could not go on.
    """
    job = Job(
        task="",
        source=request.source,
        condition="",
        seed=request.config.seed,
        initial=request.initial,
        settings=request.config,
        folder=request.folder,
        pool=request.pool,
    )
    # By its name where that is enough, so that `speciate resume` can go on with it by hand.
    task = None if request.initial is None else job.load()
    if job.pool is not None:
        perform_ensemble(job, task)
        return
    _wait_for(request.folder)
    if holds_run(request.folder):
        resume(request.folder, task=task, signals=True)
    else:
        evolve(task or request.source, request.config, folder=request.folder, signals=True)


def perform_ensemble(job: Job, task: Task | None) -> None:
    """Starts the ensemble, or goes on with it; merges its archives when all nodes have played their rounds.

    Raises:
        SpeciateError: it could not go on, or a node of it.
    """
    if is_ensemble(job.folder):
        _, config = read_ensemble(job.folder)
        for member in members_of(config):
            _wait_for(node_folder(job.folder, member.name))
        ensemble = resume_ensemble(job.folder, task=task, signals=True)
    else:
        ensemble = evolve_ensemble(task or job.source, job.settings, folder=job.folder, signals=True)
    for end in ensemble.nodes:
        if end.error is not None:
            raise end.error
    if all(end.evolution is not None and end.evolution.stop_reason == LAST_ROUND for end in ensemble.nodes):
        merge_job(job)


def _wait_for(folder: Path) -> None:
    """Waits a little for a run that is dying because its experiment was killed a moment ago."""
    for _ in range(_WAITS):
        if not is_held(folder):
            return
        time.sleep(_WAIT_SECONDS)


def _read_line() -> bytes:
    # Straight from the descriptor: a buffered reader that a thread sits in cannot be shut down.
    line = b""
    while not line.endswith(b"\n"):
        part = os.read(0, 65536)
        if not part:
            raise EOFError("the experiment ended before it said what to run")
        line += part
    return line


def _die_with_the_experiment() -> None:
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
