"""A child process with a socket to it: started, asked how it died, killed with all it started."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

LOG_TAIL: Final = 2000


@dataclass(frozen=True, slots=True)
class Child:
    """A running Python module, the streams to it, and the file that takes what it prints."""

    process: subprocess.Popen[bytes]
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    log: IO[bytes]

    async def kill(self) -> None:
        """Ends the process, everything it started, and the socket."""
        _kill(self.process)
        self.log.close()
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()

    async def how_it_ended(self) -> str:
        """Returns how it ended, in words; waits up to a second for its end.

        It is not reaped, so that its number stays taken until everything in its group is killed.
        """
        for _ in range(100):  # its socket closes a moment before it is gone
            if (end := _end_of(self.process.pid)) is not None:
                return end
            await asyncio.sleep(0.01)
        return "still running"

    def last_words(self) -> str:
        """Returns the end of what it printed."""
        self.log.seek(max(0, self.log.seek(0, os.SEEK_END) - LOG_TAIL))
        return self.log.read().decode("utf-8", "replace").strip()


async def start(module: str, arguments: Sequence[str], *, folder: Path) -> Child:
    """Starts ``python -m module DESCRIPTOR PARENT arguments...``.

    DESCRIPTOR is the number of its end of the socket, the only descriptor it gets besides the standard
    three; PARENT is our process id. Call it in the thread of the loop: Linux ties the death signal that the
    child asks for to the thread that made it.

    Args:
        module: what to run.
        arguments: what follows.
        folder: its working folder, which is not put on its module path.
    """
    with ExitStack() as undo:
        log = tempfile.TemporaryFile(mode="a+b")  # noqa: SIM115  # lives as long as the child
        undo.callback(log.close)
        ours, theirs = socket.socketpair()
        undo.callback(ours.close)
        with theirs:
            head = [sys.executable, "-P", "-m", module, str(theirs.fileno()), str(os.getpid())]
            process = subprocess.Popen(  # noqa: ASYNC220  # asyncio's own needs a thread each on Python 3.11
                [*head, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(theirs.fileno(),),
                cwd=folder,
                start_new_session=True,  # to kill what it starts as well; Ctrl-C is for the engine
            )
        undo.callback(_kill, process)
        reader, writer = await asyncio.open_connection(sock=ours)
        undo.pop_all()
        return Child(process, reader, writer, log)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _end_of(pid: int) -> str | None:
    found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
    if found is None:
        return None
    return f"{'exit status' if found.si_code == os.CLD_EXITED else 'signal'} {found.si_status}"
