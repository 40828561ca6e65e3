from __future__ import annotations

from speciate.problems.corewar.warriors import load_builtin
from speciate.testing.command_line import CommandLine


def test_every_built_in_warrior_is_listed_with_family_and_split(cli: CommandLine) -> None:
    told = cli("battle", "--list", "--json").json["warriors"]
    assert len(told) == len(load_builtin())
    assert {"warrior": "builtin:dwarf", "family": "bomber", "split": "initial", "fits": True} in told
    lines = cli("battle", "--list").out.splitlines()
    assert lines[0].split() == ["warrior", "family", "split", "fits"]
    assert ["builtin:silk", "replicator", "training", "yes"] in [line.split() for line in lines]


def test_the_list_says_who_fits_the_rules(cli: CommandLine) -> None:
    told = cli("battle", "--list", "--settings", "nano", "--json").json["warriors"]
    fit = {each["warrior"] for each in told if each["fits"]}
    assert "builtin:imp" in fit
    assert 0 < len(fit) < len(told)


def test_every_name_of_the_list_can_fight(cli: CommandLine) -> None:
    names = [each["warrior"] for each in cli("battle", "--list", "--json").json["warriors"]]
    told = cli("battle", *names, "--set", "cycles=50", "--rounds", 1, "--json").json
    assert [row["file"] for row in told["warriors"]] == names


def test_the_list_takes_no_warriors(cli: CommandLine) -> None:
    said = cli("battle", "--list", "imp.red")
    assert said.code == 2
    assert "leave out the names" in said.err
