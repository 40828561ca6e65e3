"""From gains in score to rewards that bandits can add up."""

from __future__ import annotations

import math
from collections import deque
from typing import Literal

import numpy as np

RewardScale = Literal["none", "mad"]
"""``none`` takes gains as they are, as the paper does; ``mad`` by their median absolute deviation."""

REMEMBERED = 256
"""Gains that the scale rests on: enough for a median, and the same cost at every length of a run."""

LARGEST = 1e300
"""Gains beyond this are all the same: differences of scores may overflow."""


class Rewards:
    """Turns gains into logarithms of rewards, ``r = exp(max(gain, 0)) − 1`` (Lange 2025).

    https://arxiv.org/abs/2509.19349. Scores of contests lie in the thousands, where the exponential is beyond
    every float, so nothing but its logarithm is ever computed. Rewards are normalised by the largest one so
    far: `relative` gives them from 0 to 1, as UCB1 needs them.

    With scale ``mad`` a gain counts in units of the median absolute deviation of the last 256 gains, itself
    among them, losses included. Where that is 0 (more than half of them are equal), the mean absolute
    deviation from the median takes its place; where that is 0 too, gains are taken as they are.
    """

    def __init__(self, scale: RewardScale = "none") -> None:
        self._scale = scale
        self._gains: deque[float] = deque(maxlen=REMEMBERED)
        self._peak = -math.inf

    def log_reward(self, gain: float | None) -> float:
        """Takes note of a gain and returns the logarithm of its reward; −inf for none and for failures."""
        if gain is None or math.isnan(gain):
            return -math.inf
        gain = max(-LARGEST, min(LARGEST, gain))
        self._gains.append(gain)
        if gain <= 0:
            return -math.inf
        scaled = min(LARGEST, gain / self._unit())
        reward = scaled + math.log(-math.expm1(-scaled)) if scaled > 0 else -math.inf
        self._peak = max(self._peak, reward)
        return reward

    def relative(self, log_reward: float) -> float:
        """Returns a reward, or a sum of some, in units of the largest one so far; 0 before the first."""
        return 0.0 if log_reward == -math.inf else math.exp(log_reward - self._peak)

    def _unit(self) -> float:
        if self._scale == "none":
            return 1.0
        gains = np.array(self._gains)
        off = np.abs(gains - np.median(gains))
        return float(np.median(off)) or float(off.mean()) or 1.0


def log_add(one: float, other: float) -> float:
    """Returns ``log(exp(one) + exp(other))`` without leaving the logarithms."""
    high, low = max(one, other), min(one, other)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))
