"""Scores what an agent answered, outside the sandbox: the share of problems with the right integer boxed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any  # answers come from untrusted code and may be anything

from speciate.problems.aime.answers import boxed
from speciate.problems.aime.measures import Measured, measured
from speciate.problems.aime.problems import chosen

HELD_OUT = "heldout"


def cases(context: Any) -> list[dict[str, Any]]:
    """Returns one case a problem. Only the statement enters the sandbox; the answer stays here."""
    searched, heldout = chosen(context.settings)
    return [
        {
            "name": p.name,
            "data": {"problem": p.text},
            "answer": p.answer,
            "year": p.year,
            HELD_OUT: p in heldout,
        }
        for p in (*searched, *heldout)
    ]


def score(case: Any, data: Any) -> dict[str, Any]:
    """Says whether one answer is right. Never raises, whatever `data` is; a wrong answer is a valid one."""
    text = data.get("text") if isinstance(data, dict) else None
    answer = boxed(text) if isinstance(text, str) else None
    values = {"correct": int(answer == case["answer"]), "answered": int(answer is not None)}
    return {"values": {**values, "year": case["year"], HELD_OUT: case[HELD_OUT]}, "valid": True}


def aggregate(results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Turns all cases of all repeats into objectives, metrics and feedback.

    Nothing of held-out years but the private metrics leaves this function.
    """
    found = measured([result for result in results if not result["values"][HELD_OUT]])
    return {
        "objectives": {"accuracy": found.accuracy, "calls": found.calls},
        "public": found.metrics(),
        "private": _private(results),
        "descriptor": {"calls": found.calls},
        "feedback": _feedback(found),
    }


def _private(results: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    private: dict[str, float] = {}
    for year in sorted({r["values"]["year"] for r in results if r["values"][HELD_OUT]}):
        of_year = measured([r for r in results if r["values"]["year"] == year])
        private |= {f"{name}_{year}": value for name, value in of_year.metrics().items()}
    return private


def _feedback(found: Measured) -> str:
    lines = [
        f"Right answers: {found.accuracy:.1%} ± {found.interval:.1%} over {found.problems} problems, "
        f"{found.repeats} runs each.",
        f"{found.always} problems are solved in every run, {found.never} in none.",
        f"{1 - found.answered:.1%} of the answers hold no integer from 0 to 999 in a box.",
        f"Calls a problem: {found.calls:.2f}, tokens a problem: {found.tokens:.0f}.",
    ]
    if found.failed:
        lines.append(f"{found.failed:.2%} of the calls got no answer from the model.")
    return "\n".join(lines)
