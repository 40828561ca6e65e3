"""Nodes whose maps differ: their cells are never compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from speciate.engine import RunConfig, build_run
from speciate.engine.settings import Layer
from speciate.ensembles import Ensemble, evolve_ensemble, node_folder, resume_ensemble
from speciate.ensembles.messages import Announcement, read_announcement
from speciate.ensembles.parcels import map_of
from speciate.records import RECEIVED, Chosen, Drained, Evaluated, Published, Received
from speciate.store import MemoryStore
from speciate.testing.crashes import Moment, dies
from speciate.testing.histories import assert_same_history, events_of
from speciate.testing.knobs import axes, knobs_task
from speciate.testing.runs import SmallRuns

TASK = knobs_task(descriptors=axes())
OWN: Layer = {"population": {"archive": {"kind": "cvt", "cells": 16}}}


def settings(runs: SmallRuns, *, other: bool = True, **ensemble: object) -> RunConfig:
    """Returns the settings of three nodes, of which ``c`` may have a map of its own."""
    seats = {"0": {"name": "a"}, "1": {"name": "b"}, "2": {"name": "c", "settings": OWN if other else {}}}
    grid: Layer = {"population": {"archive": {"kind": "grid"}, "islands": 1}, "budget": {"candidates": 500}}
    rounds = {"rounds": 4, "iterations": 5, "initial": 0, "nodes": seats, **ensemble}
    return runs.settings("genetic", "sequential", grid, {"ensemble": rounds})  # type: ignore[dict-item]


def announced(ensemble: Ensemble) -> dict[str, list[Announcement]]:
    found: dict[str, list[Announcement]] = {}
    for node in ensemble.nodes:
        assert node.evolution is not None, node.error
        store = node.evolution.store
        texts = [e.announcement.text for e in events_of(store) if isinstance(e, Published)]
        found[node.name] = [read_announcement(store.text(text).encode()) for text in texts]
    return found


def test_each_node_says_which_map_its_cells_are_of(runs: SmallRuns) -> None:
    maps = {name: {one.map for one in said} for name, said in announced(_evolved(settings(runs))).items()}
    assert len(maps["a"]) == 1
    assert maps["a"] == maps["b"] != maps["c"]
    assert "" not in maps["a"] | maps["c"]


def test_axes_of_other_names_are_another_map(runs: SmallRuns) -> None:
    x, y = axes()
    digests = {
        map_of(build_run(task, settings(runs), MemoryStore()))
        for task in (TASK, knobs_task(descriptors=(y, x)), knobs_task(descriptors=axes(5)))
    }
    assert len(digests) == 3


def test_a_node_may_have_descriptors_of_its_own_and_gives_and_takes_champions(runs: SmallRuns) -> None:
    own: Layer = {"task": {"parameters": {"axes": ["pl", "uo"]}}}
    parameters: Layer = {"task": {"parameters": {"preset": "tiny", "rounds": 2, "opponents": "imp"}}}
    rules: Layer = {
        "ensemble": {
            "rounds": 2,
            "iterations": 3,
            "initial": 0,
            "nodes": {"0": {"name": "a"}, "1": {"name": "b", "settings": dict(own)}},
        }
    }
    config = runs.settings("genetic", "sequential", parameters, {"budget": {"candidates": 100}}, rules)
    ensemble = evolve_ensemble("corewar", config)
    maps = {name: {one.map for one in said} for name, said in announced(ensemble).items()}
    assert len(maps["a"]) == len(maps["b"]) == 1
    assert maps["a"] != maps["b"]
    for node in ensemble.nodes:
        assert node.evolution is not None
        events = events_of(node.evolution.store)
        assert [event.refused for event in events if isinstance(event, Received)] == [None, None]
        guests = {e.ordinal for e in events if isinstance(e, Chosen) and e.operator == RECEIVED}
        measured = [e.outcome.result for e in events if isinstance(e, Evaluated) and e.ordinal in guests]
        assert measured
        assert all(result is not None and result.descriptor is not None for result in measured)


def test_of_another_map_every_champion_may_open_a_cell(runs: SmallRuns) -> None:
    ensemble = _evolved(settings(runs, sharing={"only": "opening"}))
    for node in ensemble.nodes:
        assert node.evolution is not None
        taken = {(e.node, e.round) for e in events_of(node.evolution.store) if isinstance(e, Received)}
        others = {"a", "b"} if node.name == "c" else {"c"}
        # What is announced at the time of a drain is drained: all rounds, for all are equally fast.
        assert {(name, round) for name in others for round in range(4)} <= taken


def test_on_one_map_champions_of_filled_cells_are_passed_over(runs: SmallRuns) -> None:
    ensemble = _evolved(settings(runs, other=False, sharing={"only": "opening"}))
    taken = [
        event
        for node in ensemble.nodes
        if node.evolution is not None
        for event in events_of(node.evolution.store)
        if isinstance(event, Received)
    ]
    assert len(taken) < 3 * 2 * 4


@pytest.mark.parametrize("moment", [Moment("drained", 2, "written"), Moment("received", 1, "written")])
def test_killed_with_adaptive_links_it_knows_again_whose_cells_are_unknown(
    runs: SmallRuns, tmp_path: Path, moment: Moment
) -> None:
    config = settings(runs, topology={"kind": "adaptive", "links": 1})
    undisturbed, folder = _evolved(config), tmp_path / "ensemble"
    assert dies(lambda reaper: evolve_ensemble(TASK, config, folder=folder, watch=lambda _: [reaper]), moment)
    resume_ensemble(folder, task=TASK)
    for node in undisturbed.nodes:
        assert node.evolution is not None
        again, before = events_of(node_folder(folder, node.name)), events_of(node.evolution.store)
        assert_same_history(again, before)
        assert all(len(event.listened) == 1 for event in again if isinstance(event, Drained))


def _evolved(config: RunConfig) -> Ensemble:
    return evolve_ensemble(TASK, config)
