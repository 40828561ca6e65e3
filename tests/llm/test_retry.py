from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tenacity import AsyncRetrying, Future, RetryCallState

from speciate.errors import ModelUnavailableError
from speciate.llm import RetryConfig
from speciate.llm.retry import Wait


def waited(wait: Wait, tries: int, retry_after: float | None = None) -> float:
    state = RetryCallState(AsyncRetrying(), None, (), {})
    state.attempt_number = tries
    state.outcome = Future(tries)
    state.outcome.set_exception(ModelUnavailableError("busy", retry_after=retry_after))
    return wait(state)


@given(tries=st.integers(1, 10_000), salt=st.text(max_size=5))
def test_waits_double_within_bounds(tries: int, salt: str) -> None:
    full = min(30.0, 2.0 ** min(tries - 1, 60))
    assert full / 2 <= waited(Wait(RetryConfig(), salt), tries) <= full


def test_requests_that_fail_together_come_back_apart_and_the_same_in_every_run() -> None:
    waits = [waited(Wait(RetryConfig(), str(i)), 1) for i in range(64)]
    assert len(set(waits)) == 64
    assert waits == [waited(Wait(RetryConfig(), str(i)), 1) for i in range(64)]


def test_a_time_the_provider_names_is_kept_within_bounds() -> None:
    wait = Wait(RetryConfig(max_retry_after=60), "")
    assert waited(wait, 1, retry_after=45) == 45
    assert waited(wait, 1, retry_after=1e9) == 60
    assert waited(wait, 5, retry_after=0) > 1
