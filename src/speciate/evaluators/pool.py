"""A pool of slots in which untrusted programs run, one at a time each."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from hashlib import blake2b
from pathlib import PurePosixPath

from speciate.errors import SandboxError, SandboxMissingError, ScoreError
from speciate.evaluators import frame, sandbox, verdict, wire
from speciate.evaluators.jobs import Case, CommandReport, Job, Report, Respond
from speciate.evaluators.limits import Bounds
from speciate.evaluators.scratch import ScratchFolder, clear_left_behind
from speciate.evaluators.zygote import Boot, Mode
from speciate.records import Program
from speciate.tasks import Task

_START_SECONDS = 120.0
_GRACE_SECONDS = 10.0
_ATTEMPTS = 3


class SandboxPool:
    """Runs candidates of one task, at most `slots` at once.

    A slot is a fork server in a sandbox of its own. A server that dies is replaced and its job run again;
    what a candidate does to itself never ends a server. All methods belong to one event loop.

    Attributes:
        mode: how candidates are isolated; set by `start`.
    """

    def __init__(self, task: Task, *, slots: int, unsafe: bool = False) -> None:
        if slots < 1:
            raise ValueError(f"a pool needs at least one slot, got {slots}")
        self._task = task
        self._unsafe = unsafe
        self._bounds = sandbox.bounds_of(task.spec.limits)
        self._slots = [_Slot(task, number) for number in range(slots)]
        self._free: asyncio.LifoQueue[_Slot] = asyncio.LifoQueue()  # the slot used last has warm caches
        self.mode: Mode | None = None

    async def start(self) -> None:
        """Finds out how candidates can be isolated, starts all slots and tries one for real.

        Raises:
            SandboxMissingError: candidates cannot be isolated here.
            ScoreError: the task's own modules cannot be loaded in the sandbox.
            TaskError: a file that the task names is missing.
        """
        self.mode = sandbox.choose_mode(unsafe=self._unsafe)
        try:
            await self._slots[0].start(self.mode)
            if self.mode != "unsafe":
                await _check_isolation(self._slots[0], self._bounds)
            await self._start_all(self._slots[1:], self.mode)
        except BaseException:
            await self.close()
            raise
        for slot in reversed(self._slots):
            self._free.put_nowait(slot)

    async def _start_all(self, slots: Sequence[_Slot], mode: Mode) -> None:
        """Starts slots, as many at once as there are cores: more would only get in each other's way."""
        turns = asyncio.Semaphore(os.cpu_count() or 1)

        async def start(slot: _Slot) -> None:
            async with turns:
                await slot.start(mode)

        starts = [asyncio.ensure_future(start(slot)) for slot in slots]
        try:
            await asyncio.gather(*starts)
        except BaseException:
            for begun in starts:
                begun.cancel()
            await asyncio.gather(*starts, return_exceptions=True)
            raise

    async def run(self, job: Job, listen: Callable[[], Respond] | None = None) -> Report:
        """Runs one candidate process; waiting for a slot or for a reply does not count against its limits.

        Args:
            job: what to run.
            listen: see `CandidateRunner.run`.

        Raises:
            SandboxError: a slot broke three times in a row.
        """
        program = _program(job.program, mode=job.mode, seed=_seed(job))
        blobs = [program, *(frame.encode(case.data) for case in job.cases)]
        async with self._slot() as slot:
            reply = await slot.perform({"mode": job.mode}, blobs, listen)
        return await _off_loop(reply, job.cases, self._bounds)

    async def command(self, program: Program, argv: Sequence[str]) -> CommandReport:
        """Runs a command beside the program's files, in the folder that holds them.

        Args:
            program: its files are written into a private folder first.
            argv: the command; ``{program}`` in an argument becomes the entry file's path.

        Raises:
            SandboxError: a slot broke three times in a row.
        """
        blob = _program(program, mode="command", argv=argv)
        async with self._slot() as slot:
            reply = await slot.perform({"mode": "command"}, [blob])
        return verdict.command_report(reply, self._bounds)

    async def close(self) -> None:
        """Kills all slots and whatever runs in them. May be called twice."""
        for slot in self._slots:
            slot.close()

    @asynccontextmanager
    async def _slot(self) -> AsyncIterator[_Slot]:
        """Lends a free slot."""
        if self.mode is None:
            raise SandboxError("the pool has not been started")
        slot = await self._free.get()
        try:
            yield slot
        finally:
            self._free.put_nowait(slot)


