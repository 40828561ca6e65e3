"""Asks a person before each evaluation."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from speciate.cli.differences import difference
from speciate.cli.words import visible
from speciate.records import Choice, Proposal
from speciate.store import RunHistory, open_reader


class Approval:
    """Shows a program as a diff to its parent and waits for a yes or no on stdin. One question at a time.

    Args:
        folder: the run's folder; parents are read from its history.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._history: RunHistory | None = None
        self._asking = asyncio.Lock()

    async def __call__(self, choice: Choice, proposal: Proposal) -> bool:
        """Returns whether the program may be evaluated."""
        async with self._asking:
            parent = self._read().program(choice.parents[0])
            header = f"candidate {choice.ordinal} by {choice.proposer} ({choice.operator})"
            print(visible(f"\n{header}: {proposal.summary}".rstrip(": ")), file=sys.stderr)
            print(visible(difference(parent, proposal.program)), file=sys.stderr)
            return await self._yes()

    def _read(self) -> RunHistory:
        if self._history is None:
            self._history = RunHistory(open_reader(self._folder))
        self._history.refresh()
        return self._history

    async def _yes(self) -> bool:
        while True:
            print("Evaluate it? [y/n] ", end="", file=sys.stderr, flush=True)
            line = await _line()
            answer = line.strip().lower()
            if not line or answer in ("n", "no"):
                return False
            if answer in ("y", "yes"):
                return True


async def _line() -> str:
    """Returns a line from stdin, empty at its end; Ctrl-C is served meanwhile, as `input` would not."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()

    def arrived() -> None:
        if not ready.done():
            ready.set_result(None)

    loop.add_reader(sys.stdin, arrived)
    try:
        await ready
    finally:
        loop.remove_reader(sys.stdin)
    return sys.stdin.readline()
