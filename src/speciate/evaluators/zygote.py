"""The fork server of one slot: imports what candidates will need, then forks a keeper for each of them.

Runs inside bubblewrap (or, unsafely, without). It holds what a candidate must never have: the socket to the
engine, the capability to mount, and as root the identity of root. Every fork gives these up before it runs
foreign code. The next candidate's process stands ready before its job arrives, so a job does not wait for
forks and mounts. Standard library and ctypes only.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import site
import socket
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NoReturn

from speciate.evaluators import harness, isolate, keeper, limits, rehearsal, seccomp, wire
from speciate.evaluators.child import SPENT, STATUS, USAGE, Child, kill
from speciate.evaluators.limits import Bounds

Mode = Literal["root", "user", "unsafe"]
INBOX, OUTBOX = 3, 4


@dataclass(frozen=True, slots=True)
class Boot:
    """What the engine tells a new fork server.

    Attributes:
        mode: ``root`` (no user namespace, candidates change to `uid`), ``user`` (a user namespace) or
            ``unsafe``.
        uid: what candidates become in mode root.
        bounds: limits of a candidate, as fields of `Bounds`.
        sites: folders of installed packages.
        keep: folders under /tmp or /dev/shm that candidates must see.
        task: folder with the task's visible files.
        files: names in it that appear beside a program.
        run: name of the run file, loaded once, or empty.
        evaluate: name of the evaluate file (loaded by each candidate), or empty.
        warm: modules to import once.
        python: whether programs are Python.
        shims: folder from which candidates import the shims of another system, or empty.
        adapter: module in it whose ``evaluate(script, program, settings)`` calls the evaluate file, or empty.
        scratch: in mode unsafe, the folder in which candidates get theirs.
        scratch_mb: size of a candidate's /tmp, and again of its /dev/shm.
    """

    mode: Mode
    uid: int
    bounds: dict[str, Any]
    sites: tuple[str, ...]
    keep: tuple[str, ...]
    task: str
    files: tuple[str, ...]
    run: str
    evaluate: str
    warm: tuple[str, ...]
    python: bool
    shims: str
    adapter: str
    scratch: str
    scratch_mb: int = 64


class TaskCodeError(Exception):
    """The task's own modules cannot be loaded; the text says why."""


def main(descriptor: int) -> NoReturn:
    """Serves the engine at the other end of the socket until it hangs up."""
    channel = socket.socket(fileno=descriptor)
    isolate.reset_signals()
    isolate.die_with_parent()
    greeting = wire.receive(channel)
    if greeting is None:
        os._exit(1)
    boot = Boot(**greeting.header)
    try:
        run = _warm_up(boot)
    except TaskCodeError as error:
        channel.sendall(wire.pack({"ready": False, "reason": str(error)}))
        os._exit(1)
    channel.sendall(wire.pack({"ready": True, "reason": ""}))
    _fork_keepers(boot, run, channel)


def _warm_up(boot: Boot) -> Callable[[Any, Any], Any] | None:
    """Imports what every candidate needs and returns the task's ``run`` or the shim's, if it has one.

    Raises:
        TaskCodeError: a module cannot be imported, has no ``run``, or leaves threads behind.
    """
    site.setquit()
    site.sethelper()
    for folder in boot.sites:
        site.addsitedir(folder)
    sys.path.insert(0, boot.task)
    run: Callable[[Any, Any], Any] | None = None
    what = ""
    try:
        for what in boot.warm:
            import_module(what)
        if boot.run:
            what = boot.run
            run = harness.load(Path(boot.task) / boot.run).run
        if boot.adapter:
            sys.path.insert(0, boot.shims)
            what = boot.adapter
            run = partial(import_module(what).evaluate, Path(boot.task) / boot.evaluate)
    except BaseException as error:  # noqa: BLE001 (the edge of a worker: task code may raise anything)
        shown = "".join(traceback.format_exception(error, limit=-3))[-2000:]
        raise TaskCodeError(
            f"{what} cannot be loaded in the sandbox: {type(error).__name__}: {error}\n{shown}"
        ) from None
    if "numpy" in sys.modules:
        import_module("numpy.random")  # candidates' generators are reseeded; numpy loads it late
    threads = len(list(os.scandir("/proc/self/task")))
    if threads > 1:
        raise TaskCodeError(
            f"{what} leaves {threads - 1} threads running when imported; they would not survive a fork"
        )
    sys.stdout.flush()
    sys.stderr.flush()
    gc.collect()
    gc.freeze()
    return run


