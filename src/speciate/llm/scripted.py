"""Replies from a file, for tests, benchmarks and dry runs."""

from __future__ import annotations

import asyncio
import json
import tomllib
from collections import deque
from collections.abc import Sequence
from heapq import merge
from itertools import count, islice
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from speciate.errors import ConfigError, ModelRefusedError, ModelUnavailableError
from speciate.llm.base import LLM
from speciate.llm.catalog import FREE, Price, priced
from speciate.llm.tokens import about
from speciate.records import Reply, Request, Seconds, Usage, text_hash

Choose = Literal["order", "cycle", "hash"]


class ScriptedReply(BaseModel):
    """One line of a script.

    Attributes:
        reply: what the model says.
        delay: seconds before it says so.
        error: raise this kind of error instead, with `reply` as its message.
        retry_after: seconds an unavailable model asks us to wait.
        match: serves only prompts that contain this text; None serves every prompt.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    reply: str = ""
    delay: Seconds = Field(default=0.0, ge=0, allow_inf_nan=False)
    error: Literal["unavailable", "refused"] | None = None
    retry_after: Seconds | None = Field(default=None, ge=0)
    match: str | None = None


class Script(BaseModel):
    """A whole script, the shape of its TOML file.

    Attributes:
        replies: the lines.
        choose: ``"order"`` uses each line once, in order, and refuses when none is left; ``"cycle"`` starts
            over; ``"hash"`` picks by the request's hash and repeat, so that the same question gets the same
            answer whatever was asked before it, also after a restart.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    replies: tuple[ScriptedReply, ...] = Field(min_length=1)
    choose: Choose = "order"


class ScriptedLLM(LLM):
    """Says what a script says. Tokens are made up from text lengths; nobody is paid."""

    def __init__(
        self,
        replies: Sequence[ScriptedReply | str],
        *,
        choose: Choose = "order",
        spec: str = "scripted:memory",
        price: Price | None = FREE,
    ) -> None:
        """Takes the lines; a plain string is a line that is said at once."""
        self.spec = spec
        lines = [ScriptedReply(reply=line) if isinstance(line, str) else line for line in replies]
        self._choose = choose
        # Lines with one `match` wait in one queue under their numbers: a script of any length is looked
        # through by its different matches alone.
        self._queues: dict[str | None, deque[tuple[int, ScriptedReply]]] = {}
        for numbered in enumerate(lines):
            self._queues.setdefault(numbered[1].match, deque()).append(numbered)
        self._numbers = count(len(lines))
        self._price = price

    @classmethod
    def load(
        cls, path: Path, *, spec: str, choose: Choose | None = None, price: Price | None = FREE
    ) -> ScriptedLLM:
        """Reads a script; `choose`, when given, goes before what the file says.

        Raises:
            ConfigError: the file is missing or not a script.
        """
        script = read_script(path)
        return cls(script.replies, choose=choose or script.choose, spec=spec, price=price)

    async def complete(self, request: Request, *, repeat: int = 0) -> Reply:
        """See `LLM`; an ``"order"`` script without a fitting line left raises ModelRefusedError."""
        prompt = "\n".join(message.text for message in request.messages)
        line = self._take(prompt, request, repeat)
        await asyncio.sleep(line.delay)
        if line.error == "unavailable":
            raise ModelUnavailableError(line.reply or "scripted: unavailable", retry_after=line.retry_after)
        if line.error == "refused":
            raise ModelRefusedError(line.reply or "scripted: refused")
        usage = priced(Usage(1, about(prompt), about(line.reply)), self._price)
        return Reply(line.reply, self.spec, usage, sent={"max_tokens": request.sampling.max_tokens})

    def _take(self, prompt: str, request: Request, repeat: int) -> ScriptedReply:
        fitting = [
            queue for match, queue in self._queues.items() if queue and (match is None or match in prompt)
        ]
        if not fitting:
            raise ModelRefusedError(f"{self.spec}: the script has no reply left for this prompt")
        if self._choose == "hash":
            drawn = int(text_hash(f"{request.hash}|{repeat}"), 16) % sum(map(len, fitting))
            return next(islice(merge(*fitting, key=_number), drawn, None))[1]
        queue = min(fitting, key=lambda queue: queue[0][0])
        line = queue.popleft()[1]
        if self._choose == "cycle":
            queue.append((next(self._numbers), line))
        return line


def _number(numbered: tuple[int, ScriptedReply]) -> int:
    return numbered[0]


def read_script(path: Path) -> Script:
    """Returns the script in a TOML file (``[[replies]]``) or in a JSONL file (one line a reply).

    Raises:
        ConfigError: the file is missing or not a script.
    """
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".toml":
            return Script.model_validate(tomllib.loads(text))
        return Script.model_validate(
            {"replies": [json.loads(line) for line in text.splitlines() if line.strip()]}
        )
    except OSError as error:
        raise ConfigError(f"cannot read the script {path}: {error.strerror}") from error
    except (ValidationError, ValueError) as error:
        raise ConfigError(f"{path} is not a script of replies: {error}") from error
