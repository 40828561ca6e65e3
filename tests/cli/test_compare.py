from __future__ import annotations

from pathlib import Path

from speciate.testing.command_line import CommandLine


def evolve(cli: CommandLine, task: Path, out: str, *more: str) -> None:
    assert cli("run", task, "--candidates", "8", "--out", out, "--quiet", *more).code == 0


def test_runs_are_compared_in_one_table(cli: CommandLine, task: Path) -> None:
    evolve(cli, task, "a")
    evolve(cli, task, "b", "--set", "selection.policy=uniform")
    said = cli("compare", "a", "b")
    assert said.code == 0
    assert "| selection.policy | weighted | uniform |" in said.out
    assert "another seed may turn the order around" in said.out


def test_the_object_and_the_files(cli: CommandLine, task: Path) -> None:
    evolve(cli, task, "a")
    evolve(cli, task, "b", "--seed", "1")
    told = cli("compare", "a", "b", "--by", "evaluations", "--out", "both", "--json").json
    assert told["budget"]["unit"] == "evaluations"
    assert [run["seed"] for run in told["runs"]] == [0, 1]
    assert told["differences"] == {}
    assert told["files"] == ["both/compare.md", "both/compare.png"]
    assert all(Path(name).is_file() for name in told["files"])


def test_one_run_cannot_be_compared(cli: CommandLine, task: Path) -> None:
    evolve(cli, task, "a")
    said = cli("compare", "a")
    assert said.code == 2
    assert "two runs or more" in said.err


def test_a_folder_without_a_run_is_misuse(cli: CommandLine, tmp_path: Path) -> None:
    said = cli("compare", tmp_path, tmp_path, "--json")
    assert said.code == 2
    assert "holds no run" in said.json["error"]
