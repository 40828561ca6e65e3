"""Programs that must not outlive this process, however it ends."""

from __future__ import annotations

import os
import sys
import weakref

_EXECUTOR = """
import os, signal, sys
groups = set()
for line in sys.stdin:
    number = int(line)
    groups.add(number) if number > 0 else groups.discard(-number)
for group in groups:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass
"""


class LastWill:
    """Names process groups to a small process beside this one, which kills them when this one is gone.

    It reads from a pipe whose other end only this process holds; the kernel closes that even after
    ``kill -9``. What has left its process group (a daemon) escapes, and so does a program if this process
    dies in the instant between its start and `add`. A parent-death signal (prctl 2) would miss more: it
    reaches the program alone, not what it has started.
    """

    def __init__(self) -> None:
        self._groups: set[int] = set()
        self._start()

    def add(self, group: int) -> None:
        """Has a process group killed at this process's death."""
        self._groups.add(group)
        self._write(group)

    def remove(self, group: int) -> None:
        """Takes a group out that has ended, before its number can be given to another."""
        self._groups.discard(group)
        self._write(-group)

    def close(self) -> None:
        """Ends the process beside this one, which kills what is still named. May be called twice."""
        self._end()

    def _start(self) -> None:
        theirs, ours = os.pipe()
        try:
            executor = os.posix_spawn(
                sys.executable,
                [sys.executable, "-ISc", _EXECUTOR],
                {},
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, theirs, 0),
                    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                ],
                setpgroup=0,  # Ctrl-C on the terminal is not meant for it
            )
        except OSError:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        self._pipe = ours
        self._end = weakref.finalize(self, _end, ours, executor)

    def _write(self, number: int) -> None:
        try:
            os.write(self._pipe, b"%d\n" % number)
        except BrokenPipeError:  # somebody killed it: another takes over all that is still named
            self._end()
            self._start()
            os.write(self._pipe, b"".join(b"%d\n" % group for group in self._groups))


def _end(pipe: int, executor: int) -> None:
    os.close(pipe)
    os.waitpid(executor, 0)
