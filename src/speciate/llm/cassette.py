"""Recordings of replies, and models that speak from them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from speciate.errors import CassetteMissError, ConfigError, StoreError
from speciate.llm.base import LLM
from speciate.llm.catalog import FREE, Price, priced
from speciate.llm.secrets import redact
from speciate.records import Reply, Request

_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Take:
    """One line of a recording.

    Attributes:
        spec: the model that was asked.
        request: hash of the request.
        repeat: how often the same request had been asked before.
        reply: what came back, retries and a final failure included.
    """

    spec: str
    request: str
    repeat: int
    reply: Reply


_TAKE = TypeAdapter(Take)


class Recording:
    """A file that replies are appended to, one line of JSON each, safe on disk before the reply is used."""

    def __init__(self, path: Path) -> None:
        """Opens or makes the file. What a crash left of a last line is cut off.

        Raises:
            ConfigError: the file cannot be opened.
        """
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: int | None = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError as error:
            raise ConfigError(f"cannot record to {path}: {error.strerror}") from error
        _cut_torn_line(self._file)

    async def append(self, take: Take) -> None:
        """Adds one line, secrets taken out.

        Raises:
            StoreError: the disk is full or the file is closed.
        """
        said = take.reply
        clean = replace(
            said, text=redact(said.text), error=None if said.error is None else redact(said.error)
        )
        line = _TAKE.dump_json(replace(take, reply=clean)) + b"\n"
        await asyncio.to_thread(self._write, line)

    def close(self) -> None:
        """Closes the file. May be called twice."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _write(self, line: bytes) -> None:
        if self._file is None:
            raise StoreError(f"the recording {self._path} is closed")
        try:
            # One write to a file opened for appending: lines of concurrent calls never mix.
            if os.write(self._file, line) != len(line):
                raise StoreError(f"the recording {self._path} was cut short: the disk is full")
            os.fsync(self._file)
        except OSError as error:
            raise StoreError(f"cannot append to the recording {self._path}: {error.strerror}") from error


class Cassette:
    """A recording, read. The last take of a request counts: a run that was resumed went on with that one."""

    def __init__(self, path: Path) -> None:
        """Reads the file; a torn last line is left out.

        Raises:
            ConfigError: the file is missing or a line cannot be understood.
        """
        self.path = path
        self._takes: dict[tuple[str, str, int], Reply] = {}
        try:
            data = path.read_bytes()
        except OSError as error:
            raise ConfigError(f"cannot read the recording {path}: {error.strerror}") from error
        whole, _, _torn = data.rpartition(b"\n")
        for number, line in enumerate(filter(None, whole.split(b"\n")), 1):
            try:
                take = _TAKE.validate_json(line)
            except ValidationError as error:
                raise ConfigError(f"{path}, line {number}, is not a recorded reply: {error}") from error
            self._takes[take.spec, take.request, take.repeat] = take.reply

    @property
    def specs(self) -> tuple[str, ...]:
        """The models that were recorded, by first appearance."""
        return tuple(dict.fromkeys(spec for spec, _, _ in self._takes))

    def find(self, spec: str, request: Request, repeat: int) -> Reply:
        """Returns what a model replied.

        Raises:
            CassetteMissError: it was never asked this; the message says which request.
        """
        reply = self._takes.get((spec, request.hash, repeat))
        if reply is None:
            text = request.messages[-1].text if request.messages else ""
            raise CassetteMissError(
                f"{self.path} has no reply of {spec} to request {request.hash} (repeat {repeat}), "
                f"which ends {text[-_SHOWN:]!r}; it holds {len(self._takes)} replies"
            )
        return reply


class Recorder(LLM):
    """Passes on to another model and records its replies; exceptions pass through unrecorded."""

    def __init__(self, inner: LLM, recording: Recording) -> None:
        """Takes the model to ask and the file to write; both are closed with this."""
        self.spec = inner.spec
        self._inner, self._recording = inner, recording

    async def complete(self, request: Request, *, repeat: int = 0) -> Reply:
        """See `LLM`."""
        reply = await self._inner.complete(request, repeat=repeat)
        await self._recording.append(Take(self.spec, request.hash, repeat, reply))
        return reply

    async def close(self) -> None:
        """Closes the model and the file."""
        await self._inner.close()
        self._recording.close()


class Replay(LLM):
    """Speaks from a recording. Never asks anybody."""

    def __init__(
        self, spec: str, cassette: Cassette, *, model: str | None, price: Price | None = FREE
    ) -> None:
        """Chooses whose replies to speak.

        Args:
            spec: by what name this model goes.
            cassette: the recording.
            model: the recorded model to stand in for, or None when there is only one.
            price: what a reply costs now.

        Raises:
            ConfigError: there are several recorded models, or not the one asked for.
        """
        known = cassette.specs
        if (model is None and len(known) != 1) or (model is not None and model not in known):
            raise ConfigError(
                f"{cassette.path} holds {', '.join(known) or 'nothing'}: say ?model=<one of these>"
            )
        self.spec = spec
        self._cassette = cassette
        self._model = model or known[0]
        self._price = price

    async def complete(self, request: Request, *, repeat: int = 0) -> Reply:
        """See `LLM`. Tokens are as recorded, the cost is what `price` says."""
        reply = self._cassette.find(self._model, request, repeat)
        return replace(reply, usage=priced(reply.usage, self._price))


class Reenactment(LLM):
    """Stands in for a recorded model under its own name, costs and waits included in its account."""

    def __init__(self, spec: str, cassette: Cassette) -> None:
        """Takes the model's spec and the recording."""
        self.spec = spec
        self._cassette = cassette

    async def complete(self, request: Request, *, repeat: int = 0) -> Reply:
        """See `LLM`. The reply is exactly what was recorded, so `usage.calls` counts the retries of then."""
        return self._cassette.find(self.spec, request, repeat)


def reenact(specs: Sequence[str], path: Path) -> dict[str, LLM]:
    """Returns a stand-in from one recording for each model of a run."""
    cassette = Cassette(path)
    return {spec: Reenactment(spec, cassette) for spec in specs}


def _cut_torn_line(file: int) -> None:
    """Shortens a file to its last complete line."""
    size = os.fstat(file).st_size
    end = size
    while end and os.pread(file, 1, end - 1) != b"\n":
        end -= 1
    if end != size:
        os.ftruncate(file, end)
