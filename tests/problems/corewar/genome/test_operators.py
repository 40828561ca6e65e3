from __future__ import annotations

from collections import Counter
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speciate.problems.corewar.generators import MINDS, generate, mind
from speciate.problems.corewar.generators.dice import Dice
from speciate.problems.corewar.genome import (
    GENOME_OPERATORS,
    Genome,
    GenomeConfig,
    OperatorName,
    Scope,
    crossed,
    genome_of,
    mutated,
    write,
)
from speciate.problems.corewar.instructions import Instruction
from speciate.problems.corewar.reading import read
from speciate.problems.corewar.redcode import assemble
from speciate.problems.corewar.settings import PRESETS
from speciate.seeds import stream

NAMES = st.sampled_from(get_args(OperatorName))
SEEDS = st.integers(0, 100_000)
RULES = st.sampled_from(sorted(PRESETS))
CHECKED = settings(deadline=None, max_examples=150)


def scope(seed: int, rules: str = "drq", *, name: str = "mixed", **changes: object) -> Scope:
    dice = Dice(stream(seed, 1, "operators"), PRESETS[rules], mind(name))
    return Scope(dice, GenomeConfig.model_validate(changes), 4.0)


def drawn(seed: int, rules: str = "drq") -> Genome:
    return genome_of(assemble(generate(stream(seed, 0, "draw"), PRESETS[rules]), PRESETS[rules]))


def sound(genome: Genome, rules: str) -> None:
    """What every genome must be; and its text assembles to itself, strictly."""
    size = PRESETS[rules].core_size
    assert 1 <= len(genome) <= PRESETS[rules].max_length
    assert 0 <= genome.start < len(genome)
    assert all(0 <= number < size for each in genome.code for number in (each.a, each.b))
    source = generate(stream(0, 0, "parent"), PRESETS[rules])
    again = assemble(write(genome, read(source, PRESETS[rules])), PRESETS[rules])
    assert genome_of(again) == genome


def test_there_is_an_operator_for_every_name() -> None:
    assert set(GENOME_OPERATORS) == set(get_args(OperatorName))


@given(NAMES, SEEDS, RULES)
@CHECKED
def test_what_an_operator_makes_is_sound(name: OperatorName, seed: int, rules: str) -> None:
    change = GENOME_OPERATORS[name](drawn(seed, rules), scope(seed, rules))
    if change is not None:
        assert change.summary
        sound(change.genome, rules)


@given(SEEDS, RULES, st.sampled_from(sorted(MINDS)))
@CHECKED
def test_a_child_of_many_changes_is_sound_and_differs(seed: int, rules: str, name: str) -> None:
    parent = drawn(seed, rules)
    change = mutated(parent, scope(seed, rules, name=name, changes=8.0))
    assert change is not None
    assert change.genome != parent
    sound(change.genome, rules)


@given(SEEDS, SEEDS, RULES)
@CHECKED
def test_a_child_of_two_parents_is_sound_and_neither_of_them(seed: int, other: int, rules: str) -> None:
    first, second = drawn(seed, rules), drawn(other, rules)
    change = crossed(first, second, scope(seed, rules))
    if change is not None:
        assert change.genome not in (first, second)
        sound(change.genome, rules)


def test_a_child_has_instructions_of_both_parents() -> None:
    first, second = drawn(1), drawn(2)
    known = {(i.opcode, i.modifier, i.a_mode, i.b_mode) for i in (*first.code, *second.code)}
    both = 0
    for seed in range(100):
        change = crossed(first, second, scope(seed))
        assert change is not None
        kinds = {(i.opcode, i.modifier, i.a_mode, i.b_mode) for i in change.genome.code}
        assert kinds <= known
        both += any(i in first.code for i in change.genome.code) and any(
            i in second.code for i in change.genome.code
        )
    assert both > 30


def parts(old: Instruction, new: Instruction) -> set[str]:
    named = ("opcode", "modifier", "a_mode", "a", "b_mode", "b")
    values = zip(named, _values(old), _values(new), strict=True)
    return {name for name, before, after in values if before != after}


def _values(one: Instruction) -> tuple[int, ...]:
    return (one.opcode, one.modifier, one.a_mode, one.a, one.b_mode, one.b)


@pytest.mark.parametrize(
    ("name", "may_change"),
    [
        ("opcode", {"opcode", "modifier"}),
        ("modifier", {"modifier"}),
        ("mode", {"a_mode", "b_mode"}),
        ("number", {"a", "b"}),
    ],
)
def test_a_change_of_one_instruction_touches_its_part_alone(name: OperatorName, may_change: set[str]) -> None:
    for seed in range(60):
        parent = drawn(seed)
        change = GENOME_OPERATORS[name](parent, scope(seed))
        assert change is not None
        pairs = zip(parent.code, change.genome.code, strict=True)
        touched = [parts(old, new) for old, new in pairs if old != new]
        assert len(touched) <= 1
        assert all(found <= may_change for found in touched)


@given(SEEDS)
@CHECKED
def test_without_mending_segments_are_only_moved(seed: int) -> None:
    parent = drawn(seed)
    moving: tuple[OperatorName, ...] = ("swap", "move")
    for name in moving:
        change = GENOME_OPERATORS[name](parent, scope(seed, mend=0.0))
        if change is not None:
            assert Counter(change.genome.code) == Counter(parent.code)


def test_lengths_change_as_they_should() -> None:
    parent = drawn(5)
    assert len(parent) > 2
    for seed in range(50):
        found = {name: GENOME_OPERATORS[name](parent, scope(seed)) for name in GENOME_OPERATORS}
        grown = {name: len(c.genome) - len(parent) for name, c in found.items() if c is not None}
        assert grown["insert"] == 1
        assert grown["delete"] < 0 < grown["duplicate"]
        assert not any(grown[name] for name in ("swap", "move", "start", "instruction", "number"))


def test_the_longest_warrior_does_not_grow_and_the_shortest_does_not_shrink() -> None:
    longest = Genome(drawn(1).code[:1] * PRESETS["nano"].max_length)
    shortest = Genome(longest.code[:1])
    growing: tuple[OperatorName, ...] = ("insert", "duplicate")
    moving: tuple[OperatorName, ...] = ("delete", "swap", "move", "start")
    for name in growing:
        assert GENOME_OPERATORS[name](longest, scope(0, "nano")) is None
    for name in moving:
        assert GENOME_OPERATORS[name](shortest, scope(0, "nano")) is None


def test_weights_say_which_operators_are_used() -> None:
    weights = dict.fromkeys(get_args(OperatorName), 0.0) | {"start": 1.0}
    parent = drawn(5)
    for seed in range(20):
        change = mutated(parent, scope(seed, operators=weights))
        assert change is not None
        assert change.genome.code == parent.code
        assert change.genome.start != parent.start


def test_nothing_to_change_is_told() -> None:
    weights = dict.fromkeys(get_args(OperatorName), 0.0) | {"swap": 1.0}
    assert mutated(Genome(drawn(1).code[:1]), scope(0, operators=weights)) is None


def test_the_mean_number_of_changes_is_as_configured() -> None:
    parent = drawn(5)
    children = [mutated(parent, scope(seed, changes=3.0)) for seed in range(300)]
    counts = [len(child.summary.split("; ")) for child in children if child is not None]
    assert sum(counts) / len(counts) == pytest.approx(3.0, abs=0.4)
