from __future__ import annotations

import math
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.problems.corewar.generators import Priors
from speciate.problems.corewar.generators.dice import Dice
from speciate.problems.corewar.genome import Genome, GenomeConfig, NumberName, Scope
from speciate.problems.corewar.genome.numbers import (
    BESIDE,
    NUMBER_CHANGES,
    STRIDE_MULTIPLES,
    changed_number,
    pointer,
    stride,
)
from speciate.problems.corewar.instructions import Instruction, Mode, Modifier, Opcode
from speciate.problems.corewar.settings import PRESETS, Settings
from speciate.seeds import stream

CODE = tuple(
    Instruction(Opcode.MOV, Modifier.I, Mode.DIRECT, a, Mode.DIRECT, b) for a, b in [(3, 7), (100, 7990)]
)


def scope(seed: int, settings: Settings = PRESETS["drq"], *, step: float = 4.0, **ways: float) -> Scope:
    """A scope in which only the named ways to change a number are used; all if none is named."""
    weights = {way: ways.get(way, 0.0) for way in get_args(NumberName)} if ways else {}
    config = GenomeConfig.model_validate({"numbers": weights})
    return Scope(Dice(stream(seed, 0, "numbers"), settings, Priors()), config, step)


def changed(seed: int, old: int, settings: Settings = PRESETS["drq"], **ways: float) -> int:
    return changed_number(Genome(CODE), 1, old, scope(seed, settings, **ways))


def test_there_is_a_change_for_every_name() -> None:
    assert set(NUMBER_CHANGES) == set(get_args(NumberName))


@given(st.integers(0, 10_000), st.sampled_from(sorted(PRESETS)))
def test_a_stride_visits_every_kth_cell_for_a_k_of_the_table(seed: int, preset: str) -> None:
    size = PRESETS[preset].core_size
    step = stride(scope(seed, PRESETS[preset]))
    assert 0 <= step < size
    visited = {turn * step % size for turn in range(size)}
    every = math.gcd(step, size)
    assert visited == set(range(0, size, every))
    assert every in STRIDE_MULTIPLES or size in STRIDE_MULTIPLES


def test_strides_cover_the_core_and_leave_gaps_and_go_both_ways() -> None:
    steps = [stride(scope(seed)) for seed in range(300)]
    assert {1, 2, 4, 5, 8} <= {math.gcd(step, 8000) for step in steps}
    assert min(steps) < 4000 < max(steps)


@given(st.integers(0, 10_000), st.integers(0, 7999))
def test_a_small_step_stays_near_and_moves(seed: int, old: int) -> None:
    new = changed(seed, old, small=1.0)
    distance = min((new - old) % 8000, (old - new) % 8000)
    assert 1 <= distance < 200


@given(st.integers(0, 10_000), st.integers(0, 7999))
def test_negating_twice_changes_nothing(seed: int, old: int) -> None:
    assert changed(seed, changed(seed, old, negate=1.0), negate=1.0) == old


@given(st.integers(0, 10_000))
def test_a_pointer_points_at_the_code_or_just_beside_it(seed: int) -> None:
    target = (1 + pointer(1, 2, scope(seed))) % 8000
    assert target in [*range(2 + BESIDE), *range(8000 - BESIDE, 8000)]


@given(st.integers(0, 10_000))
def test_a_copy_stands_elsewhere_in_the_code(seed: int) -> None:
    numbers = {number for each in CODE for number in (each.a, each.b)}
    assert changed(seed, 0, copy=1.0) in numbers | {-number % 8000 for number in numbers}


@given(st.integers(0, 10_000), st.integers(0, 65_535), st.sampled_from(sorted(PRESETS)))
def test_every_number_lies_in_the_core(seed: int, old: int, preset: str) -> None:
    settings = PRESETS[preset]
    assert 0 <= changed(seed, old % settings.core_size, settings) < settings.core_size


@pytest.mark.parametrize("size", [1, 2, 3, 7, 13])
def test_cores_of_a_few_cells_do_no_harm(size: int) -> None:
    tiny = Settings(core_size=size, processes=1, max_length=1, min_distance=1, pspace_size=1)
    assert {changed(seed, 0, tiny) for seed in range(200)} <= set(range(size))
