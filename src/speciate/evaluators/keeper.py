"""The keeper of one candidate: starts it, feeds it, watches it, measures it, answers, buries it.

    engine --socket--> keeper --fork--> init (pid 1 of its own namespace) --fork--> candidate

A keeper is forked for every candidate from a server that never reads a program, a case or an answer; the
candidate is forked before the keeper reads its job. So no byte of another candidate is in a candidate's
memory. The candidate holds two pipes to its keeper and no way to the server's socket. Cases are handed over
one by one, so the time between a case and its answer is real, whatever runs at the other end.
"""

from __future__ import annotations

import math
import os
import select
import signal
import socket
import time
from dataclasses import dataclass, field
from typing import Literal, NoReturn, TypeAlias

from speciate.evaluators import harness, limits, wire
from speciate.evaluators.child import STATUS, USAGE, Child
from speciate.evaluators.limits import Bounds

End: TypeAlias = Literal[
    "answered",
    "raised",
    "exited",
    "signalled",
    "lost",
    "cpu",
    "wall",
    "memory",
    "output",
    "processes",
    "malformed",
    "calls",
]
"""How a candidate ended, as seen from outside; ``lost`` when its init was killed and took all with it;
``calls`` when the engine would not answer one more question."""

_TIMED: tuple[End, ...] = ("answered", "raised", "exited", "signalled", "wall")
"""Ends that become the CPU limit's when the final account is above it, however slow the machine."""

TAIL = 4096

_TICK = 0.05
_CHUNK = 1 << 18


@dataclass(slots=True)
class Output:
    """What a candidate printed on one stream: the first `keep` or the last 4 KB, and how much in all."""

    keep: int | None
    data: bytearray = field(default_factory=bytearray)
    total: int = 0

    def add(self, chunk: bytes) -> None:
        """Takes in what was read."""
        self.total += len(chunk)
        self.data += chunk
        if self.keep is None and len(self.data) > 2 * TAIL:
            del self.data[:-TAIL]

    def text(self) -> bytes:
        """Returns what is kept."""
        return bytes(self.data[-TAIL:] if self.keep is None else self.data[: self.keep])


