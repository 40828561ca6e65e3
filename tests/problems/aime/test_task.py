"""The problem as users meet it: runs, its preset, and the comparison across years and models."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from speciate.engine import evolve
from speciate.engine.settings import compose, load_preset
from speciate.problems.aime import load
from speciate.problems.aime.problems import SHIPPED, Problem, read_problems
from speciate.records import Asked, Json, queried
from speciate.store import open_reader
from speciate.store.reader import RunHistory
from speciate.testing.command_line import CommandLine


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


@pytest.fixture
def few(tmp_path: Path) -> tuple[Path, list[Problem]]:
    """A file with two problems of year 1 and one of year 3, and the problems."""
    shipped = read_problems(SHIPPED)
    some = [*(p for p in shipped if p.year == 1)][:2] + [p for p in shipped if p.year == 3][:1]
    file = tmp_path / "few.jsonl"
    rows = ({"name": p.name, "problem": p.text, "answer": p.answer, "year": p.year} for p in some)
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return file, some


def test_a_run_keeps_answers_and_held_out_years_out_of_every_prompt(
    tmp_path: Path, few: tuple[Path, list[Problem]]
) -> None:
    file, problems = few
    parameters: dict[str, Json] = {"problems": str(file), "heldout": [3], "repeats": 2, "agent": "majority"}
    settings: dict[str, Json] = {
        "seed": 1,
        "models": ["simulated:bold"],
        "budget": {"candidates": 3},
        "evaluation": {"slots": 2},
        "task": {"parameters": parameters},
        "population": {"archive": {"kind": "pareto"}},
    }
    evolve("aime", compose([settings]), folder=tmp_path / "run")
    with closing(open_reader(tmp_path / "run")) as reader:
        history = RunHistory(reader)
        asked = [s.event for s in reader.events() if isinstance(s.event, Asked) and not queried(s.event)]
        prompts = ["".join(m.text for m in history.prompt(e.ordinal, e.attempt, e.part)) for e in asked]
        outcome = history.outcome(0)
    assert prompts
    for prompt in prompts:
        assert "accuracy" in prompt
        assert "accuracy_3" not in prompt
        assert not any(p.text in prompt or p.name in prompt for p in problems)
    assert outcome is not None
    assert outcome.result is not None
    assert outcome.result.private["calls_3"] == 5.0
    assert outcome.result.public["calls"] == 5.0
    assert len(outcome.result.cases) == 2 * 3


def test_the_small_preset_fits_the_problem() -> None:
    preset = load_preset("aime-small")
    config = compose([preset.settings])
    assert preset.task == "aime"
    assert load(config.task.parameters).spec.parameters["model"] == "simulated:mathematician"
    assert config.population.archive.kind == "pareto"


def test_the_tables_of_the_paper(cli: CommandLine, few: tuple[Path, list[Problem]]) -> None:
    words = ["transfer", "base", "majority", "--problems", str(few[0]), "--repeats", "2", "--json"]
    said = cli(*words, "--model", "simulated:pupil", "--model", "simulated:professor")
    assert said.code == 0, said.err
    cells = {(c["agent"], c["model"], c["year"]): c for c in said.json["cells"]}
    assert set(cells) == {
        (agent, model, year)
        for agent in ("base", "majority")
        for model, year in (("simulated:pupil", 1), ("simulated:pupil", 3), ("simulated:professor", 1))
    }
    assert {(agent, cell["calls"]) for (agent, _, _), cell in cells.items()} == {("base", 1), ("majority", 5)}
    assert cells["base", "simulated:pupil", 1]["problems"] == 2
    assert "| Year, with simulated:pupil | base | majority |" in said.err
    assert "| Model, on 1 | base | majority |" in said.err
    assert "Simulated characters answer by chance" in said.err


def test_the_comparison_stops_at_its_cap(cli: CommandLine, few: tuple[Path, list[Problem]]) -> None:
    said = cli("transfer", "base", "--problems", str(few[0]), "--year", "3", "--max-calls", "2")
    assert said.code == 1
    assert "the cap of 2 calls" in said.err


def test_an_agent_that_cannot_be_read_is_told(cli: CommandLine) -> None:
    said = cli("transfer", "nobody.py")
    assert said.code == 2
    assert "'nobody.py' is no agent (base, majority, review)" in said.err
