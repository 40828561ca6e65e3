"""A folder in which a person or an outside agent answers.

Each question is two files in ``asked/``: ``<id>.prompt.md`` and ``<id>.json``. The answer is a file
``<id>.reply.md`` in ``answered/``, best written elsewhere and renamed into place. Once it has been read, the
question goes there too, so that ``asked/`` holds what is open. The id is made from the request, so a question
is asked once whatever restarts on either side, and an answer given meanwhile is found.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from speciate.errors import ConfigError, ModelRefusedError, ModelUnavailableError
from speciate.llm.base import LLM
from speciate.llm.catalog import Price, priced
from speciate.llm.config import LLMConfig
from speciate.llm.prompt import plain_prompt
from speciate.llm.secrets import redact
from speciate.llm.tokens import at_most
from speciate.records import Json, Reply, Request, Usage

_README = """# How to answer

Each question is a file `asked/<id>.prompt.md`; the oldest has waited longest (`ls -tr asked`).
`asked/<id>.json` says how long an answer may be, and the name that it must have: `answered/<id>.reply.md`.
Write the answer under another name and rename it, so that nobody reads half of it. Whatever the file holds
is the answer, from the first character to the last. When it has been read, the question moves to `answered/`.
"""


class SpoolLLM(LLM):
    """Writes questions into a folder and waits for answers. Tokens are estimated from above."""

    def __init__(self, spec: str, folder: Path, price: Price | None, config: LLMConfig) -> None:
        """Makes the folder when it is not there.

        Raises:
            ConfigError: the folder cannot be made.
        """
        self.spec = spec
        self._asked = folder / "asked"
        self._answered = folder / "answered"
        self._price = price
        self._config = config
        try:
            self._asked.mkdir(parents=True, exist_ok=True)
            self._answered.mkdir(exist_ok=True)
            if not (folder / "README.md").exists():
                _place(folder / "README.md", _README)
        except OSError as error:
            raise ConfigError(f"{spec!r}: cannot make the folder: {error.strerror}") from error

    async def complete(self, request: Request, *, repeat: int = 0) -> Reply:
        """See `LLM`. Waits `spool_timeout` seconds, or for ever when that is None."""
        began = time.monotonic()
        name = question_id(request, repeat)
        prompt = redact(plain_prompt(request))
        await asyncio.to_thread(self._put, name, prompt, self._facts(name, request, repeat))
        try:
            async with asyncio.timeout(self._config.spool_timeout):
                text = await self._wait(self._answered / f"{name}.reply.md")
        except TimeoutError:
            raise ModelUnavailableError(f"{self.spec}: nobody has answered {name} yet") from None
        await asyncio.to_thread(self._close, name)
        usage = priced(Usage(1, at_most(prompt), at_most(text)), self._price)
        sent = {"max_tokens": request.sampling.max_tokens}
        error = None if text.strip() else "the answer is empty"
        return Reply(text, self.spec, usage, sent=sent, seconds=time.monotonic() - began, error=error)

    def _facts(self, name: str, request: Request, repeat: int) -> Mapping[str, Json]:
        schema = request.sampling.json_schema
        sampling = {**asdict(request.sampling), "json_schema": None if schema is None else dict(schema)}
        return {
            "id": name,
            "model": self.spec,
            "request": request.hash,
            "repeat": repeat,
            "sampling": sampling,
            "answer": f"answered/{name}.reply.md",
        }

    def _put(self, name: str, prompt: str, facts: Mapping[str, Json]) -> None:
        """Writes a question unless it is there; the JSON file last, so who sees it finds the prompt."""
        if any((folder / f"{name}.json").exists() for folder in (self._asked, self._answered)):
            return
        _place(self._asked / f"{name}.prompt.md", prompt)
        _place(self._asked / f"{name}.json", json.dumps(facts, indent=1) + "\n")

    def _close(self, name: str) -> None:
        """Moves a question to its answer; the JSON file last, as it was written last."""
        for kind in ("prompt.md", "json"):
            with suppress(FileNotFoundError):  # moved before, or by somebody who tidied up
                (self._asked / f"{name}.{kind}").replace(self._answered / f"{name}.{kind}")

    async def _wait(self, path: Path) -> str:
        seen: tuple[int, int] | None = None
        while True:
            now = _look(path)
            if now is not None and now == seen:  # unchanged since the last look, so whoever wrote it is done
                return self._read(path, now[0])
            seen = now
            await asyncio.sleep(self._config.spool_poll)

    def _read(self, path: Path, size: int) -> str:
        if size > self._config.max_reply_bytes:
            raise ModelRefusedError(f"{path} has {size} bytes, more than {self._config.max_reply_bytes}")
        try:
            return path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise ModelRefusedError(f"{path} is not UTF-8 text") from error
        except OSError as error:
            raise ModelRefusedError(f"cannot read {path}: {error.strerror}") from error


def question_id(request: Request, repeat: int) -> str:
    """Returns the name under which a request is asked: its hash and which repeat it is."""
    return f"{request.hash}-{repeat}"


def _look(path: Path) -> tuple[int, int] | None:
    """Returns size in bytes and time of change in nanoseconds, or None when there is no such file."""
    try:
        facts = path.stat()
    except FileNotFoundError:
        return None
    return facts.st_size, facts.st_mtime_ns


def _place(path: Path, text: str) -> None:
    """Writes a file so that it is there completely or not at all, also after a crash."""
    partial = path.with_name(f".{path.name}.partial")
    with partial.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
