"""Small runs of rounds for tests: knobs, in the company of two rivals."""

from __future__ import annotations

from typing import Final

from speciate.engine import RunConfig
from speciate.engine.settings import Layer
from speciate.testing.knobs import axes, company, knobs_program, knobs_task
from speciate.testing.runs import SmallRuns

RIVALS: Final = (knobs_program(1.0, 0.0), knobs_program(-2.0, 0.0))
DRIVERS: Final = ["sequential", "pipeline:ordinal", "pipeline:arrival"]
TASK: Final = company(knobs_task(descriptors=axes(), opponents=RIVALS))


def rounds_of(runs: SmallRuns, driver: str, *more: Layer, **ensemble: object) -> RunConfig:
    """Returns settings of rounds of six iterations on a grid.

    Args:
        runs: where runs are kept.
        driver: one of `DRIVERS`.
        more: layers over all.
        ensemble: settings of `EnsembleConfig`; ``rounds`` among them.
    """
    settings = {"iterations": 6, "initial": 0} | ensemble
    grid: Layer = {"population": {"archive": {"kind": "grid"}}, "budget": {"candidates": 500}}
    return runs.settings("genetic", driver, grid, {"ensemble": settings}, *more)  # type: ignore[dict-item]
