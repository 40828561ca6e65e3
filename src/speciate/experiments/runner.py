"""Runs many jobs at once, each in a process of its own, and survives the end of any of them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from speciate.ensembles import is_ensemble, members_of, node_folder, read_ensemble
from speciate.errors import RunFolderError, StoreError, UsageError
from speciate.experiments.jobs import Job
from speciate.experiments.worker import Request
from speciate.reports import RunStatus, run_status
from speciate.store import open_reader

State = Literal["new", "half", "failed", "done"]
"""How far a run is: not begun; begun and cut short; its set-up broke the last time; it spent its budget."""

ERROR_FILE = "error.txt"
"""Within a run's folder: why it failed the last time."""

_STATES: dict[RunStatus, State] = {
    "running": "half",
    "killed": "half",
    "interrupted": "half",
    "stopped": "failed",
    "finished": "done",
}
_MOST_ERROR = 10_000
_PATIENCE = 2


@dataclass(frozen=True, slots=True)
class Ended:
    """One run has ended, for now.

    Attributes:
        job: the job.
        state: how far it is.
        error: why it failed, or None.
        seconds: wall time of its process.
    """

    job: Job
    state: State
    error: str | None
    seconds: float


class Listener(Protocol):
    """Is told how an experiment goes on. What it does must be quick: the runs' keeper waits for it."""

    def ended(self, ended: Ended) -> None:
        """One run has ended."""

    def going(self, jobs: Sequence[Job]) -> None:
        """These runs go on; told every `PULSE_SECONDS`."""


PULSE_SECONDS = 30.0


def state_of(folder: Path) -> State:
    """Says how far a run or an ensemble is."""
    if is_ensemble(folder):
        return _state_of_ensemble(folder)
    try:
        with closing(open_reader(folder)) as reader:
            reader.manifest()
            return _STATES[run_status(reader.sessions(), folder)]
    except RunFolderError:
        return "failed" if (folder / ERROR_FILE).exists() else "new"
    except StoreError:
        return "failed"  # what is wrong with it comes out as it is gone on with


def _state_of_ensemble(folder: Path) -> State:
    """Says how far an ensemble is: it is over when all of its nodes are."""
    try:
        _, config = read_ensemble(folder)
        states = {state_of(node_folder(folder, member.name)) for member in members_of(config)}
    except UsageError:
        return "failed"
    if (folder / ERROR_FILE).exists() or "failed" in states:
        return "failed"
    return "done" if states == {"done"} else "half"


def error_of(folder: Path) -> str | None:
    """Returns why a run failed the last time, or None."""
    try:
        return (folder / ERROR_FILE).read_text(encoding="utf-8").strip()
    except OSError:
        return None


def run_jobs(jobs: Sequence[Job], *, at_once: int, listener: Listener) -> None:
    """Runs the jobs; those that fail do not keep the others from running.

    Args:
        jobs: what to run, in this order. A half run goes on where it ended.
        at_once: how many processes run at the same time.
        listener: is told how it goes on.

    Raises:
        KeyboardInterrupt: Ctrl-C came. Whatever was running was stopped as `speciate run` would be: in order,
            at once at the second time, and by force at the third.
    """
    if asyncio.run(_Runner(at_once, listener).run(jobs)):
        raise KeyboardInterrupt


class _Runner:
    def __init__(self, at_once: int, listener: Listener) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._listener = listener
        self._running: dict[str, tuple[Job, Process]] = {}
        self._interrupts = 0

    @property
    def _stopping(self) -> bool:
        return self._interrupts > 0

    async def run(self, jobs: Sequence[Job]) -> bool:
        """Returns whether it was interrupted."""
        async with self._interruptible(), self._pulse(), asyncio.TaskGroup() as tasks:
            for job in jobs:
                await self._free.acquire()
                if self._stopping:
                    break
                tasks.create_task(self._run(job), name=job.key)
        return self._stopping

    @asynccontextmanager
    async def _pulse(self) -> AsyncIterator[None]:
        async def beat() -> None:
            while True:
                await asyncio.sleep(PULSE_SECONDS)
                self._listener.going([job for job, _ in self._running.values()])

        async with asyncio.TaskGroup() as tasks:
            pulse = tasks.create_task(beat(), name="pulse")
            yield
            pulse.cancel()

    async def _run(self, job: Job) -> None:
        began = asyncio.get_running_loop().time()
        try:
            error = await self._process(job)
        finally:
            self._free.release()
        _note_error(job.folder, error)
        seconds = asyncio.get_running_loop().time() - began
        self._listener.ended(Ended(job, "failed" if error else state_of(job.folder), error, seconds))

    async def _process(self, job: Job) -> str | None:
        """Runs one process to its end; returns what it died of, or None if it ended as it should."""
        # A session of its own: Ctrl-C on the terminal reaches it through us, once.
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",  # not -m: this room has imported the module already
            "from speciate.experiments.worker import main; main()",
            stdin=PIPE,
            stdout=DEVNULL,
            stderr=PIPE,
            start_new_session=True,
            env={**os.environ, **_ONE_THREAD},
        )
        self._running[job.key] = job, process
        assert process.stdin is not None
        assert process.stderr is not None
        try:
            process.stdin.write(Request.of(job).model_dump_json().encode() + b"\n")
            said = await _tail(process.stderr)
            code = await process.wait()
        finally:
            del self._running[job.key]
            process.stdin.close()
        return None if code == 0 or self._stopping else _cause(code, said)

    @asynccontextmanager
    async def _interruptible(self) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._interrupt)
        try:
            yield
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)

    def _interrupt(self) -> None:
        self._interrupts += 1
        for _, process in self._running.values():
            process.send_signal(signal.SIGKILL if self._interrupts > _PATIENCE else signal.SIGINT)


_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""The processes are as many as the cores: threads of linear algebra would only get in each other's way."""


async def _tail(stream: asyncio.StreamReader) -> str:
    """Reads to the end and returns the last of it."""
    said = b""
    while part := await stream.read(65536):
        said = (said + part)[-_MOST_ERROR:]
    return said.decode("utf-8", "replace").strip()


def _cause(code: int, said: str) -> str:
    if code < 0:
        return f"its process was ended by signal {-code} ({signal.Signals(-code).name}). {said}".rstrip()
    return said or f"its process ended with {code} and said nothing"


def _note_error(folder: Path, error: str | None) -> None:
    if error is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ERROR_FILE).write_text(f"{error}\n", encoding="utf-8")
    else:
        (folder / ERROR_FILE).unlink(missing_ok=True)
