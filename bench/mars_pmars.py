"""Debian's pmars as a referee and as a peer.

Its only build opens a window and then waits for a key. So it gets a screen that nobody sees (Xvfb), and a
library that answers for the keyboard, loaded before the real one. The battles themselves are untouched.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import numpy as np
from bench.mars_fights import Fights

from speciate.problems.corewar import Settings
from speciate.problems.corewar.mars import Flags
from speciate.problems.corewar.scoring.points import results

_PACKAGES: Final = ("pmars", "xvfb")
_RESULTS: Final = re.compile(rb"^\s*Results:((?: \d+)+)\s*$", re.MULTILINE)
_NO_DISPLAY: Final = "000"
"""Its view without anything that is drawn."""

_KEYBOARD: Final = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

enum { KEY_PRESS = 2, EXPOSE = 12, LONGS_OF_AN_EVENT = 24 };

/* Events are the screen's until the window is there; from then on, somebody keeps pressing the space bar. */
int XNextEvent(void *display, int *event)
{
    static int shown;
    int (*next)(void *, int *), result;
    if (shown) {
        memset(event, 0, LONGS_OF_AN_EVENT * sizeof(long));
        event[0] = KEY_PRESS;
        return 0;
    }
    *(void **)&next = dlsym(RTLD_NEXT, "XNextEvent");
    result = next(display, event);
    shown = event[0] == EXPOSE;
    return result;
}

int XLookupString(void *event, char *buffer, int room, unsigned long *symbol, void *status)
{
    (void)event;
    (void)status;
    if (room > 0)
        buffer[0] = ' ';
    if (symbol)
        *symbol = ' ';
    return 1;
}
"""


class MissingPeerError(Exception):
    """A program is not here and could not be installed; the message says which and what to do."""


@dataclass(frozen=True, slots=True)
class Programs:
    """Paths of what is needed."""

    pmars: str
    xvfb: str
    compiler: str


def find() -> Programs:
    """Returns the programs, installed with apt-get where that is possible.

    Raises:
        MissingPeerError: one is missing.
    """
    path = f"{os.environ.get('PATH', os.defpath)}:/usr/games"
    if os.geteuid() == 0 and shutil.which("apt-get") and not _all_here(path):
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(["apt-get", "install", "-y", "-qq", *_PACKAGES], check=False, capture_output=True)
    pmars, xvfb = (shutil.which(name, path=path) for name in ("pmars", "Xvfb"))
    compiler = shutil.which("cc") or shutil.which("gcc")
    if pmars is None or xvfb is None:
        raise MissingPeerError(
            f"needs pmars and Xvfb: as root, apt-get install {' '.join(_PACKAGES)} (on Debian)"
        )
    if compiler is None:
        raise MissingPeerError("needs a C compiler: as root, apt-get install gcc libc6-dev")
    return Programs(pmars, xvfb, compiler)


def _all_here(path: str) -> bool:
    return all(shutil.which(name, path=path) for name in ("pmars", "Xvfb"))


class Pmars:
    """pmars with a screen and a keyboard, for as long as the context lasts.

    Args:
        programs: where it is.
        patience: seconds for one call.
    """

    def __init__(self, programs: Programs, patience: float = 60.0) -> None:
        self._programs = programs
        self._patience = patience
        self._open = ExitStack()
        self._environment: dict[str, str] = {}
        self._folder = Path()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            keyboard = self._keyboard()
            display = self._screen(stack)
            self._environment = {"DISPLAY": display, "LD_PRELOAD": str(keyboard)}
            self._open = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def _keyboard(self) -> Path:
        """Returns the library that presses keys."""
        source, library = self._folder / "keyboard.c", self._folder / "keyboard.so"
        source.write_text(_KEYBOARD)
        subprocess.run(
            [self._programs.compiler, "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True
        )
        return library

    def _screen(self, stack: ExitStack) -> str:
        """Returns the name of a new screen, which survives its last client, or the next might not connect."""
        reader, writer = os.pipe()
        with os.fdopen(reader) as number:
            server = subprocess.Popen(
                [self._programs.xvfb, "-displayfd", str(writer), "-noreset", "-nolisten", "tcp"],
                pass_fds=[writer],
                stderr=subprocess.DEVNULL,
            )
            stack.callback(server.wait)
            stack.callback(server.terminate)
            os.close(writer)
            name = number.readline().strip()
        if not name:
            raise MissingPeerError("Xvfb does not start")
        return f":{name}"

    def write(self, sources: Sequence[str]) -> list[Path]:
        """Returns files with these sources."""
        paths = [self._folder / f"{number}.red" for number in range(len(sources))]
        for path, source in zip(paths, sources, strict=True):
            path.write_text(source)
        return paths

    def battle(self, files: Sequence[Path], settings: Settings, rounds: int, seed: int) -> list[list[int]]:
        """Returns how a battle ends, as `points.results` has it.

        Raises:
            RuntimeError: pmars says no results; the message is what it says.
            subprocess.TimeoutExpired: it does not end in time.
        """
        numbers = {
            "-s": settings.core_size,
            "-c": settings.cycles,
            "-p": settings.processes,
            "-l": settings.max_length,
            "-d": settings.min_distance,
            "-S": settings.pspace,
            "-r": rounds,
            "-F": seed,
        }
        options = [word for name, number in numbers.items() for word in (name, str(number))]
        call = [self._programs.pmars, "-b", "-v", _NO_DISPLAY, *options, *map(str, files)]
        done = subprocess.run(
            call, capture_output=True, env=self._environment, timeout=self._patience, check=False
        )
        rows = [[int(word) for word in found.split()] for found in _RESULTS.findall(done.stdout)]
        if len(files) == 2 and len(rows) == 1:
            first, second, ties = rows[0]
            return [[first, ties], [second, ties]]
        if len(rows) != len(files):
            raise RuntimeError(f"{call} ends with {done.returncode}: {done.stdout!r} {done.stderr!r}")
        return rows

    def fight(self, fights: Fights, files: Sequence[Path]) -> list[list[list[int]]]:
        """Returns how all battles end; `files` are those of `write(fights.sources)`."""
        rounds = fights.batch.shape[1]
        return [
            self.battle([files[i] for i in lineup], fights.settings, rounds, seed)
            for lineup, seed in zip(fights.lineups, fights.seeds, strict=True)
        ]


def outcome(alive: Flags) -> list[list[list[int]]]:
    """Returns (battles, rounds, seats) as `Pmars.fight` returns it."""
    return [results(each) for each in np.asarray(alive)]


def children() -> float:
    """Returns the CPU seconds of all processes that ended and were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
