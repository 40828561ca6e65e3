from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.llm.providers.fitting import Effort, takes_temperature, thinking_budget

EFFORTS = get_args(Effort)


@given(
    effort=st.sampled_from(EFFORTS),
    max_tokens=st.integers(1, 200_000),
    least=st.integers(1, 2000),
    most=st.none() | st.integers(2000, 30_000),
)
def test_thinking_always_leaves_room_for_the_answer(
    effort: Effort, max_tokens: int, least: int, most: int | None
) -> None:
    budget = thinking_budget(effort, max_tokens, least=least, most=most)
    if budget is None:
        assert max_tokens < 2 * least
    else:
        assert least <= budget <= (most or max_tokens)
        assert max_tokens - budget >= max_tokens // 4


@given(max_tokens=st.integers(2048, 200_000))
def test_more_effort_is_never_less_thinking(max_tokens: int) -> None:
    budgets = [thinking_budget(effort, max_tokens, least=1024) or 0 for effort in EFFORTS]
    assert budgets == sorted(budgets)


@pytest.mark.parametrize(
    ("profile", "effort", "takes"),
    [
        ({}, None, True),
        ({}, "high", True),
        ({"anthropic_disallows_sampling_settings": True}, None, False),
        ({"bedrock_disallows_sampling_settings": True}, None, False),
        ({"openai_supports_reasoning": True}, "low", False),
        ({"openai_supports_reasoning": True, "thinking_enabled_by_default": True}, None, False),
        ({"openai_supports_reasoning": True, "openai_reasoning_efforts": frozenset({"none"})}, None, True),
        ({"openai_supports_reasoning": True, "openai_reasoning_efforts": frozenset({"low"})}, None, False),
        ({"openai_supports_reasoning": True, "openai_supports_reasoning_effort_none": True}, None, True),
        ({"openai_supports_reasoning": True}, None, False),
    ],
)
def test_a_temperature_goes_only_where_it_is_taken(
    profile: dict[str, object], effort: Effort | None, takes: bool
) -> None:
    assert takes_temperature(profile, effort=effort) == takes
