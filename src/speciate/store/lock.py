"""One writer a run folder."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from speciate.errors import RunFolderError


class FolderLock:
    """Holds a run folder for this process, from construction to `release`.

    The kernel drops the lock when the process dies, however it dies, so nobody has to clean up.

    Raises:
        RunFolderError: another process holds it, or the folder cannot be made or written.
    """

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise RunFolderError(f"the run folder {folder} cannot be written: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._file, 20, 0).decode("ascii", "replace").strip() or "unknown"
            os.close(self._file)
            raise RunFolderError(
                f"another process is running in {folder} (process {holder}): wait for it or end it"
            ) from error
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, str(os.getpid()).encode(), 0)

    def release(self) -> None:
        """Gives the folder up. May be called twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
