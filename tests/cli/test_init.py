from __future__ import annotations

from pathlib import Path

from speciate.testing.command_line import CommandLine


def test_a_new_task_runs_at_once(cli: CommandLine) -> None:
    value = cli("init", "mine", "--json").json
    assert value["next"] == ["speciate check ./mine", "speciate run ./mine --candidates 200"]
    assert all(Path(file).is_file() for file in value["files"])
    said = cli("run", "./mine", "--candidates", "4", "--json")
    assert said.code == 0
    assert said.json["counts"]["valid"] >= 1


def test_nothing_is_overwritten(cli: CommandLine) -> None:
    cli("init", "mine")
    Path("mine", "task.toml").write_text("changed")
    said = cli("init", "mine")
    assert said.code == 2
    assert "is there already" in said.err
    assert Path("mine", "task.toml").read_text() == "changed"


def test_an_unknown_language_names_the_known(cli: CommandLine) -> None:
    said = cli("init", "mine", "--language", "cobol")
    assert said.code == 2
    assert "python" in said.err
