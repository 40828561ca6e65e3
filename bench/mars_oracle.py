"""Whether our simulator and assembler find what Debian's pmars finds, in thousands of random battles.

    python -m bench mars_oracle [--quick]

Two to eight warriors (of a lone one pmars tells nothing), half of them drawn by the generators from a mind
drawn anew each time, a third random code of every opcode, P-space and PIN included, the rest built in;
cores of 80 to 8192 cells; all the numbers of the rules drawn. Both sides assemble the same text, and must
agree on every verdict, but for rounds that have no end in pmars (see `mars_clock`). Any other difference is
printed with all that is needed to repeat it, and ends the bench.
"""

from __future__ import annotations

import subprocess
import time
from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np
from bench import mars_clock
from bench.mars_fights import Fights, arranged
from bench.mars_pmars import Pmars, find, outcome
from bench.report import Report, Row

from speciate.problems.corewar import Settings, Warrior
from speciate.problems.corewar.generators import MINDS, generate
from speciate.problems.corewar.instructions import Instruction, Mode, Modifier, Opcode
from speciate.problems.corewar.mars import Flags, engines, native
from speciate.problems.corewar.warriors import fitting, load_builtin
from speciate.testing.mars import random_code

SEED: Final = 4_000
_CORES: Final = ((80, 5), (97, 5), (800, 20), (997, 20), (8000, 100), (8000, 100), (8192, 100))
"""Cells, and the most instructions of a warrior."""
_MOST: Final = 8

Verdict = list[list[list[int]]] | None


@dataclass(frozen=True, slots=True)
class Found:
    """What was compared.

    Attributes:
        battles: how many, by number of warriors.
        rounds: how many in all.
        decided: rounds that not everybody survived.
        pspaces: battles in which somebody uses P-space.
        clock: battles of three or more that end differently, and only because a round of pmars never ends.
    """

    battles: Counter[int]
    rounds: int
    decided: int
    pspaces: int
    clock: int


