"""Small ensembles of the knobs task: their settings, and what their nodes took from each other."""

from __future__ import annotations

from collections.abc import Iterable

from speciate.engine import RunConfig
from speciate.engine.settings import Layer
from speciate.ensembles import Ensemble
from speciate.records import Event, Received
from speciate.testing.histories import events_of
from speciate.testing.knobs import axes, company, knobs_program, knobs_task
from speciate.testing.runs import SmallRuns

TASK = company(knobs_task(descriptors=axes(), opponents=(knobs_program(1.0, 0.0), knobs_program(-2.0, 0.0))))
ALONE = knobs_task(descriptors=axes())
NAMES = ("a", "b", "c")


def settings(
    runs: SmallRuns, driver: str = "sequential", *more: Layer, nodes: Layer | None = None, **ensemble: object
) -> RunConfig:
    """Returns settings of three nodes, or of others, for three rounds of five iterations.

    Args:
        runs: writes what they need.
        driver: as for `SmallRuns.settings`.
        more: layers over these.
        nodes: the nodes, by index.
        ensemble: further settings of `ensemble`.
    """
    seats = nodes or {str(number): {"name": name} for number, name in enumerate(NAMES)}
    grid: Layer = {"population": {"archive": {"kind": "grid"}, "islands": 1}, "budget": {"candidates": 500}}
    rounds: Layer = {
        "ensemble": {"rounds": 3, "iterations": 5, "initial": 0, "nodes": seats, **ensemble}  # type: ignore[dict-item]
    }
    return runs.settings("genetic", driver, grid, rounds, *more)


def histories(ensemble: Ensemble) -> dict[str, list[Event]]:
    """Returns each node's events; fails where a node broke."""
    for node in ensemble.nodes:
        assert node.evolution is not None, node.error
    return {node.name: events_of(node.evolution.store) for node in ensemble.nodes if node.evolution}


def taken(events: Iterable[Event]) -> list[tuple[str, int]]:
    """Returns the champions that a node took, by sender and round, in order of arrival."""
    return [(e.node, e.round) for e in events if isinstance(e, Received) and e.refused is None]