class Keeper:
    """One candidate's life from its program to its end."""

    def __init__(self, child: Child, request: wire.Message, bounds: Bounds, channel: socket.socket) -> None:
        self._child = child
        self._bounds = bounds
        self._channel = channel
        self._command = request.header["mode"] == "command"
        self._may_ask = request.header["mode"] == "agent"
        self._asked_at: float | None = None  # when the question was passed on that waits for its reply
        self._cases = list(request.blobs[1:])
        self._outgoing = bytearray(_framed(request.blobs[0]))
        self._incoming = bytearray()
        self._answers: list[bytes] = []
        self._seconds: list[float] = []
        self._answered_bytes = 0
        self._error: bytes | None = None
        self._stdout = Output(bounds.output_bytes if self._command else None)
        self._stderr = Output(None)
        self._told = bytearray()
        self._ready = False
        self._asked = 0.0
        self._peak = 0
        self._account = limits.Account(child.spent)
        self._started = self._begun = time.monotonic()
        self._next_watch = self._begun + _TICK
        self._poll = select.poll()
        for descriptor in (child.answers, child.stdout, child.stderr, child.status):
            os.set_blocking(descriptor, False)
            self._poll.register(descriptor, select.POLLIN)
        os.set_blocking(child.inbox, False)
        self._poll.register(child.inbox, select.POLLOUT)
        self._poll.register(channel.fileno(), 0)  # tells when the engine hangs up

    def run(self) -> bytes:
        """Serves the candidate to its end and returns the message for the engine."""
        end: End | None = None
        while end is None:
            over = False
            for descriptor, event in self._poll.poll(self._patience()):
                if descriptor == self._child.status:
                    over = True
                    self._told += os.read(descriptor, STATUS.size + USAGE.size)
                else:
                    end = end or self._attend(descriptor, event)
            end = end or self._watch()
            if end is None and over:
                end = self._drain() or _how(self._told)
        return self._finish(end)

    def _attend(self, descriptor: int, event: int) -> End | None:
        """Moves bytes on one descriptor."""
        child = self._child
        if descriptor == self._channel.fileno():
            return self._relay()
        if descriptor == child.inbox:
            self._feed()
            return None
        chunk = _read_some(descriptor)
        if chunk == b"":
            self._poll.unregister(descriptor)
        if not chunk:
            return None
        if descriptor == child.answers:
            return self._take(chunk)
        (self._stdout if descriptor == child.stdout else self._stderr).add(chunk)
        return "output" if self._stdout.total + self._stderr.total > self._bounds.output_bytes else None

    def _feed(self) -> None:
        """Writes as much of the program or case as the pipe takes."""
        if self._outgoing:
            try:
                del self._outgoing[: os.write(self._child.inbox, self._outgoing[:_CHUNK])]
            except BlockingIOError:
                return
            except BrokenPipeError:  # it closed its inbox; its end will tell
                self._outgoing.clear()
        if not self._outgoing:
            self._poll.unregister(self._child.inbox)

    def _relay(self) -> End | None:
        """Passes the engine's reply to a question on; an engine that hung up ends all here."""
        reply = None if self._asked_at is None else wire.receive(self._channel)
        if reply is None or self._asked_at is None:
            self._child.end(self._told)
            self._child.bury()
            os._exit(0)
        self._begun += time.monotonic() - self._asked_at  # waiting for a model is not the candidate's time
        self._asked_at = None
        self._poll.modify(self._channel.fileno(), 0)
        end: End | None = reply.header["end"]
        if end is None:
            self._hand_over(reply.blobs[0])
        return end

    def _hand_over(self, blob: bytes) -> None:
        """Begins to write a case or a reply to the candidate."""
        self._outgoing = bytearray(_framed(blob))
        self._poll.register(self._child.inbox, select.POLLOUT)

    def _question(self, payload: bytes) -> None:
        """Passes a question on to the engine."""
        self._answered_bytes += len(payload)
        self._channel.sendall(wire.pack({"asks": True}, [payload]))
        self._poll.modify(self._channel.fileno(), select.POLLIN)
        self._asked_at = time.monotonic()

    def _take(self, chunk: bytes) -> End | None:
        """Cuts what the candidate wrote into messages."""
        self._incoming += chunk
        while len(self._incoming) >= wire.LENGTH.size:
            (size,) = wire.LENGTH.unpack_from(self._incoming)
            if size == 0:
                return "malformed"
            if size > self._bounds.output_bytes + 1 - self._answered_bytes:
                return "output"
            stop = wire.LENGTH.size + size
            if len(self._incoming) < stop:
                return None
            message = bytes(self._incoming[wire.LENGTH.size : stop])
            del self._incoming[:stop]
            end = self._hear(message[:1], message[1:])
            if end is not None:
                return end
        return None

    def _hear(self, tag: bytes, payload: bytes) -> End | None:
        """Acts on one message of the candidate."""
        now = time.monotonic()
        if tag == harness.ERROR:
            self._error = payload
            return "raised"
        if self._asked_at is not None:
            return "malformed"
        if tag == harness.QUERY and self._may_ask and self._ready:
            self._question(payload)
            return None
        if tag == harness.READY and not self._ready and not payload:
            self._ready = True
        elif tag == harness.ANSWER and self._ready:
            self._answers.append(payload)
            self._seconds.append(now - self._asked)
            self._answered_bytes += len(payload)
        else:
            return "malformed"
        if len(self._answers) == len(self._cases):
            return "answered"
        self._asked = time.monotonic()
        self._hand_over(self._cases[len(self._answers)])
        return None

    def _patience(self) -> float:
        """Returns how long to wait for something to happen, in milliseconds."""
        deadline = min(self._deadline(), self._next_watch)
        return max(0.0, deadline - time.monotonic()) * 1000 + 1

    def _deadline(self) -> float:
        """Returns when its wall time is over; never while it waits for a model."""
        return math.inf if self._asked_at is not None else self._begun + self._bounds.wall_seconds

    def _watch(self) -> End | None:
        """Compares the tree with its limits, when it is time to."""
        now = time.monotonic()
        if now > self._deadline():
            return "wall"
        if now < self._next_watch:
            return None
        self._next_watch = now + _TICK
        tree = self._child.tree()
        used = self._account.look([self._child.init, *tree])
        self._peak = max(self._peak, used.resident_bytes)
        most = self._bounds.tree_bytes
        if used.resident_bytes > most and limits.proportional_bytes(tree) > most:
            return "memory"
        if used.tasks > self._bounds.processes + 1:  # init
            return "processes"
        return "cpu" if used.cpu_seconds > self._bounds.cpu_seconds else None

    def _drain(self) -> End | None:
        """Reads what the candidate left in its pipes after its first process ended."""
        for descriptor in (self._child.answers, self._child.stdout, self._child.stderr):
            while chunk := _read_some(descriptor):
                if descriptor == self._child.answers:
                    end = self._take(chunk)
                    if end is not None:
                        return end
                else:
                    (self._stdout if descriptor == self._child.stdout else self._stderr).add(chunk)
                    if self._stdout.total + self._stderr.total > self._bounds.output_bytes:
                        return "output"
        return None

    def _finish(self, end: End) -> bytes:
        """Ends the tree, draws up the account and returns the message for the engine."""
        seconds = time.monotonic() - self._started
        if end in ("answered", "raised"):
            end = self._drain_output() or end
        status = STATUS.unpack_from(self._told)[0] if self._told else None
        used = self._child.end(self._told)
        if self._asked_at is not None:
            self._discard_reply()
        cpu = max(used.cpu_seconds - self._child.spent, self._account.cpu_seconds)
        if cpu > self._bounds.cpu_seconds and end in _TIMED:
            end = "cpu"  # whatever it answered: the account decides, not the moment of a look
        header = {
            "end": end,
            "status": status,
            "seconds": seconds,
            "cpu_seconds": cpu,
            "peak_bytes": max(self._peak, used.peak_bytes),
            "case_seconds": self._seconds,
            "error": self._error is not None,
        }
        texts = [self._stdout.text(), self._stderr.text(), self._error or b""]
        return wire.pack(header, [*texts, *self._answers])

    def _discard_reply(self) -> None:
        """Takes the reply that the candidate did not live to see, lest the next keeper takes it for a job."""
        self._child.bury()  # it may take long, and a candidate's own timer can undo its stop
        if wire.receive(self._channel) is None:
            os._exit(0)

    def _drain_output(self) -> End | None:
        """Reads what was printed before the last message."""
        for descriptor, output in ((self._child.stdout, self._stdout), (self._child.stderr, self._stderr)):
            while chunk := _read_some(descriptor):
                output.add(chunk)
                if self._stdout.total + self._stderr.total > self._bounds.output_bytes:
                    return "output"
        return None


