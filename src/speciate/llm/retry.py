"""Asking again, within bounds that the reply shows."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from tenacity import AsyncRetrying, RetryCallState, RetryError, retry_if_exception_type, stop_after_attempt

from speciate.errors import ModelRefusedError, ModelUnavailableError
from speciate.llm.base import LLM
from speciate.llm.config import RetryConfig
from speciate.records import Reply, Request, Seconds, Usage, text_hash

_FRACTION = 2**160


@dataclass(frozen=True, slots=True)
class Wait:
    """How long to wait between two tries of one request.

    Doubles from try to try, shortened by up to half so that many calls that failed together do not come
    back together. The shortening is a hash of the request, so a run stays reproducible.
    """

    config: RetryConfig
    salt: str

    def __call__(self, state: RetryCallState) -> Seconds:
        """Returns the seconds to wait after a failed try."""
        tries = state.attempt_number
        spread = int(text_hash(f"{self.salt}|{tries}"), 16) / _FRACTION
        own = min(self.config.max_wait, self.config.first_wait * 2.0 ** min(tries - 1, 60)) * (1 - spread / 2)
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after if isinstance(error, ModelUnavailableError) else None
        return own if asked is None else max(own, min(asked, self.config.max_retry_after))


async def ask_patiently(
    llm: LLM,
    request: Request,
    *,
    repeat: int,
    config: RetryConfig,
    tries: int,
    slots: asyncio.Semaphore,
    lost: Callable[[], Usage],
) -> Reply:
    """Asks until there is a reply, the model refuses, or `tries` are used up.

    Args:
        llm: the model.
        request: the question.
        repeat: see `LLM.complete`.
        config: how long to wait between tries.
        tries: most tries, the first included.
        slots: bounds the calls in flight; not held while waiting.
        lost: gives what a failed try is charged with when it may have been billed all the same.

    Returns:
        The reply; `error` is set when there is none. `usage` includes the failed tries.

    Raises:
        CassetteMissError: a recording has no such request.
    """
    began = time.monotonic()
    failed: list[Usage] = []

    async def once() -> Reply:
        async with slots:
            try:
                return await llm.complete(request, repeat=repeat)
            except ModelUnavailableError as error:
                failed.append(lost() if error.may_bill else Usage(calls=1))
                raise

    try:
        reply = await _again_if_unavailable(once, lambda: Wait(config, f"{request.hash}|{repeat}"), tries)
    except RetryError as error:
        reply = _without_answer(llm.spec, f"{error.last_attempt.exception()} ({tries} tries)")
        failed, reply = failed[:-1], replace(reply, usage=failed[-1])
    except ModelRefusedError as error:
        reply = replace(_without_answer(llm.spec, str(error)), usage=Usage(calls=1))
    return replace(
        reply,
        usage=sum(failed, reply.usage),
        retries=reply.retries + len(failed),
        # A simulated wait may be longer than the real one.
        seconds=max(reply.seconds, time.monotonic() - began),
    )


async def _again_if_unavailable(
    once: Callable[[], Awaitable[Reply]], wait: Callable[[], Wait], tries: int
) -> Reply:
    """Tries once, and then as tenacity says; entering it costs more than a reply that is there already."""
    try:
        return await once()
    except ModelUnavailableError as error:
        failed = [error]

    async def attempt() -> Reply:
        if failed:
            raise failed.pop()  # the first try, for tenacity to count and to wait for
        return await once()

    retrying = AsyncRetrying(
        stop=stop_after_attempt(tries),
        wait=wait(),
        retry=retry_if_exception_type(ModelUnavailableError),
        sleep=asyncio.sleep,
    )
    reply: Reply = await retrying(attempt)
    return reply


def _without_answer(spec: str, message: str) -> Reply:
    return Reply("", spec, finish="error", error=message)
