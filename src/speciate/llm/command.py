"""Any program that reads a prompt and writes an answer, such as an agent's command line."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import signal
import time
from contextlib import suppress

from typing_extensions import override

from speciate.errors import ConfigError, ModelRefusedError, ModelUnavailableError
from speciate.llm.base import LLM
from speciate.llm.catalog import Price, priced
from speciate.llm.config import LLMConfig
from speciate.llm.last_will import LastWill
from speciate.llm.prompt import optional_settings, plain_prompt
from speciate.llm.secrets import redact
from speciate.llm.tokens import at_most
from speciate.records import Reply, Request, Usage

_STDERR_TAIL = 2000
_BLOCK = 2**16
_REAP_SECONDS = 5.0


class CommandLLM(LLM):
    """Runs a program once a call: the prompt on its standard input, the answer on its standard output.

    No shell is involved. The program runs in a process group of its own, which dies with the call, and with
    this process too, however that ends (`LastWill`). It gets the user's environment, since agents need their
    own keys. Its tokens are estimated from above.
    """

    def __init__(self, spec: str, command: str, price: Price | None, config: LLMConfig) -> None:
        """Takes a command line, split as a shell would split it.

        Raises:
            ConfigError: the line cannot be split or the program cannot be found.
        """
        try:
            self._arguments = shlex.split(command)
        except ValueError as error:
            raise ConfigError(f"{spec!r} cannot be split into words: {error}") from error
        if not self._arguments or shutil.which(self._arguments[0]) is None:
            raise ConfigError(f"{spec!r}: there is no program {command.split()[0]!r} to run")
        self.spec = spec
        self._price = price
        self._config = config
        self._will: LastWill | None = None

    async def complete(self, request: Request, *, repeat: int = 0) -> Reply:
        """See `LLM`. Time-outs, failures of the program and endless output are `ModelUnavailableError`."""
        began = time.monotonic()
        prompt = plain_prompt(request)
        self._will = will = self._will or LastWill()
        try:
            process = await asyncio.create_subprocess_exec(
                *self._arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise ModelRefusedError(f"{self.spec}: cannot be run: {error.strerror}") from error
        will.add(process.pid)
        try:
            text = await self._talk(process, prompt)
        finally:
            await _end(process, will)
        usage = priced(Usage(1, at_most(prompt), at_most(text)), self._price)
        error_ = None if text.strip() else "the program wrote nothing"
        seconds = time.monotonic() - began
        return Reply(
            text, self.spec, usage, dropped=optional_settings(request), seconds=seconds, error=error_
        )

    @override
    async def close(self) -> None:
        if self._will is not None:
            self._will.close()
            self._will = None

    async def _talk(self, process: asyncio.subprocess.Process, prompt: str) -> str:
        # The three streams exist because all three were asked for as pipes.
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            async with asyncio.timeout(self._config.timeout), asyncio.TaskGroup() as tasks:
                tasks.create_task(_write(process.stdin, prompt))
                complaints = tasks.create_task(_tail(process.stderr))
                text = await _read(process.stdout, self._config.max_reply_bytes)
                if text is None:
                    _kill(process)
                    await _discard(process.stdout)  # asyncio's wait is for the streams' ends too
                code = await process.wait()
        except TimeoutError:
            message = f"{self.spec}: no answer within {self._config.timeout:g} s"
            raise ModelUnavailableError(message, may_bill=True) from None
        if text is None:
            message = f"{self.spec}: the reply is longer than {self._config.max_reply_bytes} bytes"
            raise ModelUnavailableError(message, may_bill=True)
        if code != 0:
            said = redact(complaints.result().decode("utf-8", "replace").strip())
            raise ModelUnavailableError(f"{self.spec}: ended with exit code {code}: {said}", may_bill=True)
        return text.decode("utf-8", "replace")


async def _write(stream: asyncio.StreamWriter, prompt: str) -> None:
    # It may answer without reading to the end; that is its own affair.
    with suppress(BrokenPipeError, ConnectionResetError):
        stream.write(prompt.encode("utf-8", "surrogatepass"))
        await stream.drain()
        stream.close()
        await stream.wait_closed()


async def _read(stream: asyncio.StreamReader, limit: int) -> bytes | None:
    """Returns all that comes, or None as soon as it is longer than `limit` bytes."""
    data = bytearray()
    while block := await stream.read(_BLOCK):
        data += block
        if len(data) > limit:
            return None
    return bytes(data)


async def _tail(stream: asyncio.StreamReader) -> bytes:
    data = b""
    while block := await stream.read(_BLOCK):
        data = (data + block)[-_STDERR_TAIL:]
    return data


def _kill(process: asyncio.subprocess.Process) -> None:
    """Kills the program and all that it started, unless they left its process group."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


async def _end(process: asyncio.subprocess.Process, will: LastWill) -> None:
    """Kills whatever is left of the program's process group, collects the program and closes its streams."""
    _kill(process)
    will.remove(process.pid)
    # What escaped the group may keep the streams open, and asyncio waits for their ends: not for ever.
    with suppress(TimeoutError):
        async with asyncio.timeout(_REAP_SECONDS):
            await _discard(process.stdout)
            await _discard(process.stderr)
            await process.wait()


async def _discard(stream: asyncio.StreamReader | None) -> None:
    while stream is not None and await stream.read(_BLOCK):
        pass
