from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from speciate.engine.settings import Layer, compose
from speciate.ensembles import check_opponents, evolve
from speciate.errors import ConfigError, TaskError, UsageError
from speciate.evaluators import build_evaluator, evaluator_hash
from speciate.evaluators.build import EvaluationConfig
from speciate.novelty import fingerprint
from speciate.problems.corewar.redcode import assemble
from speciate.problems.corewar.settings import PRESETS
from speciate.problems.corewar.task import load
from speciate.problems.corewar.warriors import load_builtin
from speciate.records import Evaluated, Json, Program, RejectedEvent, history
from speciate.store import RunHistory, open_reader
from speciate.tasks import has_validator, load_task

NANO: dict[str, Json] = {"preset": "nano", "rounds": 3}
QUICK: Layer = {"task": {"parameters": NANO}}


def test_the_problem_is_found_by_name() -> None:
    task = load_task("corewar", NANO)
    assert (task.name, task.spec.language, task.spec.program.files) == (
        "corewar",
        "redcode",
        ("warrior.red",),
    )
    assert task.objectives[0].direction == "maximize"
    assert task.spec.proposers == ("redcode",)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_the_initial_program_fits_every_preset(preset: str) -> None:
    task = load({"preset": preset})
    warrior = assemble(task.initial.source, PRESETS[preset])
    assert not warrior.notes
    assert task.syntax is not None
    assert task.syntax(task.initial) is None


def test_opponents_are_the_built_in_ones_that_fit() -> None:
    sources = {warrior.source for warrior in load_builtin("initial")}
    assert {opponent.source for opponent in load().context.opponents} == sources
    nano = {opponent.source for opponent in load({"preset": "nano"}).context.opponents}
    assert nano < sources
    assert all(assemble(source, PRESETS["nano"]) for source in nano)
    assert load({"opponents": "none"}).context.opponents == ()


def test_opponents_may_come_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "imp.red").write_text("MOV 0, 1\n")
    (tmp_path / "notes.txt").write_text("none of them")
    assert [each.source for each in load({"opponents": str(tmp_path)}).context.opponents] == ["MOV 0, 1\n"]
    (tmp_path / "odd.red").write_text("MOOV 0, 1\n")
    with pytest.raises(TaskError, match=r"odd\.red: .*line 1"):
        load({"opponents": str(tmp_path)})


def test_axes_and_their_edges_are_parameters() -> None:
    task = load({"axes": ["uo", "pl", "mc"], "edges": {"pl": [2, 4.5]}})
    found = {descriptor.name: descriptor.edges for descriptor in task.spec.descriptors}
    assert list(found) == ["uo", "pl", "mc"]
    assert found["pl"] == (2.0, 4.5)
    assert found["mc"] == (10, 100, 500, 1000, 4000)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"edges": {"uo": [1, 2]}}, r"parameters\.edges\.uo: this is none of the axes"),
        (
            {"edges": {"mc": [2, 1]}},
            r"parameters\.edges\.mc is \[2, 1\]; expected a list of increasing numbers",
        ),
        ({"edges": {"mc": []}}, "increasing numbers"),
        ({"edges": {"mc": [1, "x"]}}, "increasing numbers"),
        ({"edges": {"mc": [1, float("nan")]}}, "increasing numbers"),
        ({"edges": {"mc": [1, float("inf")]}}, "increasing numbers"),
        ({"edges": {"mc": [1, 10**400]}}, "increasing numbers"),
        ({"opponents": ""}, "no warrior and no folder ''"),
        ({"rules": {"max_length": 8000}}, r"parameters\.opponents: .* no room for 5 .* at most 0 here"),
        ({"opponents": "inital"}, "no warrior and no folder 'inital'; did you mean 'initial'"),
        ({"opponents": "imp,dwarff"}, "did you mean 'dwarf'"),
        ({"round": 3}, "no parameter 'round'; did you mean 'rounds'"),
    ],
)
def test_nonsense_is_told(parameters: Mapping[str, Json], said: str) -> None:
    with pytest.raises(TaskError, match=said):
        load(parameters)


