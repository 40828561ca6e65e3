"""What comes from other nodes is never trusted: it is refused with a reason, or scored here like the rest."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from speciate.engine import RunConfig
from speciate.engine.settings import Layer
from speciate.ensembles import evolve_ensemble, evolve_node
from speciate.ensembles.messages import Parcel, encode, pack
from speciate.ensembles.transport import Hub
from speciate.evaluators import EvaluationConfig
from speciate.records import (
    RECEIVED,
    Chosen,
    EpochOpened,
    Evaluated,
    Event,
    FailureKind,
    Placed,
    Program,
    Received,
    RoundEnded,
)
from speciate.store import open_reader
from speciate.tasks import Task
from speciate.testing.ensembles import ALONE, TASK, histories, settings
from speciate.testing.evaluators import write_task
from speciate.testing.histories import events_of
from speciate.testing.knobs import knobs_program
from speciate.testing.nodes import ENSEMBLE, joined, parcel
from speciate.testing.runs import SmallRuns


def visited(task: Task, config: RunConfig, folder: Path, sent: Sequence[Parcel]) -> list[Event]:
    """Returns the history of a node that finds these messages in the log when its first round ends."""
    hub = Hub(wall=True)
    for each in sent:
        hub.join(joined(each.announcement.node))
        hub.append(each, None)
    evolve_node(task, config, name="host", transport=hub.port(), place="here", folder=folder)
    return events_of(folder)


def host(runs: SmallRuns, *more: Layer, **ensemble: object) -> RunConfig:
    """Returns the settings of a node that seeds guests and plays three short rounds."""
    config = settings(runs, "sequential", *more, nodes=None, name=ENSEMBLE, clock="wall", **ensemble)
    return config.model_copy(update={"ensemble": config.ensemble.model_copy(update={"nodes": ()})})


def of(sender: str, program: Program, *, round: int = 0, **changes: object) -> Parcel:
    """Returns a message, with an announcement that says something else in places."""
    announcement = parcel(sender, round).announcement.model_copy(update=changes)
    return pack(announcement, program)


GOOD = knobs_program(1.5, 2.0)


def test_whatever_cannot_be_meant_for_this_node_is_refused_with_a_reason_and_it_plays_on(
    runs: SmallRuns, tmp_path: Path
) -> None:
    stranger = Program.of({"initial.py": GOOD.source.replace('NAME = "knobs"', 'NAME = "mine"')})
    sent = [
        of("task", GOOD, task="another"),
        of("immutable", stranger),
        of("elsewhere", GOOD, ensemble="another"),
        replace(of("masked", GOOD), head=of("victim", GOOD).head),
        replace(of("version", GOOD), head=json.dumps({"version": 9}).encode()),
        replace(of("swapped", GOOD), body=encode(knobs_program(0.0, 0.0))),
        of("syntax", Program.of({"initial.py": GOOD.source.replace("y = 2.0", "y = (")})),
        of("good", GOOD),
    ]
    events = visited(TASK, host(runs), tmp_path / "host", sent)
    came = {e.node: e.refused for e in events if isinstance(e, Received)}
    assert came.pop("good") is None
    reasons = {
        "task": "of the task 'another'",
        "immutable": "NAME",
        "elsewhere": "another ensemble",
        "masked": "another ensemble or node",
        "version": "version 9",
        "swapped": "announced",
        "syntax": "line",
    }
    assert set(came) == set(reasons)
    for name, reason in reasons.items():
        assert reason in str(came[name])
    assert sum(isinstance(e, RoundEnded) for e in events) == 3
    assert len([e for e in events if isinstance(e, Received)]) == len(sent)  # once, not after every round


EVALUATE = """
    def evaluate(path):
        names = {}
        exec(open(path).read(), names)
        return names["answer"]()
    """
LOOP = "def answer():\n    while True: pass\n"
BOMB = "def answer():\n    return len([b'x' * (1 << 20 | n) for n in range(1 << 20)])\n"
HOSTILE: dict[str, tuple[str, set[FailureKind]]] = {
    "endless-loop": (LOOP, {FailureKind.CPU_LIMIT, FailureKind.WALL_LIMIT}),
    "memory-bomb": (BOMB, {FailureKind.MEMORY_LIMIT, FailureKind.EXCEPTION}),
    "exit": ("import os\ndef answer(): os._exit(0)\n", {FailureKind.EXIT}),
    "writer": ("def answer():\n    open('STAIN', 'w').write('x')\n    return 1e9\n", {FailureKind.EXCEPTION}),
}


def test_hostile_champions_harm_nobody_and_are_worth_nothing(runs: SmallRuns, tmp_path: Path) -> None:
    stain = tmp_path / "stain"
    (tmp_path / "task").mkdir()
    task = write_task(
        tmp_path / "task",
        {"initial.py": "def answer():\n    return 1\n", "evaluate.py": EVALUATE},
        initial="initial.py",
        evaluation={"kind": "plain"},
        limits={"cpu_seconds": 0.5, "wall_seconds": 10.0, "memory_mb": 256},
    )
    sent = [
        of(name, Program.of({"initial.py": text.replace("STAIN", str(stain))}), task="contract")
        for name, (text, _) in HOSTILE.items()
    ]
    elites: Layer = {"population": {"archive": {"kind": "elites"}}}
    config = host(runs, elites, rounds=2, iterations=2, seeding="better")
    events = visited(task, config, tmp_path / "host", sent)
    guests = {e.ordinal: e.proposer for e in events if isinstance(e, Chosen) and e.operator == RECEIVED}
    assert set(guests.values()) == {f"peer:{each.announcement.node}" for each in sent}
    outcomes = [e for e in events if isinstance(e, Evaluated) and e.ordinal in guests]
    failed = {guests[e.ordinal]: e.outcome.failure for e in outcomes}
    assert len(failed) == len(HOSTILE)
    for name, (_, kinds) in HOSTILE.items():
        failure = failed[f"peer:{name}"]
        assert failure is not None
        assert failure.kind in kinds
    assert not stain.exists()
    ended = [e for e in events if isinstance(e, RoundEnded)]
    assert len(ended) == 2
    assert all(e.champion is not None and e.champion not in guests for e in ended)


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_guests_of_one_drain_the_better_one_gets_the_cell(
    runs: SmallRuns, tmp_path: Path, turned: bool
) -> None:
    better, worse = knobs_program(-5.9, -4.0), knobs_program(-5.9, -5.9)
    sent = [of("b", better), of("c", worse)]
    # Nobody of its own comes there: the cell is in the farthest corner.
    config = host(runs, rounds=2, iterations=1, seeding="empty")
    events = visited(ALONE, config, tmp_path / "host", sent[::-1] if turned else sent)
    guests = {e.proposer: e.ordinal for e in events if isinstance(e, Chosen) and e.operator == RECEIVED}
    cells = {e.ordinal: e.placements for e in events if isinstance(e, Placed)}
    assert cells[guests["peer:b"]][0][1].cell == (0, 0)
    evicted = {gone for _, placement in cells[guests["peer:b"]] for gone in placement.evicted}
    if turned:
        assert evicted == {guests["peer:c"]}
    else:
        assert not cells[guests["peer:c"]] or not cells[guests["peer:c"]][0][1].kept


def test_a_champion_that_survives_three_rounds_counts_three_times(runs: SmallRuns, tmp_path: Path) -> None:
    sent = [of("b", GOOD, round=number) for number in range(3)]
    events = visited(TASK, host(runs, rounds=2), tmp_path / "host", sent)
    opened = [e for e in events if isinstance(e, EpochOpened)][-1]
    reader = open_reader(tmp_path / "host")
    company = json.loads(reader.text(opened.context.text))["opponents"]
    reader.close()
    assert company.count([list(pair) for pair in GOOD.manifest]) == 3


def test_nodes_of_a_sandboxed_task_may_be_islands(runs: SmallRuns) -> None:
    islands: Layer = {
        "population": {"archive": {"kind": "elites"}, "islands": 2, "migration_interval": 2},
        "evaluation": EvaluationConfig(slots=2).model_dump(mode="json"),
    }
    nodes: Layer = {"0": {"name": "a"}, "1": {"name": "b"}}
    config = settings(runs, "sequential", islands, nodes=nodes, rounds=1, iterations=2, seeding="better")
    for name, events in histories(evolve_ensemble("circle_packing", config)).items():
        guests = [e.ordinal for e in events if isinstance(e, Chosen) and e.operator == RECEIVED]
        scored = {e.ordinal: e.outcome.valid for e in events if isinstance(e, Evaluated)}
        assert [e.node for e in events if isinstance(e, Received)] == ["b" if name == "a" else "a"]
        assert guests
        assert all(scored.get(guest, True) for guest in guests)
        assert all(e.champion is not None for e in events if isinstance(e, RoundEnded))