def _fork_keepers(boot: Boot, run: Callable[[Any, Any], Any] | None, channel: socket.socket) -> NoReturn:
    """Forks one keeper after another; ends when one did not end well.

    A keeper's candidate is made while the one before is being buried: nothing of that one runs any more, but
    its namespaces take the kernel milliseconds. The new one gets its turn when they are gone.
    """
    bounds = Bounds(**boot.bounds)
    space = limits.address_space() + bounds.memory_bytes
    server = os.getpid()
    before: int | None = None
    while True:
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            isolate.die_with_parent()
            ours.close()
            try:
                child = _start_candidate(boot, bounds, run, space, server)
                keeper.serve(child, bounds, channel, theirs)
            except BaseException:  # noqa: BLE001 (the edge of a process: it must not return into the server)
                traceback.print_exc()
                os._exit(71)
        theirs.close()
        if before is not None and os.waitpid(before, 0)[1] != 0:
            os._exit(1)
        with suppress(ConnectionError):  # it died; the next turn finds out
            ours.sendall(b"T")
            ours.recv(1)
        ours.close()
        before = pid


def _start_candidate(
    boot: Boot, bounds: Bounds, run: Callable[[Any, Any], Any] | None, space: int, server: int
) -> Child:
    """Forks init and the candidate, and returns once the candidate has given everything up."""
    inbox, answers, stdout, stderr, status = (_pipe() for _ in range(5))
    me = os.getpid()
    if boot.mode != "unsafe":
        isolate.unshare(isolate.CLONE_NEWPID | isolate.CLONE_NEWIPC)
    home = "/tmp" if boot.mode != "unsafe" else tempfile.mkdtemp(dir=boot.scratch)
    init = os.fork()
    if init == 0:
        _become_init(
            boot,
            bounds,
            partial(_setting, boot, bounds, home, run),
            space,
            (inbox, answers, stdout, stderr, status),
        )
    for end in (inbox[0], answers[1], stdout[1], stderr[1], status[1]):
        os.close(end)
    rehearsal.keeper()
    spent = os.read(answers[0], SPENT.size)
    if len(spent) < SPENT.size:
        complaint = os.read(stderr[0], keeper.TAIL).decode(errors="replace")
        raise RuntimeError(f"a candidate's process cannot be set up\n{complaint}")
    ends = (init, inbox[1], answers[0], stdout[0], stderr[0], status[0], SPENT.unpack(spent)[0])
    if boot.mode == "unsafe":
        return Child(*ends, partial(_descendants, init), partial(_kill_descendants, init), home)
    child = Child(*ends, partial(limits.everyone_but, {1, server, me, init}), partial(_order, init), None)
    child.rehearse()
    return child


def _descendants(init: int) -> list[int]:
    """Returns the candidate's processes where no pid namespace tells them from others."""
    return list(limits.descendants(init))


def _kill_descendants(init: int) -> None:
    """Kills the candidate's processes one by one."""
    for pid in limits.descendants(init):
        kill(pid)


def _order(init: int) -> None:
    """Has init kill all others in its pid namespace, at once: no fork is fast enough to escape that."""
    with suppress(ProcessLookupError):
        os.kill(init, signal.SIGTERM)


def _setting(boot: Boot, bounds: Bounds, home: str, run: Callable[[Any, Any], Any] | None) -> harness.Setting:
    """Returns what the candidate's process is told."""
    return harness.Setting(
        inbox=INBOX,
        outbox=OUTBOX,
        home=home,
        task=boot.task,
        files=boot.files,
        evaluate=boot.evaluate,
        run=run,
        python=boot.python,
        output_bytes=bounds.output_bytes,
        address_space=bounds.memory_bytes,
    )


Pipe = tuple[int, int]


