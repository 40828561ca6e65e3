"""What each family is known for shows when its warriors fight."""

from __future__ import annotations

from itertools import pairwise

import pytest

from speciate.problems.corewar.instructions import EMPTY, Opcode
from speciate.problems.corewar.redcode import assemble
from speciate.problems.corewar.scoring import BattleResult, battle, run_state
from speciate.problems.corewar.settings import PRESETS, Settings
from speciate.problems.corewar.warrior import Warrior
from speciate.problems.corewar.warriors import WarriorFile, fitting, load_builtin

DRQ = PRESETS["drq"]
FILES = {file.path: file for file in load_builtin()}
EVERYWHERE = [
    (name, file) for name in ("drq", "tiny", "nano") for file in fitting(load_builtin(), PRESETS[name])
]


def warrior(path: str, settings: Settings = DRQ) -> Warrior:
    return FILES[f"{path}.red"].assemble(settings)


def written_for(source: str, settings: Settings = DRQ) -> Warrior:
    return assemble(f";assert 1\n{source}", settings)


DUCK = written_for("nop.b $1, #3\n" * 19 + "jmp.b $-19, #3\n")
"""Sits there: a loop of twenty cells that does nothing."""


def alone(fighter: Warrior, settings: Settings = DRQ) -> BattleResult:
    return battle([fighter], settings, statistics="full")


def duel(one: Warrior, other: Warrior, rounds: int = 20) -> tuple[int, int, int]:
    """Returns how many rounds the first won, tied and lost."""
    (won, tied), (lost, _) = battle([one, other], DRQ, rounds=rounds, seed=3).results
    return won, tied, lost


@pytest.mark.parametrize(("preset", "file"), EVERYWHERE, ids=lambda value: getattr(value, "path", value))
def test_nobody_dies_by_its_own_hand(preset: str, file: WarriorFile) -> None:
    settings = PRESETS[preset]
    assert alone(file.assemble(settings), settings).counts.lifetime.item() == settings.cycles


def test_an_imp_walks_through_the_whole_core() -> None:
    counts = alone(warrior("initial/imp")).counts
    assert counts.covered.item() == counts.written.item() == DRQ.core_size


@pytest.mark.parametrize(
    ("path", "processes"),
    [("training/ring3", 4), ("training/spiral7", 8), ("heldout/twin", 8), ("heldout/spiral13", 16)],
)
def test_rings_keep_all_their_imps_going(path: str, processes: int) -> None:
    counts = alone(warrior(path)).counts
    assert counts.spawned.item() == processes - 1
    assert counts.covered.item() == DRQ.core_size
    state = run_state([warrior(path)], DRQ, [0], after=DRQ.cycles)
    assert state.procs == [processes]


@pytest.mark.parametrize("path", ["training/ring3", "training/spiral7", "heldout/twin", "heldout/spiral13"])
def test_rings_resist_a_dwarf(path: str) -> None:
    """Those that lose are hit while they start."""
    won, tied, lost = duel(warrior(path), warrior("initial/dwarf"))
    assert won + tied >= 16 > 4 >= lost


@pytest.mark.parametrize(
    ("path", "cells"),
    [
        ("initial/dwarf", 2000),
        ("heldout/hail", 1600),
        ("training/quarry", 1000),
        ("training/chameleon", 998),
        ("heldout/strawmen", 800),
    ],
)
def test_bombers_reach_every_cell_of_their_step(path: str, cells: int) -> None:
    assert cells <= alone(warrior(path)).counts.written.item() <= cells + 8


@pytest.mark.parametrize(
    "path",
    [
        "initial/sweep",
        "training/dclear",
        "training/twopass",
        "training/incendiary",
        "heldout/backclear",
        "heldout/quickscan_flood",
    ],
)
def test_clears_write_over_the_core(path: str) -> None:
    assert alone(warrior(path)).counts.written.item() >= 0.99 * DRQ.core_size


@pytest.mark.parametrize("path", ["initial/lookout", "training/eyelet"])
def test_scanners_write_nothing_in_an_empty_core(path: str) -> None:
    assert alone(warrior(path)).counts.written.item() == 1  # the pointer


@pytest.mark.parametrize(
    "path",
    [
        "initial/dwarf",
        "initial/sweep",
        "initial/lookout",
        "training/eyelet",
        "training/comparer",
        "training/oneshot",
        "training/fang",
        "heldout/bscanner",
        "heldout/hail",
        "heldout/toll",
        "heldout/backclear",
    ],
)
def test_hunters_shoot_a_sitting_duck(path: str) -> None:
    won, _, lost = duel(warrior(path), DUCK)
    assert won > 10
    assert lost == 0


def test_captives_of_the_pit_split_until_it_is_wiped() -> None:
    result = battle([warrior("training/fang"), DUCK], DRQ, [[0, 4000]], statistics="full")
    assert result.results == [[1, 0], [0, 0]]
    assert result.counts.spawned[0, 0, 1] > 100


def test_captives_of_the_sweep_wipe_the_core_for_their_captor() -> None:
    result = battle([warrior("heldout/toll"), DUCK], DRQ, [[0, 4000]], statistics="full")
    assert result.results == [[1, 0], [0, 0]]
    assert result.counts.written[0, 0, 1] > 0.9 * DRQ.core_size


