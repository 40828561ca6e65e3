"""A process that asks models and tells its peak of memory; the other half of `bench.llm_memory`.

Apart, so that nothing is loaded here that a run does not load.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from speciate.llm import LLMConfig, LLMPool, RetryConfig
from speciate.records import Message, Request, Sampling

IN_FLIGHT = 64
PROMPT = "def value(x):\n    return x * 0.5 + 1  # a line of a program\n" * 500  # 30 KB, as with inspirations


async def ask(specs: Sequence[str], calls: int) -> int:
    """Asks, and returns how many calls have failed."""
    pool = LLMPool(specs, LLMConfig(in_flight=IN_FLIGHT, retry=RetryConfig(attempts=1)))
    request = Request((Message("user", (PROMPT,)),), Sampling(max_tokens=8192))
    if calls == 1:
        replies = [await pool.complete(spec, request) for spec in specs]
    else:
        wanted = [specs[number % len(specs)] for number in range(calls)]
        replies = await asyncio.gather(*(pool.complete(spec, request) for spec in wanted))
    await pool.close()
    return sum(reply.error is not None for reply in replies)


def peak_mb() -> float:
    """Returns the most MB that this process ever had resident."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


if __name__ == "__main__":
    failed = asyncio.run(ask(sys.argv[2:], int(sys.argv[1])))
    print(json.dumps({"peak_mb": peak_mb(), "failed": failed}))