def _become_init(
    boot: Boot,
    bounds: Bounds,
    setting: Callable[[], harness.Setting],
    space: int,
    pipes: tuple[Pipe, Pipe, Pipe, Pipe, Pipe],
) -> NoReturn:
    """Is the first process of a candidate's world: forks the candidate, then only buries the dead."""
    try:
        isolate.die_with_parent()
        if boot.mode == "unsafe":
            isolate.adopt_orphans()
        else:
            isolate.hide_memory()
            isolate.private_files(boot.scratch_mb, boot.keep)
            signal.signal(signal.SIGTERM, _kill_world)
            _kill_world()  # there is nobody yet: a rehearsal
        _usage_of_children()
        candidate = os.fork()
        if candidate == 0:
            _arrange_descriptors(pipes)
            _give_up(boot, bounds, space)
            told = setting()
            rehearsal.candidate(told)
            os.write(OUTBOX, SPENT.pack(time.process_time()))
            harness.main(told)
        report = pipes[4][1]
        os.dup2(report, 3)
        os.closerange(4, 1 << 16)
        _bury(candidate)
    except BaseException:  # noqa: BLE001 (the edge of a process: it must not return into its parent's code)
        os.write(pipes[3][1], traceback.format_exc().encode())
    os._exit(71)


def _arrange_descriptors(pipes: tuple[Pipe, Pipe, Pipe, Pipe, Pipe]) -> None:
    """Leaves the candidate an empty stdin, stdout, stderr, inbox and outbox, and nothing else."""
    inbox, answers, stdout, stderr, _ = pipes
    wanted = (os.open("/dev/null", os.O_RDONLY), stdout[1], stderr[1], inbox[0], answers[1])
    high = [os.dup(descriptor) for descriptor in wanted]  # all below are taken, so none of these is below 5
    for place, descriptor in enumerate(high):
        os.dup2(descriptor, place)
    os.closerange(len(wanted), 1 << 16)


def _give_up(boot: Boot, bounds: Bounds, space: int) -> None:
    """Gives up everything a candidate must not have."""
    os.setsid()
    os.umask(0o022)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if boot.mode == "unsafe":
        isolate.die_with_parent()
        isolate.no_new_privileges()
        limits.apply_to_process(bounds, address_space=space, processes=None)
        return
    # In a user namespace the kernel counts the slot's init, server, keeper and the candidate's init as well.
    others = 4 if boot.mode == "user" else 0
    isolate.drop_privileges(boot.uid if boot.mode == "root" else None)
    isolate.no_new_privileges()
    limits.apply_to_process(bounds, address_space=space, processes=bounds.processes + others)
    seccomp.install()


def _bury(candidate: int) -> NoReturn:
    """Waits for children until none is left; tells the keeper how the first ended and what all used.

    Then waits to be killed: the kernel takes its namespaces down before anybody else's turn on this core, and
    the keeper has an answer to send.
    """
    untold = b""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG if untold else 0)
        except ChildProcessError:
            break
        if pid == 0:
            _tell(untold)
            untold = b""
        if pid == candidate:
            untold = STATUS.pack(status)
    _tell(untold + USAGE.pack(*_usage_of_children()))
    while True:
        signal.pause()


def _kill_world(*_: object) -> None:
    """Kills every other process of this pid namespace; does nothing where this is not its first."""
    if os.getpid() != 1:
        return
    with suppress(ProcessLookupError):  # all are dead already
        os.kill(-1, signal.SIGKILL)


def _usage_of_children() -> tuple[float, int]:
    """Returns CPU seconds of all that were waited for, and the largest resident size in bytes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def _tell(record: bytes) -> None:
    """Writes to the keeper."""
    with suppress(BrokenPipeError):  # the keeper is gone, and we with it soon
        os.write(3, record)


def _pipe() -> Pipe:
    """Returns a pipe whose ends lie above the descriptors a candidate uses."""
    import fcntl

    read, write = os.pipe()
    ends = fcntl.fcntl(read, fcntl.F_DUPFD_CLOEXEC, 10), fcntl.fcntl(write, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(read)
    os.close(write)
    return ends