def serve(child: Child, bounds: Bounds, channel: socket.socket, turn: socket.socket) -> NoReturn:
    """Waits for its turn and for one job, runs it, answers the engine, passes the turn on, ends this process.

    Args:
        child: the candidate that stands ready.
        bounds: its limits.
        channel: to the engine.
        turn: to the server. One byte comes when the candidate before is gone with all its namespaces; one
            goes when the engine has its answer and nothing of this candidate runs any more, alive or not.
    """
    request = wire.receive(channel) if turn.recv(1) else None
    if request is None:
        child.bury()
        os._exit(1)
    if select.select([child.status], [], [], 0)[0]:
        raise RuntimeError("a candidate's process died before it had a program")
    answer = Keeper(child, request, bounds, channel).run()
    sent = channel.send(answer, socket.MSG_DONTWAIT)
    if sent < len(answer):  # the engine may let us wait, and a candidate's own timer can undo its stop
        child.bury()
        channel.sendall(memoryview(answer)[sent:])
    turn.sendall(b"N")
    child.bury()
    os._exit(0)


def _framed(blob: bytes) -> bytes:
    """Returns a blob behind its length."""
    return wire.LENGTH.pack(len(blob)) + blob


def _read_some(descriptor: int) -> bytes | None:
    """Returns what can be read now: None for nothing, empty at the end."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None


def _how(told: bytearray) -> End:
    """Tells a signal from an exit, from what init wrote."""
    if len(told) < STATUS.size:
        return "lost"
    (code,) = STATUS.unpack_from(told)
    if not os.WIFSIGNALED(code):
        return "exited"
    ends: dict[int, End] = {signal.SIGXCPU: "cpu", signal.SIGXFSZ: "output"}
    return ends.get(os.WTERMSIG(code), "signalled")
