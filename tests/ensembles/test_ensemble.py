"""Several nodes on the virtual clock: equal seeds, equal histories, and nobody waits for the slow ones."""

from __future__ import annotations

import asyncio
import json
import signal
from collections import Counter
from pathlib import Path

import pytest
from typing_extensions import override

from speciate.engine import NodeConfig, Observer, RunConfig, build_run, examine
from speciate.engine.settings import Layer, compose
from speciate.ensembles import (
    RedQueenRounds,
    evolve_ensemble,
    node_folder,
    resume_ensemble,
)
from speciate.errors import ConfigError, RunFolderError, StoreError
from speciate.records import (
    RECEIVED,
    Chosen,
    Drained,
    EpochOpened,
    Event,
    Placed,
    PlacementKind,
    Published,
    Received,
)
from speciate.store import open_reader
from speciate.testing.crashes import Moment, dies
from speciate.testing.ensembles import ALONE, NAMES, TASK, histories, settings, taken
from speciate.testing.histories import (
    TracingEvaluator,
    assert_nothing_lost,
    assert_same_history,
    events_of,
)
from speciate.testing.meetings import Copies
from speciate.testing.runs import SmallRuns


@pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal"])
def test_equal_seeds_give_equal_histories_however_long_anything_takes(runs: SmallRuns, driver: str) -> None:
    config = settings(runs, driver)
    first = histories(evolve_ensemble(TASK, config))
    again = histories(evolve_ensemble(TASK, config, evaluator=TracingEvaluator(TASK, jitter=5, slots=3)))
    for name in NAMES:
        assert_same_history(first[name], again[name])


def test_each_node_takes_the_champions_of_the_others_after_each_round(runs: SmallRuns) -> None:
    for name, events in histories(evolve_ensemble(TASK, settings(runs))).items():
        others = [other for other in NAMES if other != name]
        assert taken(events) == [(other, number) for number in range(3) for other in others]
        assert [e.at for e in events if isinstance(e, Drained)] == [5.0, 10.0, 15.0]
        assert sum(isinstance(e, Published) for e in events) == 3
        guests = [e for e in events if isinstance(e, Chosen) and e.operator == RECEIVED]
        assert [e.proposer for e in guests] == [f"peer:{other}" for other in others] * 3


def test_nodes_of_one_ensemble_do_not_search_alike(runs: SmallRuns) -> None:
    found = histories(evolve_ensemble(TASK, settings(runs)))
    programs = {name: [e.program for e in found[name] if e.step == "patched"][3:8] for name in NAMES}
    assert programs["a"] != programs["b"]


def test_a_node_that_is_slow_in_virtual_time_delays_nobody_and_catches_up(runs: SmallRuns) -> None:
    nodes: Layer = {"0": {"name": "a"}, "1": {"name": "b"}, "2": {"name": "c", "latency": 100.0}}
    found = histories(evolve_ensemble(TASK, settings(runs, nodes=nodes)))
    assert [e.at for e in found["a"] if isinstance(e, Drained)] == [5.0, 10.0, 15.0]
    assert {node for node, _ in taken(found["a"])} == {"b"}
    assert taken(found["c"])[:6] == [("a", 0), ("b", 0), ("a", 1), ("b", 1), ("a", 2), ("b", 2)]


def test_with_the_same_round_alone_a_late_node_finds_nothing_of_its_round(runs: SmallRuns) -> None:
    nodes: Layer = {"0": {"name": "a"}, "1": {"name": "b", "latency": 2.0}}
    config = settings(runs, nodes=nodes, sharing={"rounds": "same"})
    found = histories(evolve_ensemble(TASK, config))
    assert taken(found["a"]) == []
    assert taken(found["b"]) == [("a", 0)]  # later ones came with an earlier drain, in another round


def test_champions_join_the_opponents_as_often_as_they_came(runs: SmallRuns) -> None:
    ended = evolve_ensemble(TASK, settings(runs))
    evolution = ended.nodes[0].evolution
    assert evolution is not None
    opened = [e for e in events_of(evolution.store) if isinstance(e, EpochOpened)]
    companies = [json.loads(evolution.store.text(e.context.text))["opponents"] for e in opened]
    own = len(TASK.context.opponents)
    assert [len(company) for company in companies] == [own + len(NAMES), own + 2 * len(NAMES)]
    assert companies[1][: len(companies[0])] == companies[0]


