"""A candidate as its keeper holds it: the pipes to it, its death, its account, its burial.

Standard library only: this module is read inside the sandbox.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from speciate.evaluators import limits

STATUS = struct.Struct("=i")
USAGE = struct.Struct("=dQ")
"""What init writes: the wait status of the candidate's first process once that ended; CPU seconds and the
largest resident size in bytes once it has buried the last."""

SPENT = struct.Struct("=d")
"""What a candidate's process writes before any code of others runs in it: its CPU seconds so far."""

_PATIENCE = 2.0


@dataclass(frozen=True, slots=True)
class Used:
    """What a tree of processes used in all.

    Attributes:
        cpu_seconds: CPU time of all that were waited for.
        peak_bytes: resident size of the largest process.
    """

    cpu_seconds: float
    peak_bytes: int


@dataclass(slots=True)
class Child:
    """A candidate that waits for its program, with the keeper's ends of its pipes.

    Attributes:
        init: process id of its init, which waits for the candidate's dead and after the last of them for us.
        inbox, answers, stdout, stderr: pipes to and from the candidate.
        status: pipe from init: `STATUS`, then `USAGE`, then its end.
        spent: CPU seconds that it took to make the candidate ready; they are not on its bill.
        tree: returns the process ids of the candidate and its descendants, without init.
        kill: asks for the death of the tree; may be called again while some of it lives.
        scratch: a folder to remove when all is over; None when it goes with the candidate's namespaces.
    """

    init: int
    inbox: int
    answers: int
    stdout: int
    stderr: int
    status: int
    spent: float
    tree: Callable[[], list[int]]
    kill: Callable[[], None]
    scratch: str | None
    _used: Used | None = field(default=None, init=False)

    def end(self, told: bytearray) -> Used:
        """Kills the tree and returns what it used in all; from then on nothing of it runs any more.

        The usual candidate is one process that never had a child. It is stopped and its account read while it
        lives; `bury` kills it when nobody waits for an answer, for the kernel takes a millisecond to take its
        memory back. All others are waited for to the last: what the dead have used is known only once
        somebody has waited for them.

        Args:
            told: what init has written so far; what it still writes is added.
        """
        used = self._stop() if self.scratch is None else None  # in namespaces that die with init
        return self._end_all(told) if used is None else used

    def _stop(self) -> Used | None:
        """Stops a tree of one process that never had a child; None when it is not one, or not for sure.

        A process that has a signal waiting cannot fork, so whoever is there after it was sent is seen; and
        who were not would die with init.
        """
        tree = self.tree()
        if len(tree) != 1:
            return None
        _signal(tree[0], signal.SIGSTOP)
        return self._account(tree)

    def rehearse(self) -> None:
        """Goes through the reading of an account, so that it is fast when it counts."""
        self._account(self.tree())

    def _account(self, tree: list[int]) -> Used | None:
        """Returns what a tree has used so far; None unless it is, and ever was, that one process."""
        if len(tree) != 1 or self.tree() != tree or any(map(limits.had_children, (self.init, *tree))):
            return None
        try:
            return Used(limits.cpu_seconds(tree[0]), limits.peak_bytes(tree[0]))
        except OSError:  # it has ended
            return None

    def _end_all(self, told: bytearray) -> Used:
        """Kills the tree and returns what it used in all, as soon as the last of it is dead.

        Init is left to wait for the dead: the kernel forgets the CPU time of those that die with their init.
        Init and its namespaces may be there still; `bury` waits for them, when nobody waits for an answer.
        Where init was killed, or had not seen all die within two seconds, this waits too.
        """
        deadline = time.monotonic() + _PATIENCE
        complete = STATUS.size + USAGE.size
        while len(told) < complete and time.monotonic() < deadline:
            self.kill()
            if select.select([self.status], [], [], 0.01)[0]:
                piece = os.read(self.status, complete)
                if not piece:
                    break
                told += piece
        if len(told) < complete:
            return self.bury()
        cpu_seconds, peak_bytes = USAGE.unpack_from(told, STATUS.size)
        return Used(cpu_seconds, peak_bytes)

    def bury(self) -> Used:
        """Waits until init and its namespaces are gone, and returns the kernel's own account of them.

        Where a pid namespace ends with it, killing init ends what could not be ended before. May be called
        twice.
        """
        if self._used is None:
            kill(self.init)
            usage = os.wait4(self.init, 0)[2]
            self._used = Used(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
            if self.scratch is not None:
                shutil.rmtree(self.scratch, ignore_errors=True)
        return self._used


def kill(pid: int) -> None:
    """Kills a process that may have ended already."""
    _signal(pid, signal.SIGKILL)


def _signal(pid: int, number: int) -> None:
    """Sends a signal to a process that may have ended already."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)
