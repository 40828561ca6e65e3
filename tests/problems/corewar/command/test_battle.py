"""Battles and tournaments from the command line: what the options do and what is told."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from speciate.problems.corewar import PRESETS, assemble, battle, tournament
from speciate.problems.corewar.command.options import DialectName, PresetName, ProtocolName, StatisticsName
from speciate.problems.corewar.mars import Counting, chosen
from speciate.problems.corewar.redcode import Dialect
from speciate.problems.corewar.scoring import Protocol
from speciate.testing.command_line import CommandLine

PAIR = ("battle", "imp.red", "dwarf.red", "--settings", "tiny")
TINY = PRESETS["tiny"]


def test_the_choices_are_those_of_the_library() -> None:
    assert [*PresetName] == [*PRESETS]
    assert [*ProtocolName] == [*get_args(Protocol)]
    assert {*DialectName} == {*get_args(Dialect)}
    assert {*StatisticsName} <= {*get_args(Counting)}


def test_the_table_has_a_line_a_warrior(cli: CommandLine) -> None:
    said = cli(*PAIR, "--rounds", 10, "--seed", 3)
    heading, head, imp, dwarf, meaning = said.out.splitlines()
    assert said.code == 0
    assert said.err == ""
    assert heading.startswith("pmars, 10 rounds; rules tiny: core 800")
    assert heading.endswith(f"positions from seed 3; simulator {chosen()}")
    assert head.split() == ["name", "file", "wins", "ties", "losses", "score"]
    assert imp.split()[:2] == ["Imp", "imp.red"]
    assert dwarf.split()[:2] == ["Dwarf", "dwarf.red"]
    assert len({len(line) for line in (head, imp, dwarf)}) == 1
    wins, ties, losses, score = map(int, dwarf.split()[2:])
    assert (wins + ties + losses, 3 * wins + ties) == (10, score)
    assert meaning.startswith("score: points")


def test_the_object_says_what_the_library_says(cli: CommandLine) -> None:
    told = cli(*PAIR, "--rounds", 10, "--seed", 3, "--json").json
    warriors = [assemble(Path(name).read_text(), TINY) for name in ("imp.red", "dwarf.red")]
    fought = battle(warriors, TINY, rounds=10, seed=3)
    assert told["results"] == fought.results
    assert told["scores"] == list(fought.scores)
    assert told["positions"] == fought.positions
    assert told["counts"] == {
        "alive": fought.counts.alive.tolist(),
        "lifetime": fought.counts.lifetime.tolist(),
    }
    assert (told["protocol"], told["statistics"], told["engine"]) == ("pmars", "verdict", chosen())
    assert (told["preset"], told["rounds"], told["seed"]) == ("tiny", 10, 3)
    assert (told["settings"]["core_size"], told["settings"]["rounds"]) == (800, 10)
    imp = told["warriors"][0]
    assert (imp["name"], imp["file"], imp["author"], imp["length"]) == ("Imp", "imp.red", "A. K.", 1)
    assert [imp["wins"], imp["ties"]] == fought.results[0]
    assert "covered" not in imp
    assert (told["left_out"], told["remarks"]) == ([], [])


def test_full_statistics_are_means_over_the_rounds(cli: CommandLine) -> None:
    said = cli(*PAIR, "--statistics", "full", "--rounds", 4)
    told = cli(*PAIR, "--statistics", "full", "--rounds", 4, "--json").json
    assert said.out.splitlines()[1].endswith("lifetime  processes  cells run  cells written")
    covered = [row[1] for row in told["counts"]["covered"][0]]
    assert told["warriors"][1]["covered"] == sum(covered) / 4
    assert told["warriors"][1]["written"] > 0
    assert told["warriors"][1]["spawned"] == 0


def test_rounds_are_the_presets_own_unless_somebody_says_otherwise(cli: CommandLine) -> None:
    words = ("battle", "imp.red", "imp.red", "--set", "cycles=100", "--json")
    assert cli(*words).json["rounds"] == 20
    assert cli(*words, "--settings", "94nop").json["rounds"] == 1
    assert cli(*words, "--set", "rounds=3").json["rounds"] == 3
    assert cli(*words, "--set", "rounds=3", "--rounds", 2).json["rounds"] == 2


def test_rules_are_changed_one_by_one(cli: CommandLine) -> None:
    said = cli(*PAIR, "--set", "cycles=50", "--set", "core_size=400")
    assert "rules tiny (changed): core 400, cycles 50" in said.out


def test_positions_are_given_round_by_round(cli: CommandLine) -> None:
    told = cli(*PAIR, "--positions", "0,400; 0,-200", "--json").json
    assert told["positions"] == [[0, 400], [0, 600]]
    assert (told["rounds"], told["seed"]) == (2, None)
    assert "given positions" in cli(*PAIR, "--positions", "0,400").out


def test_a_seed_names_the_positions(cli: CommandLine) -> None:
    one, other = (cli(*PAIR, "--seed", seed, "--rounds", 3, "--json").json["positions"] for seed in (1, 2))
    assert one != other
    assert one == cli(*PAIR, "--seed", 1, "--rounds", 3, "--json").json["positions"]


def test_three_warriors_meet_in_one_core(cli: CommandLine) -> None:
    told = cli(*PAIR, "imp.red", "--rounds", 5, "--json").json
    assert [len(line) for line in told["results"]] == [4, 4, 4]
    for row, line in zip(told["warriors"], told["results"], strict=True):
        assert (row["wins"], row["ties"], row["losses"]) == (line[0], line[1] + line[2], line[3])


def test_survival_is_fought_in_pairs(cli: CommandLine) -> None:
    words = (*PAIR, "imp.red", "--protocol", "survival", "--rounds", 2, "--threads", 2)
    told = cli(*words, "--statistics", "full", "--json").json
    first, *others = told["warriors"]
    assert first["wins"] + first["ties"] + first["losses"] == 4
    assert [other["wins"] + other["ties"] + other["losses"] for other in others] == [2, 2]
    lifetimes = told["counts"]["lifetime"]
    assert first["lifetime"] == sum(row[0] for fight in lifetimes for row in fight) / 4
    assert others[1]["lifetime"] == sum(row[1] for row in lifetimes[1]) / 2
    assert "share of the cycles" in cli(*words).out


def test_the_protocol_of_digital_red_queen_shares_the_cycles(cli: CommandLine) -> None:
    told = cli("battle", "imp.red", "imp.red", "--settings", "nano", "--protocol", "drq", "--json").json
    assert told["scores"] == [1.0, 1.0]


def test_one_warrior_runs_alone(cli: CommandLine) -> None:
    said = cli("battle", "imp.red", "--settings", "nano", "--rounds", 3)
    head, imp = said.out.splitlines()[1:]
    assert head.split() == ["name", "file", "survived", "died", "lifetime"]
    assert imp.split() == ["Imp", "imp.red", "3", "0", "800.0"]
    Path("dead.red").write_text(";assert 1\nnop 0\ndat 0, 0\n")
    (dead,) = cli("battle", "dead.red", "--settings", "nano", "--json").json["warriors"]
    assert (dead["name"], dead["wins"], dead["losses"], dead["lifetime"]) == ("dead", 0, 1, 1.0)


def test_a_tournament_ranks_all_by_points(cli: CommandLine) -> None:
    words = ("battle", "hill", "builtin:sweep", "--settings", "tiny", "--tournament", "--rounds", 3)
    told = cli(*words, "--json").json
    assert [row["score"] for row in told["warriors"]] == sorted(
        (row["score"] for row in told["warriors"]), reverse=True
    )
    names = {row["file"]: row for row in told["warriors"]}
    warriors = [assemble(Path(name).read_text(), TINY) for name in ("hill/a.red", "hill/b.red")]
    duel = tournament(warriors, TINY, rounds=3)
    assert names["hill/b.red"]["wins"] >= duel.standings[0].wins
    assert all(row["wins"] + row["ties"] + row["losses"] == 6 for row in told["warriors"])
    assert cli(*words).out.startswith("tournament, 3 rounds; rules tiny")


def test_whoever_waits_for_a_large_tournament_knows_for_what(cli: CommandLine) -> None:
    words = ("battle", *["imp.red"] * 6, "--settings", "nano", "--set", "cycles=2", "--tournament")
    assert cli(*words, "--rounds", 1000).err == "15 pairs fight 1,000 rounds each\n"
    assert cli(*words, "--rounds", 2).err == ""


def test_threads_do_not_change_a_tournament(cli: CommandLine) -> None:
    words = ("battle", "builtin:initial", "--settings", "tiny", "--tournament", "--json")
    assert cli(*words).json == cli(*words, "--threads", 2).json


def test_predefined_names_know_how_many_meet_and_how_often(cli: CommandLine) -> None:
    Path("counting.red").write_text("dat #WARRIORS, #ROUNDS\nfor WARRIORS\nnop 0\nrof\n;assert ROUNDS == 7\n")
    words = ("battle", "counting.red", "imp.red", "dwarf.red", "--settings", "tiny", "--rounds", 7, "--json")
    assert cli(*words).json["warriors"][0]["length"] == 4
    assert cli(*words, "--protocol", "survival").json["warriors"][0]["length"] == 3


def test_help_shows_examples_and_loads_nothing_heavy() -> None:
    code = (
        "import sys; from speciate.cli.main import run_command; run_command(['battle', '--help']);"
        "heavy = {'numpy', 'rich', 'numba', 'asyncio', 'speciate.problems.corewar.scoring'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert "\n  speciate battle mine.red builtin:dwarf" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("line", "word", "expected"),
    [
        ("speciate battle a.red builtin:im", 3, {"builtin:imp", "builtin:imp_gate"}),
        ("speciate battle builtin : im", 4, {"imp", "imp_gate"}),
        ("speciate battle x", 2, set()),
        ("speciate battle --protocol d", 3, {"drq"}),
    ],
)
def test_the_shell_completes_built_in_warriors(line: str, word: int, expected: set[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from speciate.cli.main import main; main()"],
        env={
            "_SPECIATE_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(word),
            "PATH": "",
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert set(done.stdout.split()) == expected


def test_stdout_is_one_object_whatever_else_is_said(cli: CommandLine) -> None:
    said = cli(*PAIR, "--json", "--frames", 2)
    assert json.loads(said.out)["warriors"]
    assert "cycle 0 of 8,000" in said.err
    assert "score: points" in said.err
