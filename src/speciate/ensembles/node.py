"""A node: one run that plays rounds. An ensemble of one node is Digital Red Queen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from speciate import engine
from speciate.engine import Approve, Evolution, Observer, RunConfig
from speciate.ensembles.rounds import RedQueenRounds
from speciate.evaluators import Evaluator
from speciate.tasks import Task


def evolve(
    task: Task | str | Path,
    config: RunConfig | None = None,
    *,
    folder: Path | None = None,
    observers: Sequence[Observer] = (),
    approve: Approve | None = None,
    evaluator: Evaluator | None = None,
    signals: bool = False,
) -> Evolution:
    """Evolves a task in a new run, in rounds if the settings want some (`ensemble.rounds`).

    Arguments and errors are those of `speciate.engine.evolve`.
    """
    return engine.evolve(
        task,
        config,
        folder=folder,
        observers=observers,
        approve=approve,
        evaluator=evaluator,
        rounds=RedQueenRounds(),
        signals=signals,
    )


def resume(
    folder: Path,
    *,
    task: Task | None = None,
    overrides: Callable[[RunConfig], RunConfig] = lambda config: config,
    observers: Sequence[Observer] = (),
    approve: Approve | None = None,
    evaluator: Evaluator | None = None,
    signals: bool = False,
) -> Evolution:
    """Goes on with a run where it ended, however it ended, in the middle of a round too.

    Arguments and errors are those of `speciate.engine.resume`.
    """
    return engine.resume(
        folder,
        task=task,
        overrides=overrides,
        observers=observers,
        approve=approve,
        evaluator=evaluator,
        rounds=RedQueenRounds(),
        signals=signals,
    )
