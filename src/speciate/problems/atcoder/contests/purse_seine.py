"""AHC039, Purse Seine Fishing: a polygon around many mackerels and few sardines.

Rules after the public statement, https://atcoder.jp/contests/ahc039/tasks/ahc039_a. The cases are drawn by
the same kind of rule (clusters with Gaussian spread) with a generator of our own, so they are not the
contest's own cases. The bounds of the cluster count, the centres and the spreads below are from memory of
the statement.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias  # a case crosses the sandbox as plain data

import numpy as np
import numpy.typing as npt

from speciate.problems.atcoder.contests.contest import Contest, Verdict, Wrong
from speciate.seeds import stream

Integers: TypeAlias = npt.NDArray[np.int64]

FISH: Final = 5000
SIDE: Final = 100_000
MOST_VERTICES: Final = 1000
LONGEST: Final = 400_000

STATEMENT = """
5,000 mackerels and 5,000 sardines swim at distinct integer points with coordinates from 0 to 100,000.
Print a polygon that holds many mackerels and few sardines. Score of a case: max(0, a - b + 1) for a
mackerels and b sardines inside; a point on an edge is inside. More is better.
The polygon has from 4 to 1,000 vertices, all distinct, with integer coordinates from 0 to 100,000. Its
sides are parallel to the axes, it does not touch or cross itself, and their lengths sum to at most
400,000.
Input: N (always 5000), then N lines "x y" of the mackerels, then N lines "x y" of the sardines. Both
kinds swim in 10 to 25 clusters each, drawn independently, of different weight and of a standard deviation
from 1,000 to 5,000.
Output: the number of vertices m, then m lines "x y" around the polygon. Of several polygons the last one
counts.
"""


def generate(seed: int) -> dict[str, Any]:
    """Returns ``input`` and, for the judge, ``mackerels`` and ``sardines`` of shape ``(5000, 2)``."""
    rng = stream(seed, 0, "ahc039")
    taken: set[tuple[int, int]] = set()
    mackerels, sardines = _swarm(rng, taken), _swarm(rng, taken)
    lines = "\n".join(f"{x} {y}" for x, y in np.concatenate([mackerels, sardines]).tolist())
    return {"input": f"{FISH}\n{lines}\n", "mackerels": mackerels, "sardines": sardines}


def _swarm(rng: np.random.Generator, taken: set[tuple[int, int]]) -> Integers:
    """Draws one kind of fish, at points nobody has taken."""
    clusters = int(rng.integers(10, 26))
    weights = rng.random(clusters)
    centres = rng.integers(20_000, 80_001, size=(clusters, 2))
    spreads = rng.integers(1_000, 5_001, size=clusters)
    found: list[tuple[int, int]] = []
    while len(found) < FISH:
        chosen = rng.choice(clusters, size=FISH, p=weights / weights.sum())
        noise = rng.normal(size=(FISH, 2)) * spreads[chosen, None]
        for x, y in np.rint(centres[chosen] + noise).astype(np.int64).tolist():
            if len(found) < FISH and 0 <= x <= SIDE and 0 <= y <= SIDE and (x, y) not in taken:
                taken.add((x, y))
                found.append((x, y))
    return np.array(found, dtype=np.int64)


def judge(case: Mapping[str, Any], verdict: Verdict) -> float:
    """Returns max(0, a - b + 1); raises `Wrong` for what is no polygon by the rules."""
    polygon = last_polygon(verdict.stdout)
    check(polygon)
    caught = int(inside(polygon, case["mackerels"]).sum()) - int(inside(polygon, case["sardines"]).sum())
    return float(max(0, caught + 1))


def last_polygon(printed: str) -> Integers:
    """Returns the vertices of the last polygon, shape ``(m, 2)``."""
    try:
        numbers = [int(word) for word in printed.split()]
    except ValueError as error:
        raise Wrong(f"the output holds something that is no integer: {error}") from None
    if not numbers:
        raise Wrong("nothing was printed")
    start = 0
    while True:
        m = numbers[start]
        end = start + 1 + 2 * m
        if not 4 <= m <= MOST_VERTICES:
            raise Wrong(f"a polygon of {m} vertices; expected 4 to {MOST_VERTICES}")
        if end > len(numbers):
            raise Wrong(f"{m} vertices were announced, and the output ends before")
        if end == len(numbers):
            body = numbers[start + 1 : end]
            break
        start = end
    if not all(0 <= value <= SIDE for value in body):
        raise Wrong(f"a coordinate is not between 0 and {SIDE}")
    return np.array(body, dtype=np.int64).reshape(-1, 2)


def check(polygon: Integers) -> None:
    """Raises `Wrong` unless the polygon keeps to the rules."""
    after = np.roll(polygon, -1, axis=0)
    if len({(x, y) for x, y in polygon.tolist()}) < len(polygon):
        raise Wrong("two vertices are the same")
    steps = np.abs(after - polygon)
    if (steps.min(axis=1) > 0).any():
        raise Wrong(f"side {int(np.argmax(steps.min(axis=1) > 0))} is not parallel to an axis")
    if int(steps.sum()) > LONGEST:
        raise Wrong(f"the sides sum to {int(steps.sum())}; at most {LONGEST}")
    low, high = np.minimum(polygon, after), np.maximum(polygon, after)
    common = np.minimum(high[:, None], high[None]) - np.maximum(low[:, None], low[None])  # (m, m, 2)
    touch = (common >= 0).all(axis=2)
    index = np.arange(len(polygon))
    gap = np.abs(index[:, None] - index[None])
    neighbours = (gap == 1) | (gap == len(polygon) - 1)
    faults = touch & np.where(neighbours, common.max(axis=2) > 0, gap > 0)
    if faults.any():
        first, second = np.argwhere(faults)[0]
        raise Wrong(f"sides {first} and {second} touch or cross")


def inside(polygon: Integers, points: Integers) -> npt.NDArray[np.bool_]:
    """Returns which points, shape ``(n, 2)``, lie in the polygon or on it."""
    x, y = points[:, 0], points[:, 1]
    odd, on = np.zeros(len(points), dtype=bool), np.zeros(len(points), dtype=bool)
    for (ax, ay), (bx, by) in zip(polygon.tolist(), np.roll(polygon, -1, axis=0).tolist(), strict=True):
        on |= (x >= min(ax, bx)) & (x <= max(ax, bx)) & (y >= min(ay, by)) & (y <= max(ay, by))
        if ax == bx:
            odd ^= (ax > x) & (y >= min(ay, by)) & (y < max(ay, by))
    return odd | on


PURSE_SEINE = Contest(
    name="ahc039",
    source="https://atcoder.jp/contests/ahc039/tasks/ahc039_a",
    direction="maximize",
    statement=STATEMENT,
    generate=generate,
    judge=judge,
    initial="purse_seine.cpp",
)
