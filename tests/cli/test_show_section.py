from __future__ import annotations

from pathlib import Path

import pytest

from speciate.testing.command_line import CommandLine


@pytest.fixture
def run(cli: CommandLine, task: Path) -> Path:
    options = ("--model", "simulated:sloppy", "--model", "genetic", "--set", "population.islands=2")
    cli("run", task, "--candidates", "16", "--out", "run", *options, "--set", "novelty.embedding=paths")
    return Path("run")


@pytest.mark.parametrize(
    ("section", "words", "keys"),
    [
        ("ancestry", "when it was placed", {"path", "operators_on_path", "stepping_stones"}),
        ("failures", "", {"endings", "failures", "rejections"}),
        ("islands", "branches are alive", {"islands", "branches"}),
        ("novelty", "fingerprint", {"screens", "tried_again"}),
        ("proposers", "simulated:sloppy", {"proposer_work", "operator_work", "proposer_shares", "replies"}),
    ],
)
def test_a_part_of_the_report_is_printed_alone(
    cli: CommandLine, run: Path, section: str, words: str, keys: set[str]
) -> None:
    said = cli("show", run, "--section", section)
    assert said.code == 0
    assert words in said.out
    assert "|" not in said.out.split("\n")[0]
    assert set(cli("show", run, "--section", section, "--json").json) == keys


def test_the_summary_tells_islands_and_shares(cli: CommandLine, run: Path) -> None:
    words, value = cli("show", run).out, cli("show", run, "--json").json
    assert set(value["archive"]["islands"]) == {"0", "1"}
    assert " on 2 islands (" in words
    assert "proposer          share" in words


def test_a_candidate_tells_what_it_is_like(cli: CommandLine, run: Path) -> None:
    ordinals = range(1, 17)
    told = [cli("show", run, "--candidate", str(ordinal), "--json").json for ordinal in ordinals]
    near = next(one for one in told if one["novelty"] and one["novelty"]["nearest"] is not None)
    words = cli("show", run, "--candidate", str(near["ordinal"])).out
    assert f"to candidate {near['novelty']['nearest']}" in words


def test_a_section_excludes_other_parts_and_has_no_program_to_write(cli: CommandLine, run: Path) -> None:
    assert "exclude each other" in cli("show", run, "--section", "novelty", "--best").err
    assert "--write writes a program" in cli("show", run, "--section", "novelty", "--write", "x").err
