from __future__ import annotations

from speciate.testing.command_line import CommandLine


def test_settings_are_told_with_default_and_meaning(cli: CommandLine) -> None:
    lines = cli("settings").out.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("  population.islands = 1  (whole number"))
    assert lines[at - 1] == "population: The islands."
    assert lines[at + 1].strip() == "how many there are in the beginning."


def test_json_has_the_chosen_settings(cli: CommandLine) -> None:
    kind = cli("settings", "population.archive.kind", "--json").json["settings"]
    assert [setting["key"] for setting in kind] == ["population.archive.kind"]
    assert kind[0]["choices"] == ["elites", "grid", "cvt", "pareto"]
    assert kind[0]["default"] == "elites"


def test_an_unknown_prefix_is_one_sentence(cli: CommandLine) -> None:
    said = cli("settings", "selectoin")
    assert said.code == 2
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert "did you mean 'selection'? `speciate settings` lists all" in said.err
