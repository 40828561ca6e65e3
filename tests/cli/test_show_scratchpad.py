from __future__ import annotations

from pathlib import Path

import pytest

from speciate.testing.command_line import CommandLine


@pytest.fixture
def advised(cli: CommandLine, task: Path) -> Path:
    cli(
        "run", task, "--candidates", "60", "--out", "run", "--model", "simulated:bold",
        "--set", "scratchpad.enabled=true", "--set", "scratchpad.interval=5", "--set", "bandit.kind=ucb",
    )  # fmt: skip
    return Path("run")


def test_the_scratchpad_is_shown_with_what_it_was_worth(cli: CommandLine, advised: Path) -> None:
    said = cli("show", advised, "--scratchpad").out
    for part in ("Scratchpad after 12 updates", "worth ", "cost ", "length ", "Insights", "Recommendations"):
        assert part in said
    value = cli("show", advised, "--scratchpad", "--json").json
    assert value["updates"] == 12
    assert value["recommendations"][0]["number"] == 1
    assert value["advised"]["ended"] > value["without"]["ended"] > 0


def test_a_prompt_shows_what_its_candidate_saw_and_not_the_keepers(cli: CommandLine, advised: Path) -> None:
    exchanges = cli("show", advised, "--prompt", "5", "--json").json["exchanges"]
    assert {exchange["purpose"] for exchange in exchanges} == {"propose"}
    assert cli("doctor", advised).out.endswith("All is well\n")


def test_without_a_scratchpad_it_says_how_to_get_one(cli: CommandLine, task: Path) -> None:
    cli("run", task, "--candidates", "5", "--out", "run")
    said = cli("show", "run", "--scratchpad")
    assert said.code == 2
    assert "scratchpad.enabled=true" in said.err
    assert cli("show", "run", "--scratchpad", "--best").code == 2
    assert cli("show", "run", "--scratchpad", "--write", "x").code == 2


def test_a_run_goes_on_with_other_models(cli: CommandLine, task: Path) -> None:
    cli("run", task, "--candidates", "20", "--out", "run", "--set", "bandit.kind=ucb")
    said = cli("resume", "run", "--candidates", "40", "--set", "models=['genetic', 'simulated:bold']")
    assert said.code == 0
    assert cli("resume", "run", "--candidates", "50").code == 0
    proposers = cli("show", "run", "--json").json["proposers"]
    assert proposers["simulated:bold"]["assigned"] >= 10
    assert cli("doctor", "run").out.endswith("All is well\n")
