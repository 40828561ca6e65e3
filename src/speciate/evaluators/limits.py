"""What one candidate may use: limits of each process, and a watch over the whole tree.

Kernel limits hold a single process; a tree of many processes is summed from /proc. Standard library only:
this module is read inside the sandbox too.
"""

from __future__ import annotations

import math
import os
import re
import resource
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_PROCESS_CLOCK = 2  # CPUCLOCK_SCHED
_OF_CHILDREN = (8, 10, 13, 14)  # cminflt, cmajflt, cutime, cstime


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of a task in the units the kernel counts in.

    Attributes:
        cpu_seconds: CPU time of the tree.
        wall_seconds: wall time from the moment the program was handed over.
        memory_bytes: address space each process may add to what interpreter and warm modules take; the tree's
            resident memory may reach twice as much.
        processes: processes and threads at once.
        output_bytes: bytes it may print, answer (all cases together) or write to one file.
    """

    cpu_seconds: float
    wall_seconds: float
    memory_bytes: int
    processes: int
    output_bytes: int

    @property
    def tree_bytes(self) -> int:
        """Resident memory of all processes together."""
        return 2 * self.memory_bytes


def apply_to_process(bounds: Bounds, *, address_space: int, processes: int | None) -> None:
    """Sets the kernel limits of this process and of all it will start; they can never be raised again.

    Args:
        bounds: the task's limits.
        address_space: bytes of address space this process may have in all.
        processes: what RLIMIT_NPROC becomes, or None to leave it (it counts all processes of a user).
    """
    cpu = math.ceil(bounds.cpu_seconds) + 1  # a backstop: the watch and the final account decide
    limits = {
        resource.RLIMIT_AS: address_space,
        resource.RLIMIT_FSIZE: bounds.output_bytes,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_CPU: cpu,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
    }
    if processes is not None:
        limits[resource.RLIMIT_NPROC] = processes
    for kind, value in limits.items():
        hard = resource.getrlimit(kind)[1]
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (allowed, allowed))


def address_space() -> int:
    """Returns the bytes of address space of this process."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * _PAGE


@dataclass(frozen=True, slots=True)
class Usage:
    """What a tree of processes uses now.

    Attributes:
        cpu_seconds: CPU time since the tree began.
        resident_bytes: resident memory, shared pages counted once for every process that maps them.
        tasks: processes and threads.
    """

    cpu_seconds: float
    resident_bytes: int
    tasks: int


class Account:
    """CPU time of a tree over its whole life, from looks at those that live.

    The kernel adds a child's time to its parent when the parent waits for it, and drops it when the parent
    ignores SIGCHLD. So two sums are kept, of which the larger counts: the living with those they waited for,
    and every process ever seen. Only children that were ignored and lived between two looks escape both.

    Attributes:
        cpu_seconds: CPU time so far, without what was spent before; resolution 10 ms.
    """

    def __init__(self, spent_before: float = 0.0) -> None:
        self.cpu_seconds = 0.0
        self._spent_before = spent_before
        self._own: dict[int, int] = {}

    def look(self, pids: Collection[int]) -> Usage:
        """Returns what the processes use now; one that ended meanwhile counts as nothing."""
        ticks = resident = tasks = 0
        for pid in pids:
            fields = _stat(_spokesman(pid))
            if fields:
                own, waited = int(fields[11]) + int(fields[12]), int(fields[13]) + int(fields[14])
                self._own[pid] = max(own, self._own.get(pid, 0))
                ticks += own + waited
                tasks += int(fields[17])
                resident += int(fields[21])
        seconds = max(ticks, sum(self._own.values())) / _TICK - self._spent_before
        self.cpu_seconds = max(self.cpu_seconds, seconds)
        return Usage(self.cpu_seconds, resident * _PAGE, tasks)


def cpu_seconds(pid: int) -> float:
    """Returns the CPU time of all threads of a living process, to the nanosecond; OSError when it has ended.

    The clock's number is the one that clock_getcpuclockid(3) gives, part of the kernel's interface.
    """
    return time.clock_gettime(~pid << 3 | _PROCESS_CLOCK)


def peak_bytes(pid: int) -> int:
    """Returns the largest resident size that a living process has had; OSError when it has ended."""
    found = re.search(rb"^VmHWM:\s*(\d+) kB$", _read(f"/proc/{pid}/status"), re.MULTILINE)
    if found is None:
        raise ProcessLookupError(f"process {pid} has given its memory back")
    return int(found[1]) * 1024


def had_children(pid: int) -> bool:
    """Returns whether a process has waited for a child, or ended; no child lives without page faults."""
    fields = _stat(pid)
    return not fields or any(int(fields[i]) for i in _OF_CHILDREN)


def proportional_bytes(pids: Collection[int]) -> int:
    """Returns resident memory with every shared page counted once in all (sum of PSS); slow."""
    total = 0
    for pid in pids:
        try:
            lines = Path(f"/proc/{_spokesman(pid)}/smaps_rollup").read_text().splitlines()
        except OSError:  # it has ended
            continue
        total += next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
    return total * 1024


def everyone_but(known: Collection[int]) -> list[int]:
    """Returns all processes in /proc that are not known; in the slot's pid namespace, the candidate's."""
    pids = (int(entry.name) for entry in os.scandir("/proc") if entry.name.isdigit())
    return [pid for pid in pids if pid not in known]


def descendants(pid: int) -> Iterator[int]:
    """Yields all living descendants of a process, parents first."""
    for child in _children(pid):
        yield child
        yield from descendants(child)


def _children(pid: int) -> list[int]:
    """Returns the children of all threads of a process; none when it has ended."""
    found: list[int] = []
    try:
        for task in os.scandir(f"/proc/{pid}/task"):
            found.extend(int(child) for child in Path(task, "children").read_text().split())
    except OSError:
        return found
    return found


def _spokesman(pid: int) -> int:
    """Returns the thread whose entry in /proc tells of the whole process: its first, as long as that lives.

    A first thread that has ended waits for the others, and its entry shows no memory any more.
    """
    fields = _stat(pid)
    if not fields or fields[0] != b"Z" or fields[17] == b"1":
        return pid
    try:
        threads = [int(entry.name) for entry in os.scandir(f"/proc/{pid}/task")]
    except OSError:  # it has ended
        return pid
    return next((thread for thread in threads if thread != pid), pid)


def _stat(pid: int) -> list[bytes]:
    """Returns the fields of /proc/PID/stat after the name, field 3 first; none when it has ended."""
    try:
        text = _read(f"/proc/{pid}/stat")
    except OSError:
        return []
    return text.rpartition(b")")[2].split()


def _read(path: str) -> bytes:
    """Returns a short file of /proc, without the layers of `open`: a keeper is in haste."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, 1 << 14)
    finally:
        os.close(descriptor)
