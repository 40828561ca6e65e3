"""Small problems on which the genetic operators are measured: four kinds, and circle packing as a check.

Each is a program text and a function that scores the module it makes (higher is better) or raises.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from speciate.problems import circle_packing
from speciate.problems.circle_packing import run, score
from speciate.records import Program
from speciate.tasks import ObjectiveSpec, Task, TaskSpec


@dataclass(frozen=True, slots=True)
class Problem:
    """A task, and how the module of a candidate is scored; a candidate that raises has no score."""

    task: Task
    score: Callable[[ModuleType], float]


def _problem(name: str, text: str, scored: Callable[[ModuleType], float]) -> Problem:
    spec = TaskSpec(name=name, objectives=(ObjectiveSpec(name="score"),))
    program = f"import math\n\n# EVOLVE-BLOCK-START\n{text.strip()}\n# EVOLVE-BLOCK-END\n"
    return Problem(Task(spec, Program.of({"initial.py": program})), scored)


_CURVE = """
def curve(x):
    a = 1.0
    b = 0.5
    c = 0.1
    return a + b * x + c * x * math.sin(x)
"""


def _curve_error(module: ModuleType) -> float:
    """Minus the root mean square distance to a damped oscillation with a drift, at 40 places."""
    total = 0.0
    for k in range(40):
        x = k / 5
        target = 2.7 * math.exp(-0.4 * x) * math.cos(1.9 * x + 0.6) + 0.31 * x
        total += min(abs(module.curve(x) - target), 1e6) ** 2
    return -math.sqrt(total / 40)


_RULE = """
RULE = [
    (0.1, 0.2),
    (0.3, 0.2),
    (0.5, 0.2),
    (0.7, 0.2),
    (0.9, 0.2),
]
"""


def _rule_error(module: ModuleType) -> float:
    """Minus the log of the error of a quadrature rule (place, weight) on x^k over [0, 1], k = 0 .. 9."""
    rule = [(float(x), float(w)) for x, w in module.RULE]
    if len(rule) > 5:
        raise ValueError("at most five places")
    error = sum(abs(sum(w * x**k for x, w in rule) - 1 / (k + 1)) for k in range(10))
    return -math.log10(error + 1e-16)


_SCHEDULE = """
def urgency(duration, due, weight, now):
    slack = due - now - duration
    return weight * 1.0 - slack * 0.5


def order(jobs):
    now = 0.0
    left = list(jobs)
    done = []
    while left:
        best = left[0]
        for job in left:
            if urgency(job[0], job[1], job[2], now) > urgency(best[0], best[1], best[2], now):
                best = job
        left.remove(best)
        done.append(best)
        now += best[0]
    return done
"""


def _instances() -> list[list[tuple[float, float, float]]]:
    rng = np.random.default_rng(5)
    return [
        [
            (float(d), float(u), float(w))
            for d, u, w in zip(*rng.uniform([[1], [5], [1]], [[9], [60], [9]], (3, 14)), strict=True)
        ]
        for _ in range(6)
    ]


_JOBS = _instances()


def _tardiness(module: ModuleType) -> float:
    """Minus the mean weighted tardiness of the orders that the heuristic finds."""
    total = 0.0
    for jobs in _JOBS:
        now = 0.0
        order = module.order(list(jobs))
        if sorted(order) != sorted(jobs):
            raise ValueError("not an order of the jobs")
        for duration, due, weight in order:
            now += duration
            total += weight * max(now - due, 0.0)
    return -total / len(_JOBS) / 14


_FILTER = """
TAPS = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]


def response(turn):
    real = 0.0
    imaginary = 0.0
    for k in range(len(TAPS)):
        real += TAPS[k] * math.cos(turn * k)
        imaginary -= TAPS[k] * math.sin(turn * k)
    return math.sqrt(real * real + imaginary * imaginary)
"""


def _ripple(module: ModuleType) -> float:
    """Minus the largest distance of a filter with 11 taps from a low pass."""
    taps = np.array(module.TAPS, dtype=float)
    if len(taps) > 11:
        raise ValueError("at most 11 taps")
    low, high = np.linspace(0, 1.0, 20), np.linspace(1.6, np.pi, 30)
    gain = [np.abs(np.exp(-1j * np.outer(band, np.arange(len(taps)))) @ taps) for band in (low, high)]
    return -float(max(np.abs(gain[0] - 1).max(), gain[1].max()))


def _packing() -> Problem:
    task = circle_packing.load()
    (case,) = score.cases(task.context)

    def packed(module: ModuleType) -> float:
        scored = score.score(case, run.run(module, case["data"]))
        if not scored["valid"]:
            raise ValueError(scored["feedback"])
        return float(scored["values"]["sum_radii"])

    return Problem(task, packed)


PROBLEMS: dict[str, Problem] = {
    "curve": _problem("curve", _CURVE, _curve_error),
    "quadrature": _problem("quadrature", _RULE, _rule_error),
    "schedule": _problem("schedule", _SCHEDULE, _tardiness),
    "filter": _problem("filter", _FILTER, _ripple),
    "circle_packing": _packing(),
}
