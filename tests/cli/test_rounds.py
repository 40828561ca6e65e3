"""Rounds from the command line: summary, champions, heat map, resume, doctor."""

from __future__ import annotations

from pathlib import Path

from speciate.testing.command_line import CommandLine

GRID = ("--set", "population.archive.kind=grid")
ROUNDS = ("--set", "ensemble.rounds=3", "--set", "ensemble.iterations=5", "--driver", "sequential")


def test_a_run_tells_its_rounds_and_writes_its_champions(
    cli: CommandLine, task: Path, tmp_path: Path
) -> None:
    said = cli("run", task, *GRID, *ROUNDS, "--out", "played", "--json")
    assert said.code == 0
    assert said.json["stop_reason"] == "rounds"
    assert [played["number"] for played in said.json["rounds"]] == [0, 1, 2]
    champions = sorted((tmp_path / "played" / "champions").iterdir())
    assert [path.name for path in champions] == ["round-001.py", "round-002.py", "round-003.py"]
    assert all("FIRST" in path.read_text() for path in champions)


def test_in_words_there_are_a_table_of_rounds_and_the_archive(cli: CommandLine, task: Path) -> None:
    said = cli("run", task, *GRID, *ROUNDS)
    assert "all rounds are played" in said.out
    assert "score in its round" in said.out
    assert "Archive: first →" in said.out


def test_a_run_that_stopped_within_a_round_goes_on_in_it(cli: CommandLine, task: Path) -> None:
    cut = cli("run", task, *GRID, *ROUNDS, "--candidates", 7, "--out", "cut", "--json")
    assert (cut.json["stop_reason"], len(cut.json["rounds"])) == ("candidates", 1)
    more = cli("resume", "cut", "--candidates", 100, "--json")
    whole = cli("run", task, *GRID, *ROUNDS, "--out", "whole", "--json")
    assert more.json["rounds"] == whole.json["rounds"]


def test_the_doctor_decides_rounds_again(cli: CommandLine, task: Path) -> None:
    cli("run", task, *GRID, *ROUNDS, "--out", "played")
    said = cli("doctor", "played", "--json")
    assert said.code == 0
    assert said.json["findings"] == []