def test_a_run_that_would_outgrow_the_core_in_a_late_round_is_refused_before_it_starts() -> None:
    task = load({"preset": "nano"})
    own = len(task.context.opponents)
    assert task.room == 15
    assert load({"preset": "nano", "protocol": "survival"}).room is None
    fits: Layer = {"ensemble": {"rounds": 15 - own + 1, "opponents": {"max": 24, "champions": 20}}}
    check_opponents(task, compose([fits]))
    too_long: Layer = {"ensemble": {"rounds": 15 - own + 2}}
    said = rf"round {15 - own + 2} would have 16, .* set ensemble\.opponents\.max=15"
    with pytest.raises(ConfigError, match=said):
        check_opponents(task, compose([fits, too_long]))
    check_opponents(task, compose([fits, too_long, {"ensemble": {"opponents": {"max": 15}}}]))
    check_opponents(task, compose([fits, too_long, {"ensemble": {"opponents": {"champions": 3}}}]))
    check_opponents(load({"preset": "nano", "protocol": "survival"}), compose([fits, too_long]))


def test_syntax_is_checked_before_a_battle_with_a_message_for_models() -> None:
    task = load(NANO)
    assert task.syntax is not None
    said = task.syntax(Program.of({"warrior.red": "MOV 0, 1\nJUMP -1\n"}))
    assert said is not None
    assert "line 2" in said
    assert "JMP" in said
    assert "5" in (task.syntax(Program.of({"warrior.red": "NOP 0, 0\n" * 6})) or "")


def test_rules_under_which_the_initial_program_is_too_long_are_told() -> None:
    task = load({"rules": {"max_length": 3, "min_distance": 3}})
    assert task.syntax is not None
    assert task.syntax(task.initial) is not None


def run(folder: Path, *layers: Layer, **parameters: Json) -> None:
    base: Layer = {"task": {"parameters": {**NANO, **parameters}}, "budget": {"candidates": 30}, "seed": 1}
    config = compose([base, *layers])
    evolve("corewar", config, folder=folder)


def recorded(folder: Path) -> list[object]:
    with closing(open_reader(folder)) as reader:
        return list(history(stored.event for stored in reader.events()))


@pytest.mark.parametrize("driver", ["sequential", "pipeline"])
def test_a_run_without_a_model_is_the_same_again(driver: str, tmp_path: Path) -> None:
    """Also where candidates fight in several threads at once."""
    for name in ("a", "b"):
        run(tmp_path / name, {"driver": driver, "pipeline": {"in_flight": 3}, "evaluation": {"slots": 3}})
    assert recorded(tmp_path / "a") == recorded(tmp_path / "b")


def test_a_run_keeps_a_grid_and_draws_uniformly_unless_it_is_told_otherwise(tmp_path: Path) -> None:
    config = evolve("corewar", compose([{"budget": {"candidates": 1}, **QUICK}])).config
    assert (config.population.archive.kind, config.selection.policy) == ("grid", "uniform")
    told: Layer = {"selection": {"policy": "cells"}, "population": {"archive": {"kind": "elites"}}}
    config = evolve("corewar", compose([{"budget": {"candidates": 1}, **QUICK}, told])).config
    assert (config.population.archive.kind, config.selection.policy) == ("elites", "cells")


REPLY = """Summary: a crowd that shoots

```redcode
;name Crowd
;strategy Splits and bombs.
        SPL 0
        ADD.AB #7, 2
        MOV.I 1, @1
        DAT #0, #0
```
"""


def test_a_model_writes_warriors_beside_the_operators(tmp_path: Path) -> None:
    lines = [json.dumps({"reply": REPLY.replace("#7", f"#{step}")}) for step in (3, 7, 9, 11)]
    (tmp_path / "replies.jsonl").write_text("\n".join([*lines, json.dumps({"reply": "MOVE it, boldly."})]))
    models: list[Json] = [f"scripted:{tmp_path / 'replies.jsonl'}?choose=cycle", "redcode"]
    run(tmp_path / "run", {"models": models, "driver": "sequential"})
    with closing(open_reader(tmp_path / "run")) as reader:
        counts = RunHistory(reader).proposers()
    assert {name: found.valid > 3 for name, found in counts.items()} == dict.fromkeys(models, True)


@pytest.mark.parametrize(
    ("source", "same"),
    [
        (";name Another\n; a comment\nMOV.I $0, $1\n", True),
        ("step EQU 1\nhere: mov here, here+step\n", True),
        ("ORG 1\nMOV 0, 1\n", True),  # outside of the program: 0 is taken
        ("MOV 0, 1\nDAT 0, 0\n", False),
        ("PIN 1\nMOV 0, 1\n", False),
        ("MOV 0, 2\n", False),
        ("MOV 0,\n", False),
    ],
)
def test_equal_code_is_one_warrior_whatever_it_is_called(source: str, same: bool) -> None:
    task = load(NANO)

    def taken(text: str) -> str:
        return fingerprint(Program.of({"warrior.red": text}), "redcode", task.canonical)

    assert (taken(source) == taken("MOV 0, 1\n")) == same