class _Slot:
    """One fork server, restarted when it dies."""

    def __init__(self, task: Task, number: int) -> None:
        self._task = task
        self._number = number
        self._patience = task.spec.limits.wall_seconds + _GRACE_SECONDS
        self._boot: Boot | None = None
        self._server: sandbox.Server | None = None
        self._scratch: ScratchFolder | None = None

    async def start(self, mode: Mode) -> None:
        """Starts the server and waits until it is warm."""
        if mode == "unsafe":
            clear_left_behind()
            self._scratch = ScratchFolder()
        scratch = str(self._scratch.path) if self._scratch else ""
        self._boot = sandbox.boot_for(self._task, mode, self._number, scratch)
        await self._launch()

    async def _launch(self) -> sandbox.Server:
        """Starts a server; raises SandboxMissingError or ScoreError when it does not come up."""
        assert self._boot is not None, "start comes first"
        server = self._server = sandbox.launch(self._task, self._boot)
        try:
            async with asyncio.timeout(_START_SECONDS):
                reply = await _converse(server, wire.pack(asdict(self._boot)))
        except (OSError, EOFError, TimeoutError):
            complaint = server.complaint()
            self.kill()
            raise sandbox.missing(sandbox.hint(complaint)) from None
        except BaseException:
            self.kill()
            raise
        if not reply.header["ready"]:
            self.kill()
            raise ScoreError(f"task {self._task.name!r}: {reply.header['reason']}")
        return server

    async def perform(
        self,
        header: dict[str, str],
        blobs: Sequence[bytes],
        listen: Callable[[], Respond] | None = None,
    ) -> wire.Message:
        """Has one job done, if need be by a new server.

        Raises:
            SandboxError: three servers in a row died over it.
        """
        message = wire.pack(header, blobs)
        complaint = ""
        for _ in range(_ATTEMPTS):
            try:
                server = self._server or await self._launch()
            except SandboxMissingError as error:  # it came up before, so this is one more death
                complaint = str(error)
                continue
            respond = None if listen is None else listen()
            try:
                reply = await self._hear(server, message)
                while reply.header.get("asks"):
                    reply = await self._hear(server, await _response(respond, reply.blobs[0]))
                return reply
            except _UnansweredError as unanswered:
                self.kill()
                raise unanswered.error from None
            except (OSError, EOFError, TimeoutError) as error:
                complaint = server.complaint() or f"{type(error).__name__} while waiting for the slot"
                self.kill()
            except BaseException:  # cancelled in the middle of a job
                self.kill()
                raise
        raise SandboxError(f"a sandbox slot died {_ATTEMPTS} times in a row: {complaint}")

    async def _hear(self, server: sandbox.Server, message: bytes) -> wire.Message:
        """Sends a message and returns what comes back; raises TimeoutError when that takes too long."""
        async with asyncio.timeout(self._patience):
            return await _converse(server, message)

    def kill(self) -> None:
        """Kills the server and all in it; the next job starts another."""
        if self._server is not None:
            self._server.end()
            self._server = None

    def close(self) -> None:
        """Kills the server for good and removes what candidates left behind."""
        self.kill()
        if self._scratch is not None:
            self._scratch.close()


class _UnansweredError(Exception):
    """Whoever answers a candidate's questions raised; it is none of the slot's own troubles."""

    def __init__(self, error: Exception) -> None:
        self.error = error


async def _response(respond: Respond | None, question: bytes) -> bytes:
    """Returns the message for the keeper whose candidate asked a question."""
    assert respond is not None, (
        "a keeper passes on questions of mode agent alone, and that comes with answers"
    )
    try:
        response = await respond(question)
    except Exception as error:
        raise _UnansweredError(error) from error
    if isinstance(response, bytes):
        return wire.pack({"end": None}, [response])
    return wire.pack({"end": response})


async def _converse(server: sandbox.Server, message: bytes) -> wire.Message:
    """Sends a message and returns the answer; raises EOFError when the server is gone."""
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(server.channel, message)
    data = bytearray()
    size = wire.LENGTH.size
    while len(data) < size:
        chunk = await loop.sock_recv(server.channel, 1 << 18)
        if not chunk:
            raise EOFError("the slot hung up")
        data += chunk
        if size == wire.LENGTH.size <= len(data):
            size += wire.LENGTH.unpack_from(data)[0]
    return wire.unpack(bytes(data[wire.LENGTH.size :]))


async def _check_isolation(slot: _Slot, bounds: Bounds) -> None:
    """Has a process tell what it still may do; raises SandboxMissingError when that is too much."""
    program = _program(Program((("check.txt", ""),)), mode="check")
    try:
        reply = await slot.perform({"mode": "check"}, [program, frame.encode(None)])
    except SandboxError as error:
        raise sandbox.missing(str(error)) from error
    report = verdict.report(reply, [Case("check")], bounds)
    if report.failure is not None:
        raise sandbox.missing(f"the self-check failed: {report.failure.message} {report.output}")
    facts = report.cases[0].data
    if facts["uid"] == 0 or facts["network"] or facts["pids"] or facts["writable"]:
        raise sandbox.missing(f"the sandbox does not hold: {facts}")


async def _off_loop(reply: wire.Message, cases: Sequence[Case], bounds: Bounds) -> Report:
    """Returns the report; large answers are decoded in a thread so that other slots are served meanwhile."""
    if sum(len(blob) for blob in reply.blobs) < 1 << 20:
        return verdict.report(reply, cases, bounds)
    return await asyncio.to_thread(verdict.report, reply, cases, bounds)


def _seed(job: Job) -> int:
    """Returns the seed of a candidate's global generators: its own, and the same whenever it runs again."""
    name = f"{job.program.hash}|{job.seed}".encode()
    return int.from_bytes(blake2b(name, digest_size=4).digest(), "little")


def _program(program: Program, *, mode: str, argv: Sequence[str] = (), seed: int = 0) -> bytes:
    """Returns the frame from which the candidate's process writes the files.

    Raises:
        SandboxError: a file name leaves the program's folder.
    """
    for name, _ in program.files:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or os.sep in (name[:1], name[-1:]):
            raise SandboxError(f"{name!r} is no file name inside a program's folder")
    return frame.encode({"mode": mode, "argv": list(argv), "seed": seed, "files": list(program.files)})
