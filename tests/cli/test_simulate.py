"""Simulated ensembles from the command line."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from speciate.testing.command_line import CommandLine

SHORT = ("--rounds", "3", "--iterations", "3", "--nodes", "4", "--set", "population.archive.kind=grid")


def test_a_curve_has_a_line_a_round_and_the_end(cli: CommandLine, task: Path) -> None:
    said = cli("simulate", task, *SHORT)
    assert said.code == 0, said.err
    first = [line.split()[0] for line in said.out.splitlines()[:5]]
    assert first == ["round", "1", "2", "3", "end"]
    assert "4 nodes, 3 rounds of 3 proposals" in said.err


def test_one_object_tells_of_every_policy(cli: CommandLine, task: Path) -> None:
    words = ("--topology", "all", "--topology", "random:1", "--sharing", "all", "--sharing", "best:1")
    said = cli("simulate", task, *SHORT, *words, "--json")
    assert said.code == 0, said.err
    found = {(one["topology"], one["sharing"]): one for one in said.json["simulations"]}
    assert len(found) == 4
    assert said.json["nodes"] == 4
    assert all(len(one["curve"]) == 3 for one in found.values())
    assert found["all", "all"]["end"]["bytes"] > found["random:1", "all"]["end"]["bytes"] > 0
    assert found["all", "all"]["end"]["bytes"] > found["all", "best:1"]["end"]["bytes"]


def test_equal_seeds_give_equal_simulations_and_others_do_not(cli: CommandLine, task: Path) -> None:
    words = ("simulate", task, *SHORT, "--loss", "0.4", "--delay", "lognormal:2:1", "--json", "--seed")
    first, again, other = (cli(*words, seed).json["simulations"] for seed in ("1", "1", "2"))
    assert first == again
    assert first != other


def test_all_points_are_written_as_csv(cli: CommandLine, task: Path, tmp_path: Path) -> None:
    said = cli("simulate", task, *SHORT, "--every", "3", "--churn", "late:0.5", "--out", "curve.csv")
    assert said.code == 0, said.err
    rows = list(csv.DictReader((tmp_path / "curve.csv").read_text().splitlines()))
    assert [row["round"] for row in rows] == ["1", "2", "3", "end"]
    assert [bool(row["qd_score"]) for row in rows] == [False, False, True, True]


WRONG = {
    ("--delay", "soon"): "is no time",
    ("--partition", "3"): "BEGIN:END",
    ("--partition", "9:3"): "a later end",
    ("--churn", "dead:0.1"): "late:SHARE",
    ("--churn", "dies"): "late:SHARE",
    ("--sharing", "most"): "best:N",
    ("--topology", "star"): "star",
    ("--loss", "2"): "share from 0 to 1",
    ("--model", "openai:gpt-5-mini"): "would really be asked",
}


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_what_cannot_be_simulated_is_misuse(cli: CommandLine, task: Path, words: tuple[str, str]) -> None:
    said = cli("simulate", task, *SHORT, *words)
    assert said.code == 2
    assert WRONG[words] in said.err


def test_policies_on_a_task_with_company_are_compared_in_one_company(cli: CommandLine) -> None:
    words = ("--set", "task.parameters.preset=nano", "--set", "task.parameters.rounds=2", "--rounds", "1")
    said = cli(
        "simulate", "corewar", *words, "--nodes", "2", "--iterations", "2", "--topology", "all", "--json"
    )
    again = cli(
        "simulate",
        "corewar",
        *words,
        "--nodes",
        "2",
        "--iterations",
        "2",
        *("--topology", "all") * 2,
        "--json",
    )
    assert (said.code, again.code) == (0, 0), said.err + again.err
    one, other = again.json["simulations"]
    assert one["end"] == other["end"]
    assert one["end"]["coverage"] is not None
