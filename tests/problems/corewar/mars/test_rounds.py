"""Rounds and battles, on the interpreted kernel; that the others agree is shown in test_engines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from speciate.problems.corewar import Settings, Warrior, assemble
from speciate.problems.corewar.mars import Counting, Counts, Rules, Stop, available, pack, rounds, run, state
from speciate.testing.battles import random_batches
from speciate.testing.mars import played_out, random_battle

SMALL = Settings(core_size=80, max_length=20, min_distance=10, cycles=60, processes=8)


def made(source: str) -> Warrior:
    return assemble(source, SMALL)


IMP = made("mov 0, 1")
WAIT = made("jmp 0")
MINE = made("nop 0\nnop 0\ndat 0, 0")
FLOOD = made("spl 0\njmp 0")


def fight(
    warriors: Sequence[Warrior],
    positions: Sequence[Sequence[int]],
    settings: Settings = SMALL,
    *,
    stop: Stop = "one_left",
    counting: Counting = "verdict",
    rotate: bool = True,
) -> Counts:
    rules = Rules.of(settings, stop=stop, counting=counting, rotate=rotate)
    batch = pack(warriors, [list(range(len(warriors)))], [positions], rules)
    return run(batch, rules, engine="python")


def test_the_cycle_of_death_does_not_count() -> None:
    counts = fight([MINE, WAIT], [[0, 40]])
    assert counts.alive.tolist() == [[[0, 1]]]
    assert counts.lifetime.tolist() == [[[2, 60]]]


def test_a_lone_warrior_plays_on_and_the_last_of_several_does_not() -> None:
    late = made("nop 0\nnop 0\nnop 0\nnop 0\ndat 0, 0")
    assert fight([late], [[0]]).lifetime.tolist() == [[[4]]]
    assert fight([MINE, late], [[0, 40]]).alive.tolist() == [[[0, 1]]]
    assert fight([MINE, late], [[0, 40]], stop="never").lifetime.tolist() == [[[2, 4]]]


def test_the_first_seat_changes_from_round_to_round() -> None:
    suicide = made("dat 0, 0")
    rotated = fight([suicide, suicide], [[0, 40]] * 3)
    assert rotated.alive.tolist() == [[[0, 1], [1, 0], [0, 1]]]
    fixed = fight([suicide, suicide], [[0, 40]] * 3, rotate=False)
    assert fixed.alive.tolist() == [[[0, 1]] * 3]


def test_spawned_counts_only_processes_that_fitted() -> None:
    counts = fight([FLOOD], [[0]], stop="never", counting="covered")
    assert counts.spawned.tolist() == [[[7]]]


def test_a_round_that_begins_again_lets_its_survivors_split_more_often_than_it_has_cycles() -> None:
    # With every last turn somebody else dies, while more than two live: twice the clock passes 0.
    warriors = [made("spl 1\nspl 1\nspl 1"), made("nop 0\nnop 0"), made("nop 0"), made("dat 0, 0")]
    counts = fight(warriors, [[0, 20, 40, 60]], SMALL.but(cycles=1), counting="covered", rotate=False)
    assert counts.spawned.tolist() == [[[3, 0, 0, 0]]]
    assert counts.alive.tolist() == [[[1, 0, 0, 0]]]


def test_covered_counts_addresses_queued_and_the_first_only_if_it_was_queued_again() -> None:
    short = SMALL.but(cycles=5)
    walk = made("nop 0\nnop 0\nnop 0\nnop 0\nnop 0")
    assert fight([walk], [[0]], short, counting="covered").covered.tolist() == [[[5]]]
    assert fight([made("jmp 1\njmp -1")], [[0]], short, counting="covered").covered.tolist() == [[[2]]]
    assert fight([MINE], [[0]], SMALL, counting="covered").covered.tolist() == [[[2]]]


def test_written_counts_targets_and_pointers_once_each() -> None:
    bomber = made("mov.i 2, >1\njmp -1, 3\ndat 0, 0")
    counts = fight([bomber], [[0]], SMALL.but(cycles=6), counting="full")
    assert counts.written.tolist() == [[[4]]]  # the pointer, and three cells it walked over
    assert fight([made("djn.b 0, <5")], [[0]], SMALL.but(cycles=1), counting="full").written.tolist() == [
        [[2]]
    ]
    assert fight([made("div.a #0, 5")], [[0]], SMALL, counting="full").written.tolist() == [[[0]]]


def test_a_write_limit_folds_where_an_instruction_writes() -> None:
    archer, target = made("mov.i 2, 15\njmp 0\nnop 0"), made("jmp 0")
    far = Rules.of(SMALL, counting="full")
    near = replace(far, write_limit=20)  # 15 ahead becomes 5 behind
    batch = pack([archer, target], [[0, 1]], [[[0, 75]]], far)
    assert run(batch, far, engine="python").alive.tolist() == [[[1, 1]]]
    assert run(batch, near, engine="python").alive.tolist() == [[[1, 0]]]


def lives_if_last_result_is(first: int, second: int) -> Warrior:
    return made(f"""
        ldp.ab #0, #0
        sne.ab #{first}, -1
        jmp 0
        sne.ab #{second}, -3
        jmp 0
        dat 0, 0""")


def test_cell_0_of_a_pspace_is_the_number_of_survivors_of_the_last_round_or_0_for_the_dead() -> None:
    faithful = fight([lives_if_last_result_is(79, 2), WAIT], [[0, 40]] * 3)
    fickle = fight([lives_if_last_result_is(79, 0), WAIT], [[0, 40]] * 4)
    assert faithful.alive[0, :, 0].tolist() == [1, 1, 1]
    assert fickle.alive[0, :, 0].tolist() == [1, 0, 1, 0]


def test_as_many_survivors_as_cells_are_a_number_that_fits_a_cell() -> None:
    tiny = Settings(core_size=2, max_length=1, min_distance=1, cycles=10)
    rules = Rules.of(tiny)
    batch = pack([assemble("jmp 0", tiny)] * 2, [[0, 1]], [[[0, 1]]], rules)
    law, counts = state.law(rules), Counts.empty(batch.shape)
    machine = state.machine(law, 2, plain=True)
    rounds.run(machine, law, state.fights(batch, plain=True), state.tally(counts), 0, 1, 0, 1)
    assert counts.alive.tolist() == [[[1, 1]]]
    assert machine.results == [0, 0]


def test_a_pspace_lasts_from_round_to_round_and_is_shared_by_pin() -> None:
    writer = replace(made("stp.ab #7, #3\njmp 0"), pin=1)
    reader = made("ldp.ab #3, #0\nsne.ab #7, -1\njmp 0\ndat 0, 0")
    alone = fight([writer, reader], [[0, 40]] * 2)
    together = fight([writer, replace(reader, pin=1)], [[0, 40]] * 2)
    assert alone.alive.tolist() == [[[1, 0], [1, 0]]]
    assert together.alive.tolist() == [[[1, 1], [1, 1]]]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 32))
@example(1769)  # begins again, so that somebody splits twice in one cycle's time
def test_counts_keep_within_their_bounds(seed: int) -> None:
    for batch, rules in random_batches(np.random.default_rng(seed), 1):
        counts = run(batch, rules, engine="python")
        seated = np.broadcast_to((batch.lineups >= 0)[:, None, :], counts.alive.shape)
        assert (counts.lifetime[seated] <= rules.cycles).all()
        assert ((counts.lifetime == rules.cycles) | (counts.alive == 0)).all()
        assert (counts.covered <= rules.core_size).all()
        assert (counts.written <= rules.core_size).all()
        assert (counts.spawned <= max(1, batch.shape[2] - 1) * rules.cycles).all()
        for array in (counts.alive, counts.lifetime, counts.spawned, counts.covered, counts.written):
            assert not array[~seated].any()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 32))
def test_a_round_that_stops_early_has_the_same_verdict(seed: int) -> None:
    for batch, rules in random_batches(np.random.default_rng(seed), 2, counting="verdict"):
        early = run(batch, replace(rules, stop="verdict"), engine="python")
        late = run(batch, replace(rules, stop="one_left"), engine="python")
        assert early.alive.tolist() == late.alive.tolist()
        assert early.lifetime.tolist() == late.lifetime.tolist()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 32))
def test_moving_everybody_by_the_same_distance_changes_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for batch, rules in random_batches(rng, 1):
        moved = replace(
            batch, positions=(batch.positions + int(rng.integers(rules.core_size))) % rules.core_size
        )
        moved.positions[np.broadcast_to((batch.lineups < 0)[:, None, :], batch.positions.shape)] = 0
        one, other = run(batch, rules, engine="python"), run(moved, rules, engine="python")
        assert one.lifetime.tolist() == other.lifetime.tolist()
        assert one.written.tolist() == other.written.tolist()


@pytest.mark.parametrize("seed", [29550])
def test_a_verdict_waits_while_what_is_stored_may_matter_in_a_later_round(seed: int) -> None:
    """Here a tie is certain long before the last instruction that writes P-space."""
    batch, rules = random_battle(np.random.default_rng(seed))
    assert rules.stop == "verdict"
    for engine in available():
        early = run(batch, rules, engine=engine)
        assert (early.alive == run(batch, played_out(rules), engine=engine).alive).all()
