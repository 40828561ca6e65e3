"""Stopping repeated runs as soon as it is clear whether their mean beats a threshold.

Scores are taken for independent draws from a normal distribution of unknown mean and spread. With mean m and
standard error e of n scores, (m - threshold) / e is compared with Student's t of n - 1 degrees of freedom:
that is the frequentist interval, and under the usual uninformative prior also the posterior of the mean
(Gelman 2013, Bayesian Data Analysis, section 3.2).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Literal

_STEPS = 200
"""Intervals of Simpson's rule; the integrand is smooth, so the error stays below 1e-6."""


@dataclass
class EarlyStopDecision:
    """What a look at the scores so far says.

    Attributes:
        should_stop: whether further runs would change nothing.
        prediction: whether the mean beats the threshold.
        confidence: probability of the prediction, 0 while there is none.
        trials_used: number of scores it rests on.
        reason: in words, or None.
    """

    should_stop: bool
    prediction: Literal["beats", "fails", "uncertain"]
    confidence: float
    trials_used: int
    reason: str | None = None


class EarlyStopMethod:
    """Decides after each run whether there have been enough.

    Args:
        min_trials: scores that there must be before it may stop.
    """

    name = "custom"

    def __init__(self, min_trials: int = 3) -> None:
        self.min_trials = max(2, min_trials)

    def check(self, scores: Sequence[float], threshold: float) -> EarlyStopDecision:
        """Looks at the scores so far, higher is better, against the threshold to beat."""
        if len(scores) < self.min_trials:
            return EarlyStopDecision(False, "uncertain", 0.0, len(scores), "too few runs to say")
        return self._look(scores, threshold)

    def reset(self) -> None:
        """Forgets what it has seen. Nothing, unless a subclass remembers."""
        return

    def _look(self, scores: Sequence[float], threshold: float) -> EarlyStopDecision:
        """Looks at enough scores; a subclass has this, or its own `check`."""
        raise NotImplementedError(f"{type(self).__name__} says nowhere when to stop")


class NoEarlyStop(EarlyStopMethod):
    """Never stops."""

    name = "none"

    def _look(self, scores: Sequence[float], threshold: float) -> EarlyStopDecision:
        return EarlyStopDecision(False, "uncertain", 0.0, len(scores), "never stops early")


class BayesianEarlyStop(EarlyStopMethod):
    """Stops when the posterior probability that the mean beats the threshold is near 0 or 1.

    Args:
        prob_cutoff: how near.
        min_trials: as above.
    """

    name = "bayesian"

    def __init__(self, prob_cutoff: float = 0.05, min_trials: int = 3) -> None:
        super().__init__(min_trials)
        self.prob_cutoff = prob_cutoff

    def _look(self, scores: Sequence[float], threshold: float) -> EarlyStopDecision:
        beats = probability_above(scores, threshold)
        return _decision(beats, self.prob_cutoff, scores, f"P(mean > {threshold:g}) = {beats:.4f}")


class ConfidenceIntervalEarlyStop(EarlyStopMethod):
    """Stops when the two-sided confidence interval of the mean leaves the threshold outside.

    Args:
        confidence: level of the interval.
        min_trials: as above.
    """

    name = "ci"

    def __init__(self, confidence: float = 0.90, min_trials: int = 3) -> None:
        super().__init__(min_trials)
        self.confidence = confidence

    def _look(self, scores: Sequence[float], threshold: float) -> EarlyStopDecision:
        beats = probability_above(scores, threshold)
        reason = f"{threshold:g} against the {self.confidence:.0%} interval of the mean"
        return _decision(beats, (1 - self.confidence) / 2, scores, reason)


class HybridEarlyStop(EarlyStopMethod):
    """Stops when the interval says that the mean fails, or the posterior says either.

    Args:
        prob_cutoff: of the posterior.
        ci_confidence: of the interval.
        min_trials: as above.
    """

    name = "hybrid"

    def __init__(self, prob_cutoff: float = 0.05, ci_confidence: float = 0.90, min_trials: int = 3) -> None:
        super().__init__(min_trials)
        self._posterior = BayesianEarlyStop(prob_cutoff, min_trials)
        self._interval = ConfidenceIntervalEarlyStop(ci_confidence, min_trials)

    def _look(self, scores: Sequence[float], threshold: float) -> EarlyStopDecision:
        found = self._interval.check(scores, threshold)
        return found if found.prediction == "fails" else self._posterior.check(scores, threshold)


def create_early_stop_method(
    method: str = "none", prob_cutoff: float = 0.05, ci_confidence: float = 0.90, min_trials: int = 3
) -> EarlyStopMethod:
    """Returns a method by name: ``none``, ``bayesian``, ``ci`` or ``hybrid``.

    Raises:
        ValueError: there is none of that name.
    """
    match method.lower():
        case "none" | "no_early_stop":
            return NoEarlyStop()
        case "bayesian":
            return BayesianEarlyStop(prob_cutoff, min_trials)
        case "ci" | "confidence_interval":
            return ConfidenceIntervalEarlyStop(ci_confidence, min_trials)
        case "hybrid":
            return HybridEarlyStop(prob_cutoff, ci_confidence, min_trials)
    raise ValueError(f"early stopping knows none, bayesian, ci and hybrid, not {method!r}")


def probability_above(scores: Sequence[float], threshold: float) -> float:
    """Returns the probability that the mean behind two or more scores lies above a threshold."""
    distance = fmean(scores) - threshold
    error = stdev(scores) / math.sqrt(len(scores))
    if error == 0:
        return 0.5 if distance == 0 else float(distance > 0)
    return student_cdf(distance / error, len(scores) - 1)


def student_cdf(t: float, degrees: int) -> float:
    """Returns the distribution function of Student's t.

    With t = sqrt(degrees) tan(a) the density becomes a power of cos(a), which Simpson's rule integrates.
    """
    end = math.atan2(t, math.sqrt(degrees))
    width = end / _STEPS
    values = [math.cos(i * width) ** (degrees - 1) for i in range(_STEPS + 1)]
    integral = width / 3 * (values[0] + 4 * sum(values[1::2]) + 2 * sum(values[2:-1:2]) + values[-1])
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(math.pi)
    return min(1.0, max(0.0, 0.5 + scale * integral))


def _decision(beats: float, cutoff: float, scores: Sequence[float], reason: str) -> EarlyStopDecision:
    if beats < cutoff:
        return EarlyStopDecision(True, "fails", 1 - beats, len(scores), reason)
    if beats > 1 - cutoff:
        return EarlyStopDecision(True, "beats", beats, len(scores), reason)
    return EarlyStopDecision(False, "uncertain", beats, len(scores), reason)
