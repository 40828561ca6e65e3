"""What advice is worth: shares of candidates that improved with it and without it, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass

from speciate.statistics import wilson


@dataclass(frozen=True, slots=True)
class Trials:
    """Candidates that ended, and how many of them improved on the better of parent and initial program."""

    ended: int = 0
    improved: int = 0

    def add(self, improved: bool) -> Trials:
        """Returns the trials with one more."""
        return Trials(self.ended + 1, self.improved + improved)

    @property
    def share(self) -> float | None:
        """Share that improved, or None of none."""
        return self.improved / self.ended if self.ended else None


@dataclass(frozen=True, slots=True)
class Lift:
    """The difference that advice makes to the share of candidates that improve.

    Attributes:
        difference: share with advice less share without.
        low: lower end of its 95 % interval.
        high: upper end.
        chance: probability that it is above 0.
    """

    difference: float
    low: float
    high: float
    chance: float


def lift(advised: Trials, control: Trials) -> Lift | None:
    """Returns the lift, or None as long as one of the two has no trials.

    The interval is Newcombe's hybrid score interval (Newcombe 1998, method 10,
    https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I), which is sound for few
    trials and for shares of 0 and 1. The chance is `chance_above`.
    """
    one, other = advised.share, control.share
    if one is None or other is None:
        return None
    low, high = wilson(advised.improved, advised.ended)
    other_low, other_high = wilson(control.improved, control.ended)
    difference = one - other
    return Lift(
        difference,
        difference - math.hypot(one - low, other_high - other),
        difference + math.hypot(high - one, other - other_low),
        chance_above(advised, control),
    )


def chance_above(one: Trials, other: Trials) -> float:
    """Returns the probability that the true share of `one` lies above that of `other`.

    Both are Beta(1 + improved, 1 + others) distributed, from a uniform prior. With whole-numbered parameters
    ``P(X > Y) = Σ_{i < a_X} B(a_Y + i, b_X + b_Y) / ((b_X + i) B(1 + i, b_X) B(a_Y, b_Y))``: the sum has one
    term for each improved candidate.
    """
    a_one, b_one = 1 + one.improved, 1 + one.ended - one.improved
    a_other, b_other = 1 + other.improved, 1 + other.ended - other.improved
    logs = (
        _log_beta(a_other + i, b_one + b_other)
        - math.log(b_one + i)
        - _log_beta(1 + i, b_one)
        - _log_beta(a_other, b_other)
        for i in range(a_one)
    )
    return min(1.0, sum(map(math.exp, logs)))


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
