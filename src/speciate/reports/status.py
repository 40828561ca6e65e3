"""Whether a run still goes on, and how it ended."""

from __future__ import annotations

import fcntl
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from speciate.store import Session

RunStatus = Literal["running", "finished", "stopped", "interrupted", "killed"]
"""``running``; ``finished`` (a cap or the success threshold was reached); ``stopped`` (its set-up broke);
``interrupted`` (by the user, in order); ``killed`` (it ended without saying so)."""


def run_status(sessions: Sequence[Session], folder: Path | None) -> RunStatus:
    """Says how a run stands.

    Args:
        sessions: those of the run, oldest first.
        folder: its folder, or None if it lives in this process's memory.
    """
    if not sessions or sessions[-1].ended is None:
        # A run in memory dies with its process, so while anyone can ask it goes on.
        return "running" if folder is None or is_held(folder) else "killed"
    match sessions[-1].stop_reason:
        case "interrupted":
            return "interrupted"
        case "failed" | None:
            return "stopped"
        case _:
            return "finished"


def is_held(folder: Path) -> bool:
    """Whether a process holds the run folder for writing. Makes no files.

    The kernel knows: the lock falls with its holder, whereas a process number may be that of another
    process by now, and a recorded time says nothing on a machine that was asleep.
    """
    try:
        with (folder / "lock").open("rb") as file:
            # Shared, so that readers do not shut out each other; given back as the file closes.
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False
    return False
