"""Processes that kill themselves at a named moment of a run, as ``kill -9`` would."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from sqlalchemy import Engine, event
from typing_extensions import override

from speciate.engine import Observer, RunConfig, build_run, evolve, examine, resume
from speciate.records import Event
from speciate.store import open_store
from speciate.tasks import Task
from speciate.testing.histories import events_of

Phase = Literal["noted", "writing", "written"]
"""``noted``: nothing of it is on disk; ``writing``: within the transaction; ``written``: right after it."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When to die.

    Attributes:
        step: step of the event at which it happens, or ``"any"``.
        nth: at which event of this step, counted in this process from 1.
        phase: how far the event has got.
    """

    step: str
    nth: int
    phase: Phase = "noted"


class Reaper(Observer):
    """Kills this process at a moment, without a chance to clean up. Listens to every new database, too."""

    def __init__(self, moment: Moment) -> None:
        self._moment = moment
        self._left = moment.nth
        self._armed = False
        self._committed = False
        event.listen(Engine, "connect", self._watch)

    @override
    def on_event(self, event: Event) -> None:
        if self._committed:
            _die()
        if self._moment.step not in ("any", event.step):
            return
        self._left -= 1
        if self._left == 0:
            if self._moment.phase == "noted":
                _die()
            self._armed = True

    def _watch(self, connection: object, record: object) -> None:
        # SQLAlchemy hands on the driver's connection, which is sqlite3's here.
        connection.set_trace_callback(self._statement)  # type: ignore[attr-defined]

    def _statement(self, sql: str) -> None:
        """Sees each statement before it is carried out, the commit after all inserts too."""
        if self._committed:
            _die()
        if self._armed and sql == "COMMIT":
            if self._moment.phase == "writing":
                _die()
            self._committed = True


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def dies(act: Callable[[Observer], object], moment: Moment) -> bool:
    """Carries out `act` in a child process with an observer that kills it; returns whether it was killed.

    Returns:
        False when `act` ended before the moment came.

    Raises:
        AssertionError: `act` ended by an exception.
    """
    code = in_child(lambda: act(Reaper(moment)))
    assert code in (0, -signal.SIGKILL), f"the child ended with {code}"
    return code == -signal.SIGKILL


def live_through_deaths(task: Task, config: RunConfig, folder: Path, *, deaths: int = 15) -> list[Event]:
    """Lives a run that is killed many times in a row, at ever other moments, and then ends.

    Args:
        task: what is evolved.
        config: settings of a run long enough for some ten events after each death.
        folder: where the run is kept; there is none yet.
        deaths: how often it is killed after it has been resumed.

    Returns:
        Its history.

    Raises:
        AssertionError: it ended before its last death, something is in its history twice, or the doctor finds
            that it could not have come about.
    """
    begun = Moment("any", 30, "written")
    assert dies(lambda reaper: evolve(task, config, folder=folder, observers=[reaper]), begun)
    phases: tuple[Phase, ...] = get_args(Phase)
    for death in range(deaths):
        moment = Moment("any", 4 + death * 7 % 11, phases[death % len(phases)])
        assert dies(lambda reaper: resume(folder, task=task, observers=[reaper]), moment)
    resume(folder, task=task)
    events = events_of(folder)
    assert max(Counter((e.ordinal, e.attempt, e.step, e.part) for e in events).values()) == 1
    with closing(open_store(folder)) as store:
        assert asyncio.run(examine(build_run(task, config, store, offline=True))).findings == ()
    return events


def in_child(act: Callable[[], object]) -> int:
    """Carries out `act` in a forked process; returns its exit code, negative for a signal."""
    child = multiprocessing.get_context("fork").Process(target=act)
    with _forking():
        child.start()
    child.join(60)
    if child.exitcode is None:
        child.kill()
        child.join()
        raise AssertionError("the child did not end within a minute")
    return child.exitcode


@contextmanager
def _forking() -> Iterator[None]:
    # From 3.12 on, Python warns of forks of processes with threads, among which it counts those of BLAS.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield
