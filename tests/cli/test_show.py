from __future__ import annotations

from pathlib import Path

import pytest

from speciate.store import RunHistory, open_reader
from speciate.testing.command_line import CommandLine


@pytest.fixture
def run(cli: CommandLine, task: Path) -> Path:
    cli("run", task, "--candidates", "40", "--out", "run", "--set", "population.archive.kind=grid")
    return Path("run")


@pytest.fixture
def asked(cli: CommandLine, task: Path) -> Path:
    cli("run", task, "--candidates", "8", "--out", "asked", "--model", "simulated:sloppy")
    return Path("asked")


def test_the_summary_has_words_and_json(cli: CommandLine, run: Path) -> None:
    words, value = cli("show", run), cli("show", run, "--json").json
    assert "Best score" in words.out
    assert f"candidate {value['best']['ordinal']}" in words.out
    assert value["archive"]["coverage"] > 0


def test_best_prints_the_best_program_alone(cli: CommandLine, run: Path) -> None:
    assert cli("show", run, "--best").out == (run / "best" / "numbers.py").read_text()


def test_best_in_json_has_source_and_score(cli: CommandLine, run: Path) -> None:
    value = cli("show", run, "--best", "--json").json
    assert value["files"]["numbers.py"] == (run / "best" / "numbers.py").read_text()
    assert value["score"] == cli("show", run, "--json").json["best"]["score"]


def test_a_candidate_is_told_from_choice_to_place(cli: CommandLine, run: Path) -> None:
    best = cli("show", run, "--json").json["best"]["ordinal"]
    words, value = (
        cli("show", run, "--candidate", str(best)).out,
        cli("show", run, "--candidate", str(best), "--json").json,
    )
    for part in (
        "chosen ",
        "parents ",
        "lineage ",
        "evaluated ",
        "placed ",
        "--- a/numbers.py",
        "--- numbers.py",
    ):
        assert part in words
    assert value["lineage"][0] == 0
    assert value["lineage"][-1] == best
    assert value["choice"]["parents"][0] == value["lineage"][-2]
    assert "+++ b/numbers.py" in value["difference"]
    assert value["placements"][0]["island"] == 0
    assert list(value["scores"].values()) == [value["score"]]


def test_the_score_of_a_candidate_is_in_the_users_direction(cli: CommandLine, run: Path) -> None:
    assert cli("show", run, "--candidate", "0", "--json").json["score"] == 8.0


def test_a_failed_candidate_says_why(cli: CommandLine, run: Path) -> None:
    with_failure = [c.ordinal for c in _history(run).candidates.values() if c.status == "failed"]
    assert with_failure
    assert "failure    invalid" in cli("show", run, "--candidate", str(with_failure[0])).out


def test_a_rejected_candidate_shows_every_rejection(cli: CommandLine, asked: Path) -> None:
    rejected = [c for c in _history(asked).candidates.values() if c.rejections]
    assert rejected
    words = cli("show", asked, "--candidate", str(rejected[0].ordinal)).out
    assert f"rejected at {rejected[0].rejections[0].step}" in words


def test_a_prompt_is_shown_with_every_attempt(cli: CommandLine, asked: Path) -> None:
    most = max(_history(asked).candidates.values(), key=lambda c: c.attempts)
    assert most.attempts > 1
    words, value = (
        cli("show", asked, "--prompt", str(most.ordinal)).out,
        cli("show", asked, "--prompt", str(most.ordinal), "--json").json,
    )
    assert words.count("=== attempt") == len(value["exchanges"]) == most.attempts
    assert all(exchange["reply"]["text"] for exchange in value["exchanges"])
    assert "# Task: sum" in words


def test_a_genetic_candidate_asked_no_model(cli: CommandLine, run: Path) -> None:
    assert "asked no model" in cli("show", run, "--prompt", "1").out
    assert cli("show", run, "--prompt", "1", "--json").json["exchanges"] == []


def test_rollback_names_the_best_before_and_writes_it(cli: CommandLine, run: Path) -> None:
    best = cli("show", run, "--json").json["best"]["ordinal"]
    before = cli("show", run, "--rollback", str(best), "--json").json
    assert before["ordinal"] < best
    said = cli("show", run, "--rollback", str(best), "--write", "old")
    assert f"candidate {before['ordinal']}" in said.out
    there = cli("show", run, "--candidate", str(before["ordinal"]), "--json").json["files"]
    assert Path("old", "numbers.py").read_text() == there["numbers.py"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--candidate", "999"], "candidates 0 to 40"),
        (["--prompt", "-1"], "no candidate -1"),
        (["--rollback", "0"], "nothing valid was placed before candidate 0"),
        (["--best", "--candidate", "1"], "exclude each other"),
        (["--write", "x"], "name it by --best"),
        (["--prompt", "1", "--write", "x"], "name it by --best"),
    ],
)
def test_what_is_not_there_is_one_sentence(
    cli: CommandLine, run: Path, words: list[str], message: str
) -> None:
    said = cli("show", run, *words)
    assert said.code == 2
    assert message in said.err
    assert len(said.err.splitlines()) == 1


def _history(folder: Path) -> RunHistory:
    reader = open_reader(folder)
    try:
        return RunHistory(reader)
    finally:
        reader.close()


def test_every_objective_of_a_candidate_is_told_in_its_own_direction(
    cli: CommandLine, tmp_path: Path
) -> None:
    (folder := tmp_path / "two").mkdir()
    (folder / "task.toml").write_text(
        'name = "two"\nobjectives = [{name = "gain"}, {name = "loss", direction = "minimize"}]\n'
        'evaluation = {kind = "trusted"}\nprogram = {mutable = "whole"}\n'
    )
    (folder / "initial.py").write_text("x = 1.0\n")
    (folder / "evaluate.py").write_text(
        'def evaluate(program, context):\n    return {"objectives": {"gain": 2.5, "loss": 7.5}}\n'
    )
    cli("run", folder, "--candidates", "1", "--out", "two_run")
    assert "valid, gain 2.5, loss 7.5" in cli("show", "two_run", "--candidate", "0").out
    assert cli("show", "two_run", "--candidate", "0", "--json").json["scores"] == {"gain": 2.5, "loss": 7.5}