@pytest.mark.parametrize(
    "path",
    [
        "initial/sower",
        "training/silk",
        "training/paper_stone",
        "training/quickscan_paper",
        "heldout/timber",
        "heldout/paper_imp",
        "heldout/mutant",
    ],
)
def test_papers_multiply(path: str) -> None:
    counts = alone(warrior(path)).counts
    assert counts.spawned.item() > 1000
    assert counts.covered.item() > DRQ.core_size // 3


def test_nomads_leave_their_first_home() -> None:
    counts = alone(warrior("training/spark")).counts
    assert counts.covered.item() > DRQ.core_size // 2


@pytest.mark.parametrize("path", ["training/silk", "training/paper_stone", "heldout/timber"])
def test_papers_outlive_a_bomber(path: str) -> None:
    won, _, lost = duel(warrior(path), warrior("initial/dwarf"))
    assert won > 10
    assert lost <= 2


@pytest.mark.parametrize("path", ["training/imp_gate", "heldout/wall", "training/dclear"])
def test_gates_stop_imps(path: str) -> None:
    won, tied, _ = duel(warrior(path), warrior("initial/imp"))
    assert won >= 8
    assert won + tied == 20


def test_a_stone_beside_a_paper_still_throws() -> None:
    both = warrior("training/paper_stone")
    before, after = (run_state([both], DRQ, [0], after=turns).core for turns in (0, 300))
    step, rock = both.code[2].a, 4
    for throw in range(1, 5):
        address = (rock + throw * step) % DRQ.core_size
        assert before[address] == EMPTY
        assert (after[address].opcode, after[address].b) == (Opcode.DAT, throw * step % DRQ.core_size)


@pytest.mark.parametrize(
    ("path", "gap"), [("training/quickscan_paper", 8000 // 12), ("heldout/quickscan_flood", 8000 // 14)]
)
def test_quick_scans_strike_at_once_what_they_look_at(path: str, gap: int) -> None:
    hasty = DRQ.but(cycles=100)
    seen, unseen = (
        battle([warrior(path), DUCK], hasty, [[0, place]], statistics="full").counts
        for place in (4 * gap - 5, 4 * gap + gap // 4)
    )

    assert seen.written[0, 0, 0] > 0
    assert seen.spawned[0, 0, 1] > 0 or not seen.alive[0, 0, 1]
    assert unseen.spawned[0, 0, 1] == 0
    assert unseen.alive[0, 0, 1]


def sniper(target: int) -> Warrior:
    """Returns a warrior that at once drops a DAT on one address, when it stands at 0, and waits."""
    return written_for(f"mov.i $2, ${target}\njmp.b $0\ndat.f $0, $0\n")


@pytest.mark.parametrize("path", ["training/switcher", "heldout/triad"])
def test_a_switcher_changes_its_strategy_after_a_loss(path: str) -> None:
    """Shot before it moves in the first round; it moves first in the second and is missed in the third."""
    turncoat, positions = warrior(path), [[0, 4000], [0, 4000], [0, 5000]]
    shot, spared = (
        battle([sniper(aim), turncoat], DRQ, positions, statistics="full").counts
        for aim in (4000 + turncoat.start, 2000)
    )
    assert not shot.alive[0, 0, 1]
    assert list(spared.spawned[0, :, 1]) == [0, 0, 0], "as a bomber it has one process"
    assert shot.spawned[0, 1, 1] > 3, "as a paper it has many"
    assert shot.spawned[0, 2, 1] > 3, "it stays with what did not lose"


def test_a_scarecrow_fights_elsewhere() -> None:
    """Its house is wiped early, and it lives on."""
    house = written_for("mov.i $3, <4\ndjn.b $-1, #21\njmp.b $0\ndat.f $0, $0\ndat.f #0, #4017\n")
    result = battle([house, warrior("training/decoy")], DRQ.but(cycles=1000), [[0, 4000]], statistics="full")
    state = run_state([house, warrior("training/decoy")], DRQ, [0, 4000], after=200)
    assert set(state.core[4000:4020]) == {EMPTY}
    assert result.counts.alive[0, 0, 1]


def test_straw_men_draw_a_scanners_fire() -> None:
    scanner, bare = warrior("initial/lookout"), warrior("training/imp_gate")
    busy, idle = (
        battle([scanner, other], DRQ, [[0, 4009]], statistics="full").counts.written[0, 0, 0]
        for other in (warrior("heldout/strawmen"), bare)
    )
    assert busy > 100 > idle


def test_a_chameleon_trebles_its_step_and_changes_its_bomb() -> None:
    chameleon = warrior("training/chameleon")
    before, after = (run_state([chameleon], DRQ, [0], after=turns).core for turns in (0, 3 * 500 + 10))
    assert after[1].a == 3 * before[1].a
    assert [cell.opcode for cell in before[11:13]] == [Opcode.SPL, Opcode.DAT]
    assert [cell.opcode for cell in after[11:13]] == [Opcode.DAT, Opcode.SPL]


def test_the_children_of_dice_lie_at_irregular_distances() -> None:
    core = run_state([warrior("heldout/mutant")], DRQ, [0], after=400).core
    homes = [address for address, cell in enumerate(core) if (cell.opcode, cell.a) == (Opcode.MUL, 21)]
    gaps = [upper - lower for lower, upper in pairwise(homes)]
    assert len(homes) >= 5
    assert len(set(gaps)) == len(gaps)
