"""Folders of candidates that run without a sandbox; what a killed process left, the next one clears up."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

_PREFIX = "speciate-unsafe-"


class ScratchFolder:
    """A new folder below the temporary one, this process's own until `close`.

    A lock on the folder says that it is in use. The kernel drops it when the process dies, however it dies; a
    process id in the name could not tell, for ids are given out again and differ between containers.
    """

    def __init__(self) -> None:
        self.path, self._lock = _new()
        while not (_locked(self._lock) and self.path.exists()):  # cleared up before it was locked
            os.close(self._lock)
            self.path, self._lock = _new()

    def close(self) -> None:
        """Removes the folder and all in it that can be removed. May be called twice."""
        if self._lock >= 0:
            shutil.rmtree(self.path, ignore_errors=True)
            os.close(self._lock)
            self._lock = -1


def clear_left_behind() -> None:
    """Removes the folders of this user's processes that are no more."""
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):  # gone meanwhile, no folder, or not ours to open
            _clear(path)


def _clear(path: Path) -> None:
    lock = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if os.fstat(lock).st_uid == os.geteuid() and _locked(lock):
            shutil.rmtree(path, ignore_errors=True)
    finally:
        os.close(lock)


def _new() -> tuple[Path, int]:
    path = Path(tempfile.mkdtemp(prefix=_PREFIX))
    return path, os.open(path, os.O_RDONLY | os.O_CLOEXEC)


def _locked(descriptor: int) -> bool:
    """Takes the lock, unless somebody holds it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
