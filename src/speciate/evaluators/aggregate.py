"""What a split task without ``aggregate`` gets: the mean over its cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from speciate.evaluators import bounds
from speciate.evaluators.bounds import AnswerError


def mean_of_cases(
    results: Sequence[Mapping[str, object]], objectives: Sequence[str], descriptors: Sequence[str]
) -> dict[str, object]:
    """Returns the answer whose objectives and descriptors are means of the cases' values of that name.

    Args:
        results: one dict a case with ``case``, ``values``, ``valid``, ``feedback``; at least one.
        objectives: names of the task's objectives, in the user's own direction.
        descriptors: names of its descriptors.

    Raises:
        AnswerError: all cases are valid, and one lacks a value of that name or has no number there.
    """
    said = [f"{result['case']}: {result['feedback']}" for result in results if result["feedback"]]
    if not all(result["valid"] for result in results):
        return {"objectives": {}, "valid": False}  # the refused cases speak for themselves
    return {
        "objectives": {name: _mean(results, name) for name in objectives},
        "descriptor": {name: _mean(results, name) for name in descriptors},
        "feedback": "\n".join(said),
    }


def _mean(results: Sequence[Mapping[str, object]], name: str) -> float:
    return fmean(_value(result, name) for result in results)


def _value(result: Mapping[str, object], name: str) -> float:
    values = bounds.mapping(result["values"], "values")
    if name not in values:
        raise AnswerError(
            f"case {result['case']!r} has no value {name!r}, and without an aggregate(results) the mean over"
            f" cases is taken; it has {sorted(map(str, values))}"
        )
    return bounds.number(values[name], f"value {name!r} of case {result['case']!r}")