def settings(rng: np.random.Generator, seats: int) -> Settings:
    """Draws the rules for so many warriors."""
    cores = [(cells, length) for cells, length in _CORES if cells >= 3 * seats * length]
    cells, length = cores[rng.integers(len(cores))]
    return Settings(
        core_size=cells,
        cycles=int(rng.choice((60, 1000, 8000, 20_000))),
        processes=int(rng.choice((1, 2, 8, 64, cells))),
        max_length=length,
        min_distance=length + int(rng.integers(length // 2)),
        pspace_size=int(rng.integers(1, cells + 1)) if rng.random() < 0.3 else None,
    )


def source(rng: np.random.Generator, rules: Settings) -> str:
    """Draws a warrior's text."""
    kind = rng.random()
    if kind < 1 / 2:
        return generate(rng, rules, MINDS[list(MINDS)[rng.integers(len(MINDS))]])
    if kind < 5 / 6:
        return _random(rng, rules).listing()
    files = fitting(load_builtin(), rules)
    return files[rng.integers(len(files))].source


def _random(rng: np.random.Generator, rules: Settings) -> Warrior:
    """Draws code of any instructions, of which DAT makes up less than its share."""
    code = random_code(rng, int(rng.integers(1, rules.max_length + 1)), rules.core_size)
    code[(code[:, 0] == Opcode.DAT) & (rng.random(len(code)) < 0.7), 0] = Opcode.MOV
    cells = tuple(
        Instruction(Opcode(opcode), Modifier(modifier), Mode(a_mode), a, Mode(b_mode), b)
        for opcode, modifier, a_mode, a, b_mode, b in code.tolist()
    )
    pin = int(rng.integers(3)) if rng.random() < 0.3 else None
    return Warrior(cells, int(rng.integers(len(cells))), rules.core_size, pin)


def fights(rng: np.random.Generator) -> Fights:
    """Draws a battle."""
    seats = 2 if rng.random() < 0.6 else int(rng.integers(3, _MOST + 1))
    rules = settings(rng, seats)
    sources = [source(rng, rules) for _ in range(seats)]
    return arranged(sources, [range(seats)], rules, int(rng.integers(1, 7)), "verdict", rng)


def deadline(rng: np.random.Generator) -> Fights:
    """Draws a battle of two that live and one to four that die in a turn of choice, one in the last cycle."""
    turns = [int(turn) for turn in rng.integers(0, 10, int(rng.integers(1, 5)))]
    sources = ["nop 0, 0\n" * turn + "dat 0, 0\n" for turn in turns] + ["jmp 0, 0\n"] * 2
    order = rng.permutation(len(sources))
    rules = Settings(cycles=max(turns) + 1)
    return arranged([sources[i] for i in order], [range(len(order))], rules, 1, "one_left", rng)


def ours(battle: Fights) -> Flags:
    """Returns who is alive in the end, on which our engines must agree.

    Raises:
        AssertionError: they do not.
    """
    kernel = engines.load("numba" if "numba" in engines.available() else "python")
    jumps, switch = (native.fight(battle.batch, battle.rules, dispatch=d).alive for d in ("jumps", "switch"))
    compiled = kernel.fight(battle.batch, battle.rules, 1).alive
    if not (np.array_equal(jumps, switch) and np.array_equal(jumps, compiled)):
        raise AssertionError(f"our engines differ: {told(battle)}")
    return jumps


def told(battle: Fights) -> str:
    """Returns all that is needed to repeat a battle."""
    rounds, places = battle.batch.shape[1], battle.batch.positions.tolist()
    return f"{battle.settings}, -r {rounds} -F {battle.seeds[0]}: {places}\n" + "\n".join(battle.sources)


def verdict(pmars: Pmars, battle: Fights) -> Verdict:
    """Returns how pmars has it end, None if it does not end."""
    try:
        return pmars.fight(battle, pmars.write(battle.sources))
    except subprocess.TimeoutExpired:
        return None


def by_its_clock(battle: Fights) -> Verdict:
    """Returns how our readable kernel has it end if no round is cut short, None if it does not end."""
    try:
        return outcome(mars_clock.alive(battle))
    except mars_clock.Endless:
        return None


def compare(wanted: int, pmars: Pmars) -> Found:
    """Returns what was compared.

    Raises:
        AssertionError: somebody finds another verdict, and not because a round has no end.
    """
    rng, battles, clock = np.random.default_rng(SEED), Counter[int](), 0
    rounds = decided = pspaces = 0
    for number in range(wanted):
        battle = fights(rng)
        expected, found = verdict(pmars, battle), ours(battle)
        if outcome(found) != expected:
            clock += 1
            if by_its_clock(battle) != expected:
                raise AssertionError(
                    f"battle {number}: pmars {expected}, ours {outcome(found)}: {told(battle)}"
                )
        battles[battle.batch.shape[2]] += 1
        rounds += battle.batch.shape[1]
        decided += int((found.min(axis=2) == 0).sum())
        pspaces += bool(np.isin(battle.batch.code[:, 0], (Opcode.LDP, Opcode.STP)).any())
    return Found(battles, rounds, decided, pspaces, clock)


def compare_deadlines(wanted: int, pmars: Pmars) -> int:
    """Returns in how many of so many battles it makes a difference that rounds of pmars can be endless.

    Raises:
        AssertionError: ours end differently, and not because of that.
    """
    rng, different = np.random.default_rng(SEED + 1), 0
    for _ in range(wanted):
        battle = deadline(rng)
        expected, found = verdict(pmars, battle), outcome(ours(battle))
        if found != expected and by_its_clock(battle) != expected:
            raise AssertionError(f"pmars {expected}, ours {found}: {told(battle)}")
        different += found != expected
    return different


def run(*, quick: bool = False) -> Report:
    """Compares; `quick` a twentieth of it."""
    begun = time.perf_counter()
    with Pmars(find(), patience=5) as pmars:
        found = compare(150 if quick else 3000, pmars)
    deadlines = 20 if quick else 200
    with Pmars(find(), patience=0.5) as pmars:
        different = compare_deadlines(deadlines, pmars)
    total = found.battles.total()
    sizes = ", ".join(f"{found.battles[seats]} of {seats}" for seats in sorted(found.battles))
    rows = [
        Row("random battles compared", total, note=f"warriors: {sizes}"),
        Row("that pmars ends differently, unexplained", 0, "", "≤ 0", True),
        Row("that have a round without end in pmars", found.clock),
        Row(
            "battles with a death in the last cycle",
            deadlines,
            note=f"{different} of them have a round without end in pmars",
        ),
        Row("rounds", found.rounds, note=f"{found.decided} of them with dead"),
        Row("battles with P-space", found.pspaces),
        Row("wall time", time.perf_counter() - begun, "s"),
    ]
    about = f"random battles against Debian's pmars, three engines each; {native.status()}"
    return Report("mars_oracle", about, rows)
