"""AHC025, Balancing by Balance: items of unknown weight into groups of equal weight, with a balance only.

Rules and score after the public statement, https://atcoder.jp/contests/ahc025/tasks/ahc025_a. The
distribution of the cases (bounds of N and D, Q as N times a power of two, exponential weights cut at 10^5 N
/ D) is from memory of the statement, and the generator is our own: these are not the contest's cases.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final  # a case crosses the sandbox as plain data

import numpy as np

from speciate.problems.atcoder.contests.contest import Contest, Verdict, Wrong
from speciate.seeds import stream

MEAN: Final = 1e5

STATEMENT = """
N items have unknown weights. A balance compares the total weights of two sets of items, Q times in all;
then divide the items into D groups whose total weights are as equal as possible. Score of a case: 1 +
round(100 * standard deviation of the D totals). Less is better.
Input: N D Q, with 30 <= N <= 100, 2 <= D <= N / 4 and 2N <= Q <= 32N. Then ask exactly Q times: print "nL
nR l1 … r1 …" on a line (both numbers at least 1, items from 0 to N - 1, none twice), flush, and read "<"
(left is lighter), ">" or "=". At last print N numbers on a line: the group, from 0 to D - 1, of each
item. Lines that begin with # are comments.
Weights are drawn from an exponential distribution of mean 100,000, rounded, at least 1, and again where
they exceed 100,000 N / D.
"""


def generate(seed: int) -> dict[str, Any]:
    """Returns ``input``, ``weights`` (which a program does not see) and the number of ``queries``."""
    rng = stream(seed, 0, "ahc025")
    n = int(rng.integers(30, 101))
    d = int(rng.integers(2, n // 4 + 1))
    q = round(n * 2 ** rng.uniform(1.0, 5.0))
    weights: list[int] = []
    while len(weights) < n:
        drawn = rng.exponential(MEAN)
        if drawn <= MEAN * n / d:
            weights.append(max(1, round(drawn)))
    return {"input": f"{n} {d} {q}\n", "weights": weights, "queries": q, "groups": d}


def judge(case: Mapping[str, Any], verdict: Verdict) -> float:
    """Returns 1 + round(100 sqrt(V)), V the variance of the groups' totals.

    Raises:
        Wrong: the comparisons are not exactly Q, or the last line is no division into groups.
    """
    asked = len(verdict.queries.splitlines())
    if asked != case["queries"]:
        raise Wrong(f"{asked} comparisons were asked; expected {case['queries']}")
    try:
        groups = [int(word) for word in verdict.stdout.split()]
    except ValueError as error:
        raise Wrong(f"the division holds something that is no integer: {error}") from None
    weights, d = case["weights"], case["groups"]
    if len(groups) != len(weights) or not all(0 <= group < d for group in groups):
        raise Wrong(f"expected {len(weights)} groups from 0 to {d - 1}, got {verdict.stdout[:80]!r}")
    totals = np.bincount(groups, weights=weights, minlength=d)
    return float(1 + round(100 * float(totals.std())))


BALANCE = Contest(
    name="ahc025",
    source="https://atcoder.jp/contests/ahc025/tasks/ahc025_a",
    direction="minimize",
    statement=STATEMENT,
    generate=generate,
    judge=judge,
    initial="balance.cpp",
)
