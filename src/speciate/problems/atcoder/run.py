"""Runs a C++ candidate in the sandbox: compiles it once, then starts the binary alone, case after case.

Two stages. The compiler sees the sandbox's ``/usr``. The binary is linked statically and runs behind Landlock
(Linux 5.13), which leaves it one file of the whole system, itself: no compiler, no library, no ``/proc``, and
no look into this process, which knows what an interactive judge must not tell. Standard library only.
"""

from __future__ import annotations

import ctypes
import math
import os
import resource
import signal
import struct
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any  # a case comes from score code, and crosses the sandbox as plain data

FLAGS = ("-std=c++20", "-O2", "-static", "-w")
COMPILE_SECONDS = 60.0
MOST_ANSWER = 1 << 20
TAIL = 1500
PATIENCE, GRACE = 10.0, 5.0
"""A program may take so many times its limit of wall time, and so many seconds on top: CPU time decides, and
this ends what waits for ever."""

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # one number on all architectures
_NO_NEW_PRIVS = 38
_FILE_ACCESS = (1 << 13) - 1  # every right of Landlock's first version
_EXECUTE_AND_READ = 0b101

_built: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Ended:
    """How a binary ended: CPU seconds, exit status (negative for a signal), whether it waited too long."""

    seconds: float
    status: int
    waited: bool


def run(program: Any, case: Any) -> dict[str, Any]:
    """Returns how one case went: ``verdict``, ``stdout``, ``queries``, ``seconds`` of CPU time and ``note``.

    The verdict is ok, compile_error, time_limit, runtime_error or protocol.

    Args:
        program: the candidate's folder.
        case: ``input``, ``time_limit`` in seconds of CPU time; for a balance ``weights`` and ``queries`` too.

    Raises:
        OSError: Landlock or the compiler is missing; the task looks for both before a run begins.
    """
    binary = Path("candidate.bin").absolute()
    if not binary.exists():
        note = _built.get("note")
        if note is None:
            note = _built["note"] = compiled(
                program.folder / program.files[0], binary, float(case["time_limit"])
            )
            if note:
                return answer("compile_error", note=note)
        if note:
            return answer("compile_error", note="as above")
    return balanced(binary, case) if "weights" in case else piped(binary, case)


def answer(
    verdict: str, *, stdout: str = "", queries: str = "", seconds: float = 0.0, note: str = ""
) -> dict[str, Any]:
    """Returns an answer in the form of `run`."""
    return {"verdict": verdict, "stdout": stdout, "queries": queries, "seconds": seconds, "note": note}


def compiled(source: Path, binary: Path, time_limit: float) -> str:
    """Compiles a program; returns what the compiler says against it, or an empty string."""
    argv = ["g++", *FLAGS, f"-DTIME_LIMIT={time_limit!r}", "-o", str(binary), str(source)]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, errors="replace", timeout=COMPILE_SECONDS)
    except subprocess.TimeoutExpired:
        return f"the compiler took more than {COMPILE_SECONDS:g} s"
    if done.returncode == 0:
        return ""
    return done.stderr.replace(f"{source.parent}/", "")[:TAIL] or f"g++ ended with status {done.returncode}"


def piped(binary: Path, case: Any) -> dict[str, Any]:
    """Runs a program that reads its input and prints its answer."""
    given, printed = Path("input.txt"), Path("output.txt")
    given.write_text(case["input"])
    with given.open("rb") as stdin, printed.open("wb") as stdout, Path("errors.txt").open("wb") as stderr:
        with started(binary, case, stdin=stdin, stdout=stdout, stderr=stderr) as (process, ended):
            process.wait()
        end = ended()
    with printed.open("rb") as file:
        text = file.read(MOST_ANSWER).decode(errors="replace")
    return judged(end, case, stdout=text)


