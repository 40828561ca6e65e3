from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from speciate.problems.corewar import Settings, Warrior, assemble
from speciate.problems.corewar.mars import Batch, Counts, Rules, check, pack, run

RULES = Rules.of(Settings(core_size=80, max_length=20, min_distance=20, cycles=100, processes=8))


def warrior(source: str, pin: int | None = None) -> Warrior:
    return replace(assemble(source, Settings(core_size=80, max_length=20, min_distance=20)), pin=pin)


IMP = warrior("mov 0, 1")
MINE = warrior("dat 0, 0\ndat 1, 1")


def small() -> Batch:
    return pack([IMP, MINE], [[0, 1], [1]], [[[0, 40]], [[7]]], RULES)


def test_short_lineups_are_filled_up_at_the_end() -> None:
    batch = small()
    assert batch.shape == (2, 1, 2)
    assert batch.lineups.tolist() == [[0, 1], [1, -1]]
    assert batch.positions.tolist() == [[[0, 40]], [[7, 0]]]
    assert batch.offsets.tolist() == [0, 1, 3]


def test_equal_code_is_stored_once_and_keeps_its_own_pspace() -> None:
    batch = pack([IMP, replace(IMP, name="other")], [[0, 1]], [[[0, 40]]], RULES)
    assert batch.lineups.tolist() == [[0, 0]]
    assert len(batch.code) == 1
    assert batch.pspaces.tolist() == [[0, 1]]


def test_equal_code_with_another_start_is_another_warrior() -> None:
    batch = pack([MINE, replace(MINE, start=1)], [[0, 1]], [[[0, 40]]], RULES)
    assert batch.starts.tolist() == [0, 1]


def test_warriors_with_one_pin_share_a_pspace() -> None:
    pinned = [replace(IMP, pin=pin) for pin in (5, None, 5, 9)]
    batch = pack(pinned, [[0, 1, 2, 3]], [[[0, 20, 40, 60]]], RULES)
    assert batch.pspaces.tolist() == [[0, 1, 0, 2]]


def test_counts_of_parts_are_joined_in_the_order_of_their_battles() -> None:
    batch = small()
    whole, parts = run(batch, RULES), [run(batch.part(at, at + 1), RULES) for at in range(2)]
    joined = Counts.joined(parts)
    assert joined.alive.tolist() == whole.alive.tolist() == [[[1, 0]], [[0, 0]]]
    assert joined.lifetime.tolist() == whole.lifetime.tolist()


def test_shapes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="as many lists of positions"):
        pack([IMP], [[0]], [], RULES)
    with pytest.raises(ValueError, match="battle 0 needs 1 rounds of 1 positions"):
        pack([IMP], [[0]], [[[0, 1]]], RULES)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("code", [[99, 0, 0, 0, 0, 0]] * 3, "unknown opcode"),
        ("code", [[0, 7, 0, 0, 0, 0]] * 3, "unknown modifier"),
        ("code", [[0, 0, 0, 0, 8, 0]] * 3, "unknown mode"),
        ("code", [[0, 0, 0, 80, 0, 0]] * 3, "numbers of instructions"),
        ("offsets", [0, 0, 3], "at least one cell"),
        ("offsets", [0, 1, 9], "span the code"),
        ("starts", [0, 2], "start must lie"),
        ("starts", [0, -1], "start must lie"),
        ("lineups", [[0, 2], [1, -1]], "not there"),
        ("lineups", [[-1, 0], [1, -1]], "empty seats come last"),
        ("lineups", [[0, 1], [-1, -1]], "needs a warrior"),
        ("positions", [[[0, 80]], [[7, 0]]], "positions must lie"),
        ("positions", [[[0, -1]], [[7, 0]]], "positions must lie"),
        ("pspaces", [[0, 2], [0, -1]], "P-space's number"),
    ],
)
def test_numbers_on_which_an_engine_would_go_astray_are_refused(
    name: str, value: object, message: str
) -> None:
    batch = replace(small(), **{name: np.array(value, np.int32)})
    with pytest.raises(ValueError, match=message):
        check(batch, RULES)
    with pytest.raises(ValueError, match=message):
        run(batch, RULES)


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("code", np.zeros((3, 5), np.int32)),
        ("code", np.zeros(18, np.int32)),
        ("offsets", np.zeros(0, np.int32)),
        ("starts", np.zeros((2, 1), np.int32)),
        ("lineups", np.zeros((2, 2), np.int64)),
        ("positions", np.zeros((2, 2), np.int32)),
        ("pspaces", np.zeros((2, 2), np.float64)),
    ],
)
def test_arrays_of_another_layout_are_refused(name: str, array: Any) -> None:
    with pytest.raises(ValueError, match=r"int32 with|cells, 6"):
        check(replace(small(), **{name: array}), RULES)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"core_size": 0}, "core size"),
        ({"processes": 0}, "processes"),
        ({"cycles": 0}, "cycles"),
        ({"read_limit": 3}, "divide"),
        ({"write_limit": 160}, "1..core size"),
        ({"pspace": 81}, "P-space"),
    ],
)
def test_rules_that_make_no_sense_are_refused(rule: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check(small(), replace(RULES, **rule))  # type: ignore[arg-type]  # only integers are changed


def test_counts_need_a_round_that_is_not_cut_short() -> None:
    with pytest.raises(ValueError, match="one_left"):
        replace(RULES, stop="verdict", counting="full")


def test_a_part_of_a_batch_is_fought_as_in_the_whole() -> None:
    batch = small()
    whole, part = run(batch, RULES), run(batch.part(1, 2), RULES)
    assert part.lifetime.tolist() == whole.lifetime[1:].tolist()
