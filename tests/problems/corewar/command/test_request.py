from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.errors import ConfigError, UsageError
from speciate.problems.corewar import Settings
from speciate.problems.corewar.command.request import View, changed_rules, read_positions
from speciate.testing.command_line import CommandLine


def test_rules_are_read_and_checked() -> None:
    assert changed_rules(Settings(), ["cycles=5", " cycles = 7", "pspace_size=9"]) == Settings().but(
        cycles=7, pspace_size=9
    )
    with pytest.raises(ConfigError, match="did you mean 'cycles'"):
        changed_rules(Settings(), ["cicles=5"])
    with pytest.raises(ConfigError, match="max_length is 9000"):
        changed_rules(Settings(), ["max_length=9000"])


@pytest.mark.parametrize(
    "change", ["cycles", "cycles=", "cycles=1e3", "cycles=" + "9" * 99, "=3", "cycles=٣"]
)
def test_what_is_no_rule_is_refused(change: str) -> None:
    with pytest.raises(UsageError):
        changed_rules(Settings(), [change])


@given(st.lists(st.lists(st.integers(-(10**9), 10**9), min_size=1), min_size=1))
def test_positions_are_read_as_they_are_written(rows: list[list[int]]) -> None:
    text = ";".join(", ".join(map(str, row)) for row in rows)
    assert read_positions(text) == rows


@pytest.mark.parametrize("text", ["", "0;", "0,", "0,x", "0 4000", "0.5", "9" * 5000])
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="semicolons"):
        read_positions(text)


@pytest.mark.parametrize("speed", [0.0, -1.0, float("inf"), float("nan")])
def test_a_speed_makes_sense(speed: float) -> None:
    with pytest.raises(UsageError, match="more than 0"):
        View(as_json=False, watch=True, speed=speed, frames=None)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--tournament", "--protocol", "drq"], "leave out --protocol"),
        (["--tournament", "--positions", "0,400"], "leave out --positions"),
        (["--tournament", "--statistics", "full"], "leave out --statistics"),
        (["--tournament", "--frames", "2"], "name its two warriors"),
        (["--protocol", "survival", "imp.red", "--frames", "2"], "name its two warriors"),
        (["--watch"], "needs a terminal"),
        (["--speed", "5"], "for --watch"),
        (["--watch", "--frames", "2", "--speed", "5"], "for --watch without --frames"),
        (["--rounds", "0"], "'--rounds'"),
        (["--threads", "0"], "'--threads'"),
        (["--frames", "0"], "'--frames'"),
        (["--settings", "large"], "'--settings'"),
        (["--protocol", "chess"], "'--protocol'"),
        (["--statistics", "some"], "'--statistics'"),
        (["--dialect", "loose"], "'--dialect'"),
        (["--set", "core_size=80"], "max_length"),
        (["--positions", "zero"], "--positions"),
    ],
)
def test_wishes_that_cannot_be_met_are_one_sentence(cli: CommandLine, words: list[str], said: str) -> None:
    answer = cli("battle", "imp.red", "dwarf.red", *words)
    assert answer.code == 2
    assert answer.out == ""
    assert said in answer.err
    assert answer.err.count("\n") == 1
