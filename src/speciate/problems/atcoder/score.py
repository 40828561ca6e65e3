"""Judges what a program printed, outside the sandbox; from inside only times and the record are believed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any  # answers come from untrusted code and may be anything

from speciate.problems.atcoder.cases import exercises
from speciate.problems.atcoder.contests import Verdict, Wrong

_TOLD = {
    "compile_error": "does not compile",
    "time_limit": "over the time limit",
    "runtime_error": "ended with an error",
    "protocol": "broke off the conversation with the judge",
}


def cases(context: Any) -> list[dict[str, Any]]:
    """Returns one case a seed or input; ``judge`` never enters the sandbox."""
    return [
        {"name": e.name, "data": dict(e.data), "judge": e.judge, "limit": e.data["time_limit"]}
        for e in exercises(context.settings)
    ]


def score(case: Any, data: Any) -> dict[str, Any]:
    """Returns the absolute score of one answer. Never raises for what a candidate did."""
    verdict = data.get("verdict") if isinstance(data, dict) else None
    if verdict != "ok":
        note = str(data.get("note", "")) if isinstance(data, dict) else ""
        told = _TOLD.get(str(verdict), "gave no verdict")
        return {"values": {}, "valid": False, "feedback": f"{told}. {note}".strip()}
    try:
        found = case["judge"](Verdict(str(data.get("stdout", "")), str(data.get("queries", ""))))
        if not math.isfinite(found):
            raise Wrong(f"the score is {found}")
    except Wrong as error:
        return {"values": {}, "valid": False, "feedback": f"wrong answer: {error}"}
    seconds = data.get("seconds")
    values = {"score": found, "seconds": float(seconds) if isinstance(seconds, (int, float)) else 0.0}
    return {"values": values, "valid": True, "feedback": ""}


def aggregate(results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Returns the mean score over all cases; one invalid case makes the whole program invalid."""
    if not all(result["valid"] for result in results):
        return {"objectives": {}, "valid": False}
    scores = [float(result["values"]["score"]) for result in results]
    seconds = [float(result["values"]["seconds"]) for result in results]
    worst, best = min(scores), max(scores)
    return {
        "objectives": {"score": math.fsum(scores) / len(scores)},
        "public": {"lowest": worst, "highest": best, "slowest_seconds": round(max(seconds), 3)},
        "feedback": "Score by case: " + ", ".join(f"{r['case']} {r['values']['score']:g}" for r in results),
    }