def balanced(binary: Path, case: Any) -> dict[str, Any]:
    """Runs a program that asks a balance: ``nL nR l… r…`` a line; the answer is ``<``, ``=`` or ``>``."""
    weights = [int(weight) for weight in case["weights"]]
    asked: list[str] = []
    fault = ""
    pipe = subprocess.PIPE
    with (
        Path("errors.txt").open("wb") as stderr,
        started(binary, case, stdin=pipe, stdout=pipe, stderr=stderr) as (process, ended),
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        last = ""
        try:
            process.stdin.write(case["input"].encode())
            process.stdin.flush()
            while len(asked) < int(case["queries"]):
                line = next_line(process.stdout)
                if line is None:
                    fault = f"the program ended after {len(asked)} of {case['queries']} comparisons"
                    break
                sign = weighed(line, weights)
                asked.append(line)
                if not sign:
                    fault = f"comparison {len(asked)} makes no sense: {line[:80]!r}"
                    break
                process.stdin.write(f"{sign}\n".encode())
                process.stdin.flush()
            else:
                last = next_line(process.stdout) or ""
            process.stdin.close()
        except BrokenPipeError:
            fault = f"the program ended after {len(asked)} of {case['queries']} comparisons"
        if fault:
            process.kill()
        process.wait()
        process.stdout.close()
    end = ended()
    if fault and not end.waited and end.status in (0, -signal.SIGKILL) and end.seconds <= case["time_limit"]:
        return answer("protocol", queries="\n".join(asked), seconds=end.seconds, note=fault)
    return judged(end, case, stdout=last, queries="\n".join(asked))


def next_line(stream: Any) -> str | None:
    """Returns the next line that is no comment, or None at the end."""
    while line := stream.readline(1 << 14):
        text: str = line.decode(errors="replace").strip()
        if text and not text.startswith("#"):
            return text
    return None


def weighed(line: str, weights: list[int]) -> str:
    """Returns what the balance says to one question, or an empty string if the question makes no sense."""
    try:
        left, right, *items = [int(word) for word in line.split()]
    except ValueError:
        return ""
    sensible = left > 0 < right and len(items) == left + right and len(set(items)) == len(items)
    if not sensible or not all(0 <= item < len(weights) for item in items):
        return ""
    difference = sum(weights[i] for i in items[:left]) - sum(weights[i] for i in items[left:])
    return "<" if difference < 0 else ">" if difference > 0 else "="


def judged(end: Ended, case: Any, *, stdout: str, queries: str = "") -> dict[str, Any]:
    """Returns the answer for a binary that ended by itself or was ended."""
    limit = float(case["time_limit"])
    if end.waited or end.seconds > limit:
        why = f"{end.seconds:.2f} s of CPU time" if end.seconds > limit else "it waited too long"
        return answer("time_limit", queries=queries, seconds=end.seconds, note=f"{why}, limit {limit:g} s")
    if end.status != 0:
        told = Path("errors.txt").read_bytes()[-TAIL:].decode(errors="replace")
        name = signal.Signals(-end.status).name if end.status < 0 else f"exit status {end.status}"
        return answer("runtime_error", queries=queries, seconds=end.seconds, note=f"{name}\n{told}".strip())
    return answer("ok", stdout=stdout, queries=queries, seconds=end.seconds)


@contextmanager
def started(
    binary: Path, case: Any, **streams: Any
) -> Iterator[tuple[subprocess.Popen[bytes], Callable[[], Ended]]]:
    """Starts the binary, confined and on one core, and ends it when it takes far too long."""
    limit = float(case["time_limit"])
    confine = confinement(binary, limit)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    late = threading.Event()
    process = subprocess.Popen([str(binary)], env={}, preexec_fn=confine, **streams)

    def end() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(PATIENCE * limit + GRACE, end)
    timer.start()

    def ended() -> Ended:
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Ended(spent, process.returncode, late.is_set())

    try:
        yield process, ended
    finally:
        timer.cancel()
        if process.poll() is None:
            process.kill()
            process.wait()


def confinement(binary: Path, limit: float) -> Callable[[], None]:
    """Returns what the child does between fork and exec. It runs in a copy of a process with one thread."""
    libc = ctypes.CDLL(None, use_errno=True)
    core = min(os.sched_getaffinity(0), key=lambda core: (core + os.getpid()) % 64)
    seconds = math.ceil(limit) + 1

    def confine() -> None:
        os.sched_setaffinity(0, {core})
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        ruleset = _checked(
            libc.syscall(_CREATE_RULESET, ctypes.byref(ctypes.c_uint64(_FILE_ACCESS)), ctypes.c_size_t(8), 0)
        )
        own = os.open(binary, os.O_PATH | os.O_CLOEXEC)
        rule = ctypes.create_string_buffer(struct.pack("=Qi", _EXECUTE_AND_READ, own), 12)
        _checked(libc.syscall(_ADD_RULE, ruleset, 1, rule, 0))
        _checked(libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0))
        _checked(libc.syscall(_RESTRICT_SELF, ruleset, 0))
        os.close(ruleset)
        os.close(own)

    return confine


def _checked(status: int) -> int:
    if status < 0:
        raise OSError(ctypes.get_errno(), "Landlock")
    return status