def test_the_start_is_part_of_the_code() -> None:
    canonical = load(NANO).canonical
    assert canonical is not None
    first, second = (Program.of({"warrior.red": f"ORG {start}\nNOP 0\nMOV 0, 1\n"}) for start in (0, 1))
    assert canonical(first) != canonical(second)


RENAMED = (";name One\nloop MOV.I $0, $1\nJMP loop\n", ";name Two\nMOV.I $0, $1\nJMP -1\n")


@pytest.mark.parametrize("told", [True, False])
def test_a_warrior_with_another_name_is_not_fought_again(told: bool, tmp_path: Path) -> None:
    lines = [json.dumps({"reply": f"```redcode\n{source}```"}) for source in RENAMED]
    (tmp_path / "replies.jsonl").write_text("\n".join(lines))
    replies = f"scripted:{tmp_path / 'replies.jsonl'}?choose=cycle"
    alone: Layer = {
        "models": [replies],
        "driver": "sequential",
        "attempts": {"resamples": 1},
        "novelty": {"fingerprint": told},
        "budget": {"candidates": 2},
    }
    run(tmp_path / "run", alone)
    with closing(open_reader(tmp_path / "run")) as reader:
        events = [stored.event for stored in reader.events()]
    refused = [event.reason for event in events if isinstance(event, RejectedEvent)]
    reused = [
        event.ordinal - event.cached for event in events if isinstance(event, Evaluated) and event.cached
    ]
    assert (refused, reused) == ((["duplicate"], []) if told else ([], [1]))


def test_what_decides_a_score_is_part_of_a_run_s_identity() -> None:
    task = load(NANO)
    assert set(task.scored_by) == {"simulator", "redcode", "scoring"}
    other = replace(task, scored_by={**task.scored_by, "simulator": "another"})
    assert evaluator_hash(other) != evaluator_hash(task)


def test_a_simulator_that_is_not_here_is_refused_before_anything_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SPECIATE_MARS", "rust")
    task = load(NANO)
    with pytest.raises(UsageError, match="SPECIATE_MARS is 'rust'"):
        build_evaluator(task, EvaluationConfig())


def test_minds_compete_in_one_run() -> None:
    minds: list[Json] = ["redcode:imp", "redcode:bomber?new=1&mutate=0&crossover=0"]
    evolution = evolve(
        "corewar",
        compose([{"models": minds, "budget": {"candidates": 24}, "task": {"parameters": {"rounds": 2}}}]),
    )
    assert evolution.best is not None
    assert evolution.best.outcome.valid


def test_rounds_meet_their_champions(tmp_path: Path) -> None:
    """The company of a context is a plain list of programs, so that whoever plays rounds can add to it."""
    task = load({"preset": "tiny", "rounds": 2})
    evaluate = task.trusted
    assert evaluate is not None
    alone = evaluate(task.initial, replace(task.context, opponents=()))
    joined = evaluate(task.initial, replace(task.context, opponents=(*task.context.opponents, task.initial)))
    assert len(alone.cases) == 0
    assert joined.cases[-1].case == "Seedling"


def test_opponents_by_name() -> None:
    task = load({"opponents": "imp, dwarf"})
    assert [len(program.files) for program in task.context.opponents] == [1, 1]


def test_a_champion_is_measured_against_warriors_that_the_search_never_meets() -> None:
    task = load({"preset": "tiny", "rounds": 2, "heldout": "imp"})
    assert task.generality is not None
    assert task.generality(Program.of({"warrior.red": "MOV 0, 1"})) == 1.0  # an imp ties with an imp
    assert task.generality(Program.of({"warrior.red": "DAT 0, 0"})) == 0.0
    assert load({"heldout": "none"}).generality is None


def test_its_scores_can_refuse_a_candidate() -> None:
    assert has_validator(load())


def test_an_evaluator_is_built_for_threads_as_the_task_wants() -> None:
    task = load(NANO)
    settings = task.spec.defaults["evaluation"]
    config = EvaluationConfig.model_validate({**settings, "slots": 3})  # type: ignore[dict-item]  # JSON
    assert build_evaluator(task, config).slots == 3
