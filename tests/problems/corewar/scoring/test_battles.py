from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speciate.errors import UsageError
from speciate.problems.corewar import Settings, Warrior, assemble, battle
from speciate.problems.corewar.scoring import BattleResult
from speciate.testing.battles import random_warrior

SMALL = Settings(core_size=200, max_length=20, min_distance=20, cycles=400, processes=20)


def made(source: str) -> Warrior:
    return assemble(source, SMALL)


WAIT = made("jmp 0")
LATE = made("nop 0\n" * 9 + "dat 0, 0")
SOON = made("dat 0, 0")
DWARF = made("add #4, 3\nmov 2, @2\njmp -2\ndat #0, #0")


def test_two_warriors_have_wins_and_ties() -> None:
    assert battle([WAIT, SOON], SMALL, rounds=3).results == [[3, 0], [0, 0]]
    assert battle([WAIT, WAIT], SMALL, rounds=3).results == [[0, 3], [0, 3]]


def test_others_have_rounds_by_how_many_survived() -> None:
    assert battle([WAIT], SMALL, rounds=2).results == [[2, 0]]
    assert battle([SOON], SMALL, rounds=2).results == [[0, 2]]
    assert battle([WAIT, SOON, WAIT], SMALL).results == [[0, 1, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0]]


def test_points_of_pmars() -> None:
    assert battle([WAIT, SOON], SMALL, rounds=2).scores == (6, 0)
    assert battle([WAIT, WAIT], SMALL, rounds=2).scores == (2, 2)
    assert battle([WAIT, SOON, WAIT], SMALL, rounds=2).scores == (8, 0, 8)


def test_given_positions_say_how_many_rounds() -> None:
    result = battle([WAIT, SOON], SMALL, [[0, 50], [0, 250]])
    assert result.positions == [[0, 50], [0, 50]]
    assert result.results == [[2, 0], [0, 0]]
    assert battle([WAIT, SOON], SMALL, [[0, 50], [0, 60]], rounds=2).results == [[2, 0], [0, 0]]


def test_drawn_positions_come_from_the_seed() -> None:
    one, same, other = (battle([WAIT, DWARF], SMALL, rounds=20, seed=seed).positions for seed in (1, 1, 2))
    assert one == same != other
    assert all(row[0] == 0 and 20 <= row[1] <= 180 for row in one)


def test_drq_does_not_stop_when_one_is_left() -> None:
    result = battle([LATE, SOON], SMALL, rounds=2, protocol="drq")
    assert result.counts.lifetime.tolist() == [[[9, 0], [9, 0]]]
    assert result.scores == pytest.approx((2 * 9 / 400, 0))


def test_drq_shares_each_cycle_among_the_living() -> None:
    assert battle([WAIT, WAIT], SMALL, protocol="drq").scores == (1, 1)
    assert battle([WAIT, SOON], SMALL, protocol="drq").scores == (2, 0)
    scores = battle([WAIT, LATE, SOON], SMALL, protocol="drq").scores
    assert scores == pytest.approx((3 * (9 / 2 + 391) / 400, 3 * 9 / 2 / 400, 0))


def test_survival_adds_up_what_the_first_survived_of_its_opponents() -> None:
    result = battle([LATE, WAIT, SOON], SMALL, rounds=2, protocol="survival")
    assert result.counts.lifetime.shape == (2, 2, 2)
    assert result.scores == pytest.approx((2 * 9 / 400, 1, 0))
    assert result.results == [[0, 2], [2, 0], [0, 2]]
    assert battle([WAIT, DWARF, SOON], SMALL, protocol="survival").scores[0] == 2
    assert battle([LATE], SMALL, protocol="survival").scores == pytest.approx((9 / 400,))


def test_survival_places_a_pair_whatever_the_other_opponents_are() -> None:
    many = battle([DWARF, WAIT, LATE, SOON], SMALL, rounds=3, protocol="survival")
    few = battle([DWARF, LATE], SMALL, rounds=3, protocol="survival")
    assert [[row[0], row[2]] for row in many.positions] == few.positions
    assert many.counts.lifetime[1].tolist() == few.counts.lifetime[0].tolist()


def test_survival_meets_more_opponents_than_fit_a_core() -> None:
    result = battle([WAIT, *[SOON] * 300], SMALL, protocol="survival", threads=2)
    assert result.scores[0] == 300


