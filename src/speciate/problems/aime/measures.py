"""What the repeats of a set of problems come to."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

Z = 1.96
"""Half of a normal distribution's 95 % interval, in standard deviations."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Means over problems and repeats.

    Attributes:
        problems: number of problems.
        repeats: runs of each.
        accuracy: share of right answers.
        interval: half width of a 95 % interval of `accuracy` for problems like these: the means of the single
            problems are the sample, since runs of one problem are alike. Normal approximation; 0 for one.
        answered: share of answers with an integer in a box.
        calls: questions a problem.
        tokens: tokens read and written a problem.
        failed: share of questions that got no answer.
        always: problems solved in every run.
        never: problems solved in none.
        seconds: median seconds a problem, one call after the other, as the model declares or took.
        cost: dollars a problem, or None where a price is unknown.
    """

    problems: int
    repeats: int
    accuracy: float
    interval: float
    answered: float
    calls: float
    tokens: float
    failed: float
    always: int
    never: int
    seconds: float
    cost: float | None

    def metrics(self) -> dict[str, float]:
        """Returns what two runs with equal replies agree on, by name."""
        found = {
            "accuracy": self.accuracy,
            "accuracy_interval": self.interval,
            "answered": self.answered,
            "calls": self.calls,
            "tokens": self.tokens,
            "failed_calls": self.failed,
        }
        return found if self.cost is None else found | {"cost": self.cost}


def measured(results: Sequence[Mapping[str, Any]]) -> Measured:
    """Returns the means of case results, at least one.

    Args:
        results: each with ``case`` (a problem's name, perhaps with ``#`` and the repeat behind it),
            ``seconds``, and ``values``: what `score` gives and what the gateway measured.
    """
    by_problem: defaultdict[str, list[int]] = defaultdict(list)
    for result in results:
        by_problem[str(result["case"]).rpartition("#")[0] or result["case"]].append(
            result["values"]["correct"]
        )
    means = [fmean(right) for right in by_problem.values()]
    values = [result["values"] for result in results]
    calls = sum(value["calls"] for value in values)
    costs = [value.get("cost") for value in values]
    return Measured(
        problems=len(means),
        repeats=max(map(len, by_problem.values())),
        accuracy=fmean(means),
        interval=Z * stdev(means) / math.sqrt(len(means)) if len(means) > 1 else 0.0,
        answered=fmean(value["answered"] for value in values),
        calls=calls / len(values),
        tokens=fmean(value["input_tokens"] + value["output_tokens"] for value in values),
        failed=sum(value["failed_calls"] for value in values) / max(1, calls),
        always=sum(all(right) for right in by_problem.values()),
        never=sum(not any(right) for right in by_problem.values()),
        seconds=sorted(result["seconds"] for result in results)[len(results) // 2],
        cost=None if None in costs else fmean(float(cost or 0.0) for cost in costs),
    )
