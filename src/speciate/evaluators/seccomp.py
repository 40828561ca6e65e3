"""The system calls a candidate may not make, as a seccomp filter in BPF bytes.

A candidate needs files, memory, threads and child processes; it needs no kernel administration, no other
namespaces, no tracing, no network and no memory that the watch cannot see (SysV segments, memfd, pages lent
to pipes, socket buffers larger than the usual). Refused calls fail with EPERM, calls newer than this table
with ENOSYS, so that programs fall back. Everything else is allowed: the filter closes known doors behind
namespaces and dropped capabilities, it is not the wall itself.

Numbers come from the kernel's ``asm/unistd_64.h`` and ``asm-generic/unistd.h``; the structure of a filter
from ``linux/filter.h`` and ``linux/seccomp.h``. Standard library only: this module is read inside too.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from dataclasses import dataclass

# name: (x86-64, aarch64); None where the architecture has no such call
DENIED: dict[str, tuple[int | None, int | None]] = {
    # tracing and reading other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    # keys, kernel programs, counters, large attack surface
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "lookup_dcookie": (212, 18),
    "fanotify_init": (300, 262),
    # mounts and namespaces
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "setns": (308, 268),
    "unshare": (272, 97),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # the machine itself
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "syslog": (103, 116),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "personality": (135, 92),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "uselib": (134, None),
    "ustat": (136, None),
    "sysfs": (139, None),
    "nfsservctl": (180, 42),
    # memory that neither RLIMIT_AS nor resident sizes show, and where pages lie
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "set_mempolicy_home_node": (450, 450),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "vmsplice": (278, 75),  # a pipe keeps a huge page for every 4 KB in it
}

FIRST_UNKNOWN = 457
"""Calls from here on are newer than this table."""

NEW_NAMESPACE = (
    0x7E020000  # CLONE_NEW{NS,CGROUP,UTS,IPC,USER,PID,NET}; NEWTIME exists for clone3 and unshare only
)
TIOCSTI, TIOCLINUX = 0x5412, 0x541C
AF_UNIX = 1
SOL_SOCKET = 1
BUFFER_SIZES = (7, 8, 32, 33)
"""SO_SNDBUF, SO_RCVBUF and those that force them: what waits in a socket is the kernel's memory."""

_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2
_X32_BIT = 0x40000000


@dataclass(frozen=True, slots=True)
class Architecture:
    """What a filter must know of a machine.

    Attributes:
        audit: its AUDIT_ARCH constant.
        column: its column in `DENIED`.
        clone, clone3, socket, socketpair, setsockopt, ioctl, prlimit: numbers of the calls whose arguments
            are looked at.
    """

    audit: int
    column: int
    clone: int
    clone3: int
    socket: int
    socketpair: int
    setsockopt: int
    ioctl: int
    prlimit: int


ARCHITECTURES = {
    "x86_64": Architecture(0xC000003E, 0, 56, 435, 41, 53, 54, 16, 302),
    "aarch64": Architecture(0xC00000B7, 1, 220, 435, 198, 199, 208, 29, 261),
}


def instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """Returns one BPF instruction (struct sock_filter)."""
    return struct.pack("<HBBI", code, if_true, if_false, value)


def program(machine: str) -> bytes:
    """Returns the filter for a machine as an array of struct sock_filter.

    Args:
        machine: as `os.uname` names it, ``x86_64`` or ``aarch64``.

    Raises:
        KeyError: there is no table for this machine.
    """
    arch = ARCHITECTURES[machine]
    parts = [
        _load(4) + instruction(_EQUAL, arch.audit, 1, 0) + instruction(_RETURN, _KILL),
        _load(0) + instruction(_AT_LEAST, _X32_BIT, 0, 1) + instruction(_RETURN, _KILL),
        instruction(_AT_LEAST, FIRST_UNKNOWN, 0, 1) + _refuse(errno.ENOSYS),
        instruction(_EQUAL, arch.clone3, 0, 1)
        + _refuse(errno.ENOSYS),  # its flags lie in memory, out of reach
        *(_call(row[arch.column], _refuse()) for row in DENIED.values()),
        _call(arch.clone, _load(16) + instruction(_BITS, NEW_NAMESPACE, 0, 1) + _refuse() + _allow()),
        _call(arch.socket, _load(16) + instruction(_EQUAL, AF_UNIX, 1, 0) + _refuse() + _allow()),
        _call(arch.socketpair, _load(16) + instruction(_EQUAL, AF_UNIX, 1, 0) + _refuse() + _allow()),
        _call(arch.setsockopt, _load(24) + _call(SOL_SOCKET, _buffer_sizes()) + _allow()),
        _call(arch.ioctl, _load(24) + _call(TIOCSTI, _refuse()) + _call(TIOCLINUX, _refuse()) + _allow()),
        # only its own limits: pid 0
        _call(arch.prlimit, _load(16) + instruction(_EQUAL, 0, 1, 0) + _refuse() + _allow()),
        _allow(),
    ]
    return b"".join(parts)


def install() -> None:
    """Puts the filter on this process and all it will start. Needs NO_NEW_PRIVS or CAP_SYS_ADMIN.

    Raises:
        KeyError: there is no table for this machine.
        OSError: the kernel refuses.
    """
    code = program(os.uname().machine)
    buffer = ctypes.create_string_buffer(code, len(code))

    class SockFprog(ctypes.Structure):
        _fields_ = (("len", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    filter_ = SockFprog(len(code) // 8, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(filter_), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "seccomp filter refused")


def _buffer_sizes() -> bytes:
    """Refuses to set how much a socket may hold."""
    return _load(32) + b"".join(_call(option, _refuse()) for option in BUFFER_SIZES) + _allow()


def _load(offset: int) -> bytes:
    """Loads 32 bits of struct seccomp_data: 0 the call's number, 4 the architecture, 16 + 8·i argument i."""
    return instruction(_LOAD, offset)


def _refuse(error: int = errno.EPERM) -> bytes:
    return instruction(_RETURN, _ERRNO | error)


def _allow() -> bytes:
    return instruction(_RETURN, _ALLOW)


def _call(number: int | None, then: bytes) -> bytes:
    """Runs `then` if the loaded value is `number`, else skips it; nothing for a call the machine lacks."""
    return b"" if number is None else instruction(_EQUAL, number, 0, len(then) // 8) + then