def test_full_statistics_change_no_verdict() -> None:
    verdict = battle([DWARF, LATE, WAIT], SMALL, rounds=5)
    full = battle([DWARF, LATE, WAIT], SMALL, rounds=5, statistics="full")
    assert full.results == verdict.results
    assert full.counts.covered[0, 0].tolist() == [3, 9, 1]
    assert not verdict.counts.covered.any()


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 1 << 32), st.integers(2, 4))
def test_whom_one_calls_first_matters_only_for_who_begins(seed: int, count: int) -> None:
    """Without rotation, seats in another order begin otherwise; rotated once round, the same rounds are
    fought."""
    rng = np.random.default_rng(seed)
    warriors = [replace(random_warrior(rng, 200, 10), pin=None) for _ in range(count)]
    places = [20 * seat + int(rng.integers(10)) for seat in range(count)]
    rounds = [places] * count
    turned = [[*places[1:], places[0]]] * count
    one = battle(warriors, SMALL, rounds, statistics="full")
    other = battle([*warriors[1:], warriors[0]], SMALL, turned, statistics="full")
    if any(instruction.opcode.name in ("LDP", "STP") for warrior in warriors for instruction in warrior.code):
        return  # P-space remembers the order of the rounds
    assert sorted(one.results) == sorted(other.results)
    for seat in range(count):
        lifetimes = sorted(one.counts.lifetime[0, :, seat].tolist())
        assert lifetimes == sorted(other.counts.lifetime[0, :, seat - 1].tolist())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"warriors": []}, "at least one warrior"),
        ({"warriors": [SOON] * 65}, "at most 64 warriors"),
        ({"warriors": [replace(SOON, core_size=8000)]}, "core of 8000 cells and this one has 200"),
        ({"warriors": [replace(SOON, code=SOON.code * 21)]}, "21 instructions; allowed are 1 to 20"),
        ({"warriors": [replace(SOON, code=())]}, "0 instructions"),
        ({"warriors": [replace(SOON, start=1)]}, "starts at 1"),
        ({"rounds": 0}, "rounds is 0"),
        ({"rounds": 1.5}, "rounds is 1.5; expected a whole number"),
        ({"rounds": 1 << 40}, "from 1 to 1,000,000"),
        ({"positions": [0, 50]}, "in one list a round"),
        ({"positions": [[0.5, 50]]}, "whole numbers"),
        ({"positions": ["ab"]}, "whole numbers"),
        ({"engine": "phyton"}, "no simulator 'phyton'; did you mean 'python'"),
        ({"threads": 1000, "protocol": "survival"}, "threads is 1000; expected 1 to 256"),
        ({"positions": []}, "no round"),
        ({"positions": [[0]]}, "1 positions for 2 warriors"),
        ({"positions": [[0, 50]], "rounds": 2}, "2 rounds are asked for and positions given for 1"),
        ({"positions": [[0, 1]]}, "in round 0 warrior 0 at 0, 4 cells long, reaches into warrior 1 at 1"),
        ({"positions": [[198, 0]]}, "reaches into warrior 1 at 0"),
        ({"positions": [[7, 7]]}, "reaches into"),
        ({"protocol": "dqr"}, "no protocol 'dqr'; did you mean 'drq'"),
        ({"statistics": "ful"}, "did you mean 'full'"),
        (
            {"warriors": [DWARF] * 11},
            "11 warriors at least 20 cells apart need 220 cells and the core has 200",
        ),
        (
            {"warriors": [DWARF] * 51, "protocol": "drq"},
            "51 warriors leave 3 cells to each and one is 4 long",
        ),
    ],
)
def test_what_cannot_be_fought_is_refused_in_a_sentence(change: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"warriors": [DWARF, WAIT], "settings": SMALL, **change}
    with pytest.raises(UsageError, match=message) as raised:
        battle(**arguments)
    assert "\n" not in str(raised.value)


def test_a_result_is_a_plain_value() -> None:
    result = battle([WAIT, SOON], SMALL)
    assert isinstance(result, BattleResult)
    assert all(isinstance(score, float) for score in result.scores)
    assert all(type(count) is int for row in result.results for count in row)
