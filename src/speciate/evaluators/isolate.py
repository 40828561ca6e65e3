"""Taking things away from a process: namespaces, mounts, capabilities, identity.

Standard library and ctypes only: this module is read inside the sandbox.
"""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Sequence
from pathlib import Path

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWPID = 0x00020000, 0x08000000, 0x20000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 4096, 16384, 1 << 18
_SET_PDEATHSIG, _SET_DUMPABLE, _DROP_BOUNDING, _SET_SUBREAPER, _NO_NEW_PRIVS, _AMBIENT = 1, 4, 24, 36, 38, 47
_CAPABILITY_VERSION_3 = 0x20080522

COVERED = ("/tmp", "/dev/shm", "/proc")
"""Where every candidate gets an empty file system of its own; /proc stays empty and read-only."""

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    """Raises OSError with errno when a call into libc failed."""
    if result != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")


def prctl(option: int, value: int = 0) -> int:
    """Calls prctl(2) and returns what it returned; -1 is an error."""
    return int(_libc.prctl(option, value, 0, 0, 0))


def die_with_parent() -> None:
    """Asks the kernel to kill this process when its parent ends."""
    _checked(prctl(_SET_PDEATHSIG, signal.SIGKILL), "PR_SET_PDEATHSIG")


def adopt_orphans() -> None:
    """Makes this process the parent of descendants whose own parent ended."""
    _checked(prctl(_SET_SUBREAPER, 1), "PR_SET_CHILD_SUBREAPER")


def hide_memory() -> None:
    """Keeps processes of the same user from opening this one's memory."""
    _checked(prctl(_SET_DUMPABLE, 0), "PR_SET_DUMPABLE")


def unshare(flags: int) -> None:
    """Leaves namespaces; raises OSError when the kernel refuses."""
    _checked(_libc.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """Calls mount(2); raises OSError when the kernel refuses."""
    encoded = kind.encode() if kind else None
    _checked(
        _libc.mount(source.encode(), target.encode(), encoded, flags, data.encode()), f"mount on {target}"
    )


def private_files(size_mb: int, keep: Sequence[str]) -> None:
    """Gives this process empty file systems over `COVERED`, seen by it and its children alone.

    Args:
        size_mb: how much each may hold.
        keep: folders below the covered places that must stay visible (an interpreter under /tmp), read-only
            as they are.
    """
    unshare(CLONE_NEWNS)
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    kept = [(os.open(folder, os.O_PATH | os.O_CLOEXEC), folder) for folder in keep]
    room = f"size={size_mb}m,nr_inodes=20000,mode=1777"
    for target in COVERED[:2]:
        mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV, room)
    for descriptor, folder in kept:  # a bind mount inherits read-only from what it clones
        Path(folder).mkdir(parents=True, exist_ok=True)
        mount(f"/proc/self/fd/{descriptor}", folder, None, MS_BIND | MS_REC)
        os.close(descriptor)
    mount("tmpfs", COVERED[2], "tmpfs", MS_NOSUID | MS_NODEV | MS_RDONLY, "size=4k,mode=555")


def drop_privileges(uid: int | None) -> None:
    """Gives up every capability for good, and the identity of root.

    Args:
        uid: user and group to become, or None to stay who we are (in a user namespace of our own).
    """
    number = 0
    while prctl(_DROP_BOUNDING, number) == 0:
        number += 1
    _checked(_libc.prctl(_AMBIENT, 4, 0, 0, 0), "PR_CAP_AMBIENT_CLEAR_ALL")
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    _checked(_libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")


def no_new_privileges() -> None:
    """Makes set-user-ID programs powerless for this process and its children."""
    _checked(_libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0), "PR_SET_NO_NEW_PRIVS")


def reset_signals() -> None:
    """Gives signals their default effect: pid 1 of a namespace is immune to those it does not handle."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
