"""What a model takes of the settings that are asked of it. Pure, on the library's table of models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

Effort: TypeAlias = Literal["minimal", "low", "medium", "high"]
Profile: TypeAlias = Mapping[str, object]
"""What the library knows of a model: a typed dictionary there, with further keys a vendor."""

_SHARE: Mapping[Effort, float] = {"minimal": 0.0, "low": 0.25, "medium": 0.5, "high": 0.75}


def thinking_budget(effort: Effort, max_tokens: int, *, least: int, most: int | None = None) -> int | None:
    """Returns the tokens a model may think with, of the `max_tokens` it may write in all.

    For models that are given a number instead of an effort. Thinking counts as output and a vendor refuses a
    number that leaves none for the answer; the shares (nothing beyond the least, a quarter, half, three
    quarters) are ours.

    Args:
        effort: what was asked for.
        max_tokens: most tokens of the reply, thinking included.
        least: fewest thinking tokens that the model takes.
        most: most thinking tokens that it takes, or None for no bound of its own.

    Returns:
        The tokens, or None when not even the least would leave as much again for the answer.
    """
    if max_tokens < 2 * least:
        return None
    wanted = max(least, int(_SHARE[effort] * max_tokens))
    return wanted if most is None else min(wanted, most)


def takes_effort(profile: Profile) -> bool:
    """Says whether a model can be told how hard to think."""
    return bool(profile.get("supports_thinking", False))


def takes_temperature(profile: Profile, *, effort: Effort | None) -> bool:
    """Says whether a model takes a temperature together with this effort.

    Args:
        profile: what the library knows of the model.
        effort: what will be sent, None for nothing.
    """
    if profile.get("anthropic_disallows_sampling_settings") or profile.get(
        "bedrock_disallows_sampling_settings"
    ):
        return False
    if not profile.get("openai_supports_reasoning", False):
        return True
    if effort is not None or profile.get("thinking_enabled_by_default", False):
        return False
    efforts = profile.get("openai_reasoning_efforts")
    if efforts is None:
        return bool(profile.get("openai_supports_reasoning_effort_none", False))
    return isinstance(efforts, frozenset | set | tuple | list) and "none" in efforts
