from __future__ import annotations

from pathlib import Path

from speciate.testing.command_line import CommandLine


def evolve(cli: CommandLine, task: Path, out: str, *more: str) -> None:
    assert cli("run", task, "--candidates", "12", "--out", out, "--quiet", *more).code == 0


def test_thresholds_are_shown_with_what_they_would_stop(cli: CommandLine, task: Path) -> None:
    evolve(cli, task, "a")
    evolve(cli, task, "b", "--seed", "1")
    said = cli("novelty", "a", "b", "--threshold", "0.5", "--threshold", "1")
    assert said.code == 0
    assert "suspicious" in said.out
    assert "genetic" in said.out


def test_the_object(cli: CommandLine, task: Path) -> None:
    evolve(cli, task, "a")
    told = cli("novelty", "a", "--threshold", "-1", "--threshold", "1", "--json").json
    low, high = told["thresholds"]
    assert low["suspicious"] == told["compared"] > 0 == high["suspicious"]
    assert told["judge"] is None


def test_recorded_comparisons_and_the_summary_agree(cli: CommandLine, task: Path) -> None:
    settings = (
        "--set",
        "novelty.embedding=paths",
        "--set",
        "novelty.genetic=true",
        "--set",
        "novelty.threshold=1",
    )
    evolve(cli, task, "a", *settings)
    told = cli("novelty", "a", "--recorded", "--json").json
    shown = cli("show", "a", "--json").json
    assert told["compared"] == shown["novelty"]["compared"] > 0
    assert "compared" in cli("show", "a").out


def test_a_run_that_compared_nothing_has_no_records(cli: CommandLine, task: Path) -> None:
    evolve(cli, task, "a")
    said = cli("novelty", "a", "--recorded")
    assert said.code == 2
    assert "--recorded" in said.err


def test_a_threshold_is_a_cosine(cli: CommandLine, task: Path) -> None:
    evolve(cli, task, "a")
    assert cli("novelty", "a", "--threshold", "95").code == 2
