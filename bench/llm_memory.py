"""How much memory one process needs that has every vendor's library loaded and 64 calls in flight.

    python -m bench llm_memory [--quick]

The vendors are servers of this process; another process asks them, 64 calls over all interfaces at once, and
tells the most memory that it ever had resident. No call is answered before all are there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack

from bench.llm_calls import IN_FLIGHT
from bench.report import Report, Row

from speciate.testing.fake_server import Behaviour, FakeServer
from speciate.testing.vendors import KEY, VENDED

GOAL_MB = 200.0
REPLY = "x = 0.123456789\n" * 500  # 8 KB


def run(*, quick: bool = False) -> Report:
    """Measures the idle process, 64 calls, and one endless reply at every interface in turn."""
    specs = [vended.spec for vended in VENDED]
    rows = [
        _row("libraries not yet loaded", measured(specs, calls=0)),
        _row("one call at each interface", measured(specs, calls=1), f"{len(specs)} interfaces"),
        _row("64 calls in flight", measured(specs, calls=IN_FLIGHT), "30 KB prompts, 8 KB replies", GOAL_MB),
    ]
    if not quick:
        endless = measured(specs, calls=1, behaviour=Behaviour("huge"))
        note = "every interface; read up to llm.max_reply_bytes (8 MiB)"
        rows.append(_row("a reply of 200 MB", endless, note))
    found = {row.name: [row.value] for row in rows}
    return Report("llm_memory", "most resident memory of the asking process", rows, found)


def measured(specs: Sequence[str], *, calls: int, behaviour: Behaviour | None = None) -> float:
    """Returns the most MB that a process had resident.

    Args:
        specs: the models; all are opened.
        calls: 0 asks nobody, 1 asks each model once in turn, more are spread over the models at once.
        behaviour: what the vendors do; None answers with `REPLY`.
    """
    with ExitStack() as stack:
        servers: list[FakeServer] = []
        # Two interfaces of one vendor share a server.
        environment = {**os.environ, "no_proxy": "127.0.0.1"}
        for vended in VENDED:
            if vended.address in environment:
                continue
            server = stack.enter_context(vended.fake(otherwise=behaviour or Behaviour(text=REPLY)))
            servers.append(server)
            environment |= {vended.key: KEY, vended.address: server.url, **vended.more}
        if calls > 1:
            servers[0].hold(calls, *servers[1:])
        command = [sys.executable, "-m", "bench.llm_calls", str(calls), *specs]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        told: dict[str, float] = json.loads(done.stdout)
        if behaviour is None and told["failed"]:
            raise RuntimeError(f"{told['failed']:g} calls have failed")
        return told["peak_mb"]


def _row(what: str, mb: float, note: str = "", goal: float | None = None) -> Row:
    if goal is None:
        return Row(what, mb, "MB", note=note)
    return Row(what, mb, "MB", f"<= {goal:g}", mb <= goal, note)
