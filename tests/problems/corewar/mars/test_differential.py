"""Engines against each other and against the table, on random code."""

from dataclasses import fields

import numpy as np
import pytest

from speciate.problems.corewar.mars import engines
from speciate.problems.corewar.mars.batch import Batch, Counts, Rules, check
from speciate.testing.mars import played_out, random_battle, random_core, reference_after

native = pytest.importorskip("speciate.problems.corewar.mars.native", exc_type=ImportError)

DISPATCHES = ("jumps", "switch")


def same(one: Counts, other: Counts) -> bool:
    return all(np.array_equal(getattr(one, f.name), getattr(other, f.name)) for f in fields(Counts))


@pytest.mark.parametrize("dispatch", DISPATCHES)
@pytest.mark.parametrize("pairs", [False, True])
def test_random_instructions_do_what_the_table_says(dispatch: str, pairs: bool) -> None:
    rng = np.random.default_rng(10 + pairs)
    for _ in range(1500):
        batch, rules = random_core(rng)
        instructions = int(rng.integers(1, 12))
        expected = reference_after(batch, rules, instructions)
        core, seat, queues = native.core_after(batch, rules, instructions, pairs=pairs, dispatch=dispatch)
        assert core == expected.core
        assert queues == expected.queues
        if all(queues):
            assert seat == expected.seat


@pytest.mark.parametrize("dispatch", DISPATCHES)
def test_random_battles_count_as_the_kernel_in_python_does(dispatch: str) -> None:
    kernel = engines.load("numba" if "numba" in engines.available() else "python")
    rng = np.random.default_rng(20)
    for _ in range(400):
        batch, rules = random_battle(rng)
        check(batch, rules)
        expected = kernel.fight(batch, played_out(rules), 1)
        assert same(native.fight(batch, rules, dispatch=dispatch), expected), rules


@pytest.mark.parametrize("dispatch", DISPATCHES)
def test_an_early_verdict_waits_while_someone_can_write_pspace_that_a_later_round_reads(
    dispatch: str,
) -> None:
    batch, rules = random_battle(np.random.default_rng(29_550))  # a tie by numbers, then a store that matters
    assert rules.stop == "verdict"
    early = native.fight(batch, rules, dispatch=dispatch)
    assert same(early, native.fight(batch, played_out(rules), dispatch=dispatch))


def battles_of_many(battles: int) -> tuple[Batch, Rules]:
    """The same warriors again and again, at different places."""
    rng = np.random.default_rng(30)
    batch, rules = random_battle(rng, core_size=400)
    rounds, seats = batch.positions.shape[1:]
    positions = rng.integers(0, 400, (battles, rounds, seats)).astype(np.int32)
    return Batch(
        code=batch.code,
        offsets=batch.offsets,
        starts=batch.starts,
        lineups=np.repeat(batch.lineups, battles, axis=0),
        positions=positions,
        pspaces=np.repeat(batch.pspaces, battles, axis=0),
    ), rules


def test_threads_change_nothing() -> None:
    batch, rules = battles_of_many(300)
    assert same(native.fight(batch, rules, 1), native.fight(batch, rules, 3))


def test_a_batch_is_its_battles_one_by_one() -> None:
    batch, rules = battles_of_many(40)
    whole = native.fight(batch, rules)
    for i in range(40):
        one = native.fight(batch.part(i, i + 1), rules)
        assert np.array_equal(whole.alive[i], one.alive[0])
        assert np.array_equal(whole.lifetime[i], one.lifetime[0])