def test_the_oldest_champions_stay_out_where_there_is_no_room(runs: SmallRuns) -> None:
    ended = evolve_ensemble(TASK, settings(runs, opponents={"max": 4}))
    evolution = ended.nodes[0].evolution
    assert evolution is not None
    events = events_of(evolution.store)
    last = [e for e in events if isinstance(e, EpochOpened)][-1]
    company = json.loads(evolution.store.text(last.context.text))["opponents"]
    newest = [e for e in events if isinstance(e, Received) and e.round == 1][-2:]
    assert len(company) == 4
    assert company[2:] == [[list(pair) for pair in each.program] for each in newest]


def test_a_guest_settles_only_where_nobody_lived(runs: SmallRuns) -> None:
    for events in histories(evolve_ensemble(TASK, settings(runs))).values():
        guests = {e.ordinal for e in events if isinstance(e, Chosen) and e.operator == RECEIVED}
        for event in events:
            if isinstance(event, Placed) and event.ordinal in guests and event.part == "":
                for _, placement in event.placements:
                    assert placement.kind is PlacementKind.NOT_KEPT or set(placement.evicted) <= guests


def test_without_seeding_guests_live_nowhere(runs: SmallRuns) -> None:
    events = histories(evolve_ensemble(TASK, settings(runs, seeding="none")))["a"]
    guests = {e.ordinal for e in events if isinstance(e, Chosen) and e.operator == RECEIVED}
    own = [e for e in events if isinstance(e, Placed) and e.ordinal in guests and e.part == ""]
    assert own
    assert not any(e.placements for e in own)


@pytest.mark.parametrize("kind", ["elites", "grid"])
def test_tasks_without_company_and_other_archives_take_part(runs: SmallRuns, kind: str) -> None:
    more: Layer = {"population": {"archive": {"kind": kind}, "islands": 2}}
    for events in histories(evolve_ensemble(ALONE, settings(runs, "sequential", more))).values():
        assert len(taken(events)) == 6


@pytest.mark.parametrize("topology", ["all", "ring", "random", "adaptive"])
def test_every_topology_plays_and_links_no_node_with_itself(runs: SmallRuns, topology: str) -> None:
    config = settings(runs, topology={"kind": topology, "links": 1})
    for name, events in histories(evolve_ensemble(TASK, config)).items():
        listened = [e.listened for e in events if isinstance(e, Drained)]
        assert all(name not in links for links in listened)
        assert topology not in ("random", "adaptive") or all(len(links) == 1 for links in listened)


@pytest.mark.parametrize("seeding", ["empty", "better"])
@pytest.mark.parametrize(("kind", "islands"), [("grid", 1), ("grid", 2), ("elites", 3)])
def test_the_doctor_finds_nothing_wrong_with_a_node(
    runs: SmallRuns, tmp_path: Path, kind: str, islands: int, seeding: str
) -> None:
    folder = tmp_path / "ensemble"
    more: Layer = {"population": {"archive": {"kind": kind}, "islands": islands}}
    evolve_ensemble(TASK, settings(runs, "sequential", more, seeding=seeding), folder=folder)
    for name in NAMES:
        reader = open_reader(node_folder(folder, name))
        config = RunConfig.model_validate(reader.manifest()["config"])
        run = build_run(TASK, config, reader, offline=True)  # type: ignore[arg-type]  # only read
        assert asyncio.run(examine(run, RedQueenRounds())).findings == ()
        reader.close()


MOMENTS = {
    "joined": Moment("joined", 2, "written"),
    "round ended": Moment("round_ended", 2, "written"),
    "published, not stored": Moment("published", 2),
    "published": Moment("published", 2, "written"),
    "received, not drained": Moment("received", 3),
    "drained, mid-commit": Moment("drained", 2, "writing"),
    "drained": Moment("drained", 2, "written"),
    "epoch opened": Moment("epoch_opened", 2, "written"),
    "within the second round": Moment("chosen", 40, "written"),
    "a late placement": Moment("placed", 55, "written"),
}


@pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal", "pipeline:arrival"])
@pytest.mark.parametrize("moment", MOMENTS.values(), ids=MOMENTS.keys())
def test_killed_it_goes_on_as_if_nothing_had_happened(
    runs: SmallRuns, tmp_path: Path, driver: str, moment: Moment
) -> None:
    config, folder = settings(runs, driver), tmp_path / "ensemble"
    assert dies(lambda reaper: evolve_ensemble(TASK, config, folder=folder, watch=lambda _: [reaper]), moment)
    ended = resume_ensemble(folder, task=TASK)
    assert [node.evolution and node.evolution.stop_reason for node in ended.nodes] == ["rounds"] * 3
    found = {name: events_of(node_folder(folder, name)) for name in NAMES}
    for events in found.values():
        messages = Counter(e.part for e in events if isinstance(e, Received))
        assert max(messages.values()) == 1
        if driver == "pipeline:arrival":
            assert_nothing_lost(events, candidates=15 + 6)
    if driver != "pipeline:arrival":
        whole = histories(evolve_ensemble(TASK, config))
        for name in NAMES:
            assert_same_history(found[name], whole[name])


def test_of_several_copies_one_is_applied(runs: SmallRuns) -> None:
    direct = histories(evolve_ensemble(TASK, settings(runs)))
    for name, events in histories(evolve_ensemble(TASK, settings(runs), routes=Copies())).items():
        assert taken(events) == taken(direct[name])
        assert any(e.heard > 2 for e in events if isinstance(e, Drained))


class Press(Observer):
    """Presses Ctrl-C right after its node has published: it then waits for the others."""

    @override
    def on_event(self, event: Event) -> None:
        if isinstance(event, Published) and event.round == 1:
            signal.raise_signal(signal.SIGINT)


def test_stopped_by_ctrl_c_while_a_node_waits_it_goes_on_as_if_nothing_had_happened(
    runs: SmallRuns, tmp_path: Path
) -> None:
    config, folder = settings(runs), tmp_path / "ensemble"
    stopped = evolve_ensemble(
        TASK, config, folder=folder, watch=lambda name: [Press()] if name == "a" else [], signals=True
    )
    assert "interrupted" in [node.evolution and node.evolution.stop_reason for node in stopped.nodes]
    resume_ensemble(folder, task=TASK)
    whole = histories(evolve_ensemble(TASK, config))
    for name in NAMES:
        assert_same_history(events_of(node_folder(folder, name)), whole[name])


class Breaks(Observer):
    """Breaks its run at its second round."""

    @override
    def on_event(self, event: Event) -> None:
        if event.step == "round_ended":
            raise StoreError("the disk is full")


def test_a_node_that_breaks_leaves_the_others_going(runs: SmallRuns) -> None:
    ended = evolve_ensemble(TASK, settings(runs), watch=lambda name: [Breaks()] if name == "b" else [])
    assert [node.error is not None for node in ended.nodes] == [False, True, False]
    assert all(node.evolution and node.evolution.stop_reason == "rounds" for node in ended.nodes[::2])


@pytest.mark.parametrize("name", [".", "..", ".hidden", "a/b", "a b"])
def test_a_name_that_is_no_folder_of_its_own_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        NodeConfig(name=name)


def test_names_are_unique_and_folders_hold_one_ensemble(runs: SmallRuns, tmp_path: Path) -> None:
    nodes: Layer = {"0": {"name": "a"}, "1": {"name": "a"}}
    with pytest.raises(ConfigError, match="two nodes of the ensemble are called a"):
        evolve_ensemble(TASK, settings(runs, nodes=nodes))
    evolve_ensemble(TASK, settings(runs, rounds=1), folder=tmp_path / "e")
    with pytest.raises(RunFolderError, match="holds a run or an ensemble already"):
        evolve_ensemble(TASK, settings(runs), folder=tmp_path / "e")
    with pytest.raises(RunFolderError, match="holds no ensemble"):
        resume_ensemble(tmp_path)


def test_a_node_may_have_settings_of_its_own(runs: SmallRuns) -> None:
    nodes: Layer = {"0": {"name": "a"}, "1": {"name": "b", "settings": {"ensemble": {"iterations": 2}}}}
    found = histories(evolve_ensemble(TASK, settings(runs, nodes=nodes)))
    assert [e.at for e in found["b"] if isinstance(e, Drained)] == [2.0, 4.0, 6.0]


def test_settings_of_the_command_line_reach_nodes_by_index() -> None:
    config = compose([{"ensemble": {"nodes": {"0": {"model": "genetic"}, "1": {"latency": 3.0}}}}])
    assert [node.latency for node in config.ensemble.nodes] == [1.0, 3.0]
