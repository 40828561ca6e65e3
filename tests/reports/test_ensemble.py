"""How an ensemble stands, read from its nodes' histories."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from speciate.archives import GridArchive
from speciate.engine.settings import Layer, compose
from speciate.ensembles import elites_of, evolve_ensemble, merge_nodes
from speciate.records import Axis, Merged, MergedElite, Objective, Program, Received
from speciate.reports import (
    EnsembleSummary,
    arrivals,
    ensemble_page,
    links,
    merged_map,
    proposer_cells,
    summarise_ensemble,
    write_ensemble_report,
)
from speciate.store import RunHistory
from speciate.testing.knobs import axes, knobs_task

TASK = knobs_task(descriptors=axes())

SETTINGS: Layer = {
    "seed": 5,
    "driver": "sequential",
    "population": {"archive": {"kind": "grid"}},
    "ensemble": {
        "rounds": 3,
        "iterations": 6,
        "nodes": [{"name": "quick"}, {"name": "late", "latency": 3.5}, {"name": "other"}],
    },
}


@pytest.fixture(scope="module")
def histories() -> dict[str, RunHistory]:
    found = evolve_ensemble(TASK, compose([SETTINGS]))
    return {end.name: RunHistory(end.evolution.store) for end in found.nodes if end.evolution is not None}


@pytest.fixture(scope="module")
def merged(histories: dict[str, RunHistory]) -> Merged:
    return merge_nodes(TASK, compose([SETTINGS]), elites_of(histories))


@pytest.fixture(scope="module")
def summary(histories: dict[str, RunHistory], merged: Merged) -> EnsembleSummary:
    return summarise_ensemble(histories, merged, seed=5)


def test_links_count_what_was_received(histories: dict[str, RunHistory], summary: EnsembleSummary) -> None:
    taken = sum(
        isinstance(event, Received) and event.refused is None
        for history in histories.values()
        for event in history.exchange
    )
    assert summary.champions.published == 9
    assert summary.champions.received == sum(link.received for link in links(histories)) == taken
    assert {(link.sender, link.receiver) for link in summary.links} <= {
        (one, other) for one in histories for other in histories if one != other
    }


def test_champions_of_a_slow_node_are_old_when_they_arrive(histories: dict[str, RunHistory]) -> None:
    ages = {
        (one.sender, one.receiver): one.age
        for name, history in histories.items()
        for one in arrivals(name, history)
    }
    assert all(age == 0 for pair, age in ages.items() if "late" not in pair)
    assert ages["quick", "late"] < 0  # it hears of later rounds than its own: the sender is ahead
    assert ("late", "quick") not in ages  # and its own first champion comes after the others have ended


def test_what_opened_a_cell_lives_in_one(histories: dict[str, RunHistory]) -> None:
    for name, history in histories.items():
        opened = [one for one in arrivals(name, history) if one.opened]
        grown = [one for one in history.candidates.values() if one.choice.operator == "received"]
        placed = [one for one in grown if any(place.kind == "new" for _, place in one.placements)]
        assert len(opened) == len(placed)


def test_novelty_and_quality_are_those_of_the_merger(summary: EnsembleSummary, merged: Merged) -> None:
    assert summary.quality is not None
    assert summary.quality.filled == len(merged.elites)
    for node in summary.nodes:
        assert node.quality is not None
        assert node.quality.filled == len(merged.nodes[node.name])
        others = {cell for name, cells in merged.nodes.items() if name != node.name for cell in cells}
        alone = [cell for cell in merged.nodes[node.name] if cell not in others]
        assert node.novelty == pytest.approx(len(alone) / node.quality.filled)
        assert summary.quality.filled >= node.quality.filled
        assert node.calls == 18


def test_before_a_merger_nothing_is_compared(histories: dict[str, RunHistory]) -> None:
    found = summarise_ensemble(histories, None, seed=5)
    told = found.as_json()
    assert told["merged"] is None
    assert all(node.novelty is None and node.quality is None for node in found.nodes)
    assert "not merged yet" in ensemble_page(found, histories)


def test_the_map_shows_the_best_over_further_axes() -> None:
    axes = tuple(Axis.from_edges(name, [1.0]) for name in "xyz")
    program = Program.of({"p": ""})
    elites = tuple(
        MergedElite(cell, "n", place, score, program)
        for place, (cell, score) in enumerate([((0, 1, 0), 2.0), ((0, 1, 1), 3.0), ((1, 0, 0), -1.0)])
    )
    merged = Merged("", 0, (), axes, 8, {}, elites, {}, 0, 0, "")
    found = merged_map(merged, Objective("cost", "minimize"))
    assert found is not None
    assert np.array_equal(found.scores, [[np.nan, 1.0], [-3.0, np.nan]], equal_nan=True)
    assert found.ordinals.tolist() == [[-1, 2], [1, -1]]


def test_cells_of_proposers_are_those_of_their_own_candidates(
    histories: dict[str, RunHistory], merged: Merged
) -> None:
    counts, tries = proposer_cells(histories, merged.axes)
    assert tries == {"genetic": 3 * 18}
    grid, expected = GridArchive(merged.axes), 0
    for history in histories.values():
        for candidate in history.candidates.values():
            outcome = candidate.outcome_in(candidate.choice.epoch)
            own = not candidate.choice.planted and outcome is not None and outcome.result is not None
            expected += own
    assert sum(counts["genetic"].values()) == expected
    assert all(
        0 <= place < axis.bins
        for cell in counts["genetic"]
        for place, axis in zip(cell, grid.axes, strict=True)
    )


def test_equal_histories_give_equal_files(
    histories: dict[str, RunHistory], summary: EnsembleSummary, tmp_path: Path
) -> None:
    first = write_ensemble_report(summary, histories, tmp_path / "a")
    again = write_ensemble_report(summary, histories, tmp_path / "b")
    assert [path.name for path in first] == [path.name for path in again]
    assert "merged.png" in [path.name for path in first]
    assert all(one.read_bytes() == other.read_bytes() for one, other in zip(first, again, strict=True))
