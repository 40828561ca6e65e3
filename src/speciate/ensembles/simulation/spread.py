"""Distributions of seconds, and chance that depends on nothing but names."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from hashlib import blake2b
from statistics import NormalDist
from typing import Final, Literal

from speciate.errors import ConfigError
from speciate.records import Seconds

_FARTHEST: Final = 0.999
"""Quantile at which a lognormal distribution is cut off, so that there is a longest time."""
_WORDS: Final = struct.Struct("<8Q")


def chances(name: str) -> tuple[float, ...]:
    """Returns eight numbers from 0 to 1 (without 1) that hang on the name alone.

    Counter-based like `speciate.seeds.stream`: whoever asks, in whatever order and how often, hears the same.
    A numpy generator would cost ten times as much, and one is asked for each announcement and receiver.
    """
    return tuple(
        (word >> 11) * 2.0**-53 for word in _WORDS.unpack(blake2b(name.encode(), digest_size=64).digest())
    )


@dataclass(frozen=True, slots=True)
class Spread:
    """A distribution of seconds.

    Attributes:
        kind: ``constant``; ``uniform`` from `first` to `second`; ``lognormal`` with median `first` and the
            standard deviation `second` of its logarithm, cut off at its quantile 0.999.
        first: see there.
        second: see there.
    """

    kind: Literal["constant", "uniform", "lognormal"] = "constant"
    first: Seconds = 0.0
    second: float = 0.0

    def __post_init__(self) -> None:
        """Raises ConfigError for numbers that make no distribution of seconds."""
        good = math.isfinite(self.first) and math.isfinite(self.second) and min(self.first, self.second) >= 0
        if not good or (self.kind == "uniform" and self.second < self.first):
            raise ConfigError(f"{self.kind} {self.first:g} {self.second:g} is no distribution of seconds")

    def at(self, chance: float) -> Seconds:
        """Returns the quantile of a chance from 0 to 1."""
        match self.kind:
            case "constant":
                return self.first
            case "uniform":
                return self.first + chance * (self.second - self.first)
            case "lognormal":
                quantile = min(max(chance, 1.0 - _FARTHEST), _FARTHEST)
                return self.first * math.exp(self.second * NormalDist().inv_cdf(quantile))

    @property
    def median(self) -> Seconds:
        """Half of all are shorter."""
        return self.at(0.5)

    @property
    def longest(self) -> Seconds:
        """None is longer."""
        return self.at(1.0)


def read_spread(text: str) -> Spread:
    """Reads ``2``, ``uniform:1:3`` or ``lognormal:2:0.8`` (median, and deviation of the logarithm).

    Raises:
        ConfigError: it is none of them.
    """
    kind, *numbers = text.split(":") if ":" in text else ("constant", text)
    try:
        values = [float(number) for number in numbers]
    except ValueError:
        values = []
    match kind, values:
        case "constant", [seconds]:
            return Spread("constant", seconds)
        case "uniform", [least, most]:
            return Spread("uniform", least, most)
        case "lognormal", [median, deviation]:
            return Spread("lognormal", median, deviation)
        case _:
            raise ConfigError(
                f"{text!r} is no time: expected seconds, uniform:LEAST:MOST or lognormal:MEDIAN:DEVIATION"
            )
