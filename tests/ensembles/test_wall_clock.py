"""An ensemble in one process on the wall clock: whatever happens to it, nobody's champions are lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from speciate.ensembles import evolve_ensemble, node_folder, resume_ensemble
from speciate.records import Drained, Event, Published
from speciate.testing.crashes import Moment, dies
from speciate.testing.ensembles import NAMES, TASK, histories, settings, taken
from speciate.testing.histories import TracingEvaluator, events_of
from speciate.testing.runs import SmallRuns

MOMENTS = {
    "before a champion is stored": Moment("published", 3),
    "a champion published, not read by all": Moment("published", 3, "written"),
    "received, not drained": Moment("received", 3),
    "drained": Moment("drained", 4, "written"),
    "within a round": Moment("chosen", 45, "written"),
}


def assert_no_hole(found: dict[str, list[Event]]) -> None:
    """Fails if a node took a sender's later champion and not an earlier one, or one of them twice.

    The last ones may be missing at whoever had drained for the last time before they came.
    """
    for events in found.values():
        for sender in NAMES:
            rounds = [number for name, number in taken(events) if name == sender]
            assert rounds == list(range(len(rounds)))


@pytest.mark.parametrize("jitter", [0, 3, 7])
def test_all_come_to_the_end_and_take_everything_once(runs: SmallRuns, jitter: int) -> None:
    evaluator = TracingEvaluator(TASK, jitter=jitter, slots=1)
    found = histories(evolve_ensemble(TASK, settings(runs, clock="wall"), evaluator=evaluator))
    assert_no_hole(found)
    for events in found.values():
        assert [e.at for e in events if isinstance(e, Drained)] == [None] * 3


@pytest.mark.parametrize("moment", MOMENTS.values(), ids=MOMENTS.keys())
def test_killed_it_loses_no_champion_and_takes_none_twice(
    runs: SmallRuns, tmp_path: Path, moment: Moment
) -> None:
    config, folder = settings(runs, clock="wall"), tmp_path / "ensemble"
    assert dies(lambda reaper: evolve_ensemble(TASK, config, folder=folder, watch=lambda _: [reaper]), moment)
    known = {name: taken(events_of(node_folder(folder, name))) for name in NAMES}
    ended = resume_ensemble(folder, task=TASK)
    assert [node.evolution and node.evolution.stop_reason for node in ended.nodes] == ["rounds"] * 3
    found = {name: events_of(node_folder(folder, name)) for name in NAMES}
    assert_no_hole(found)
    for name, events in found.items():
        assert taken(events)[: len(known[name])] == known[name]
        assert [e.round for e in events if isinstance(e, Published)] == [0, 1, 2]


def test_what_came_after_the_last_drain_comes_when_the_ensemble_is_given_more_rounds(
    runs: SmallRuns, tmp_path: Path
) -> None:
    folder = tmp_path / "ensemble"
    evolve_ensemble(TASK, settings(runs, clock="wall", rounds=1), folder=folder)
    longer = settings(runs, clock="wall").ensemble.model_copy(update={"nodes": ()})
    resume_ensemble(folder, task=TASK, overrides=lambda own: own.model_copy(update={"ensemble": longer}))
    found = {name: events_of(node_folder(folder, name)) for name in NAMES}
    assert_no_hole(found)
    for name, events in found.items():
        assert {sender for sender, number in taken(events) if number == 0} == set(NAMES) - {name}
