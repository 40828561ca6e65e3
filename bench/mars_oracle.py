"""Whether our simulator and assembler find what Debian's pmars finds, in thousands of random battles.

    python -m bench mars_oracle [--quick]

Two to eight warriors (of a lone one pmars tells nothing), half of them drawn by the generators from a mind
drawn anew each time, a third random code of every opcode, P-space and PIN included, the rest built in;
cores of 80 to 8192 cells; all the numbers of the rules drawn. Both sides assemble the same text, and must
agree on every verdict. A difference is printed with all that is needed to repeat it, and ends the bench.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np
from bench.mars_fights import Fights, arranged
from bench.mars_pmars import Pmars, find, outcome
from bench.report import Report, Row

from speciate.problems.corewar import Settings, Warrior
from speciate.problems.corewar.generators import MINDS, generate
from speciate.problems.corewar.instructions import Instruction, Mode, Modifier, Opcode
from speciate.problems.corewar.mars import Counts, engines, native
from speciate.problems.corewar.warriors import fitting, load_builtin
from speciate.testing.mars import random_code

SEED: Final = 4_000
_CORES: Final = ((80, 5), (97, 5), (800, 20), (997, 20), (8000, 100), (8000, 100), (8192, 100))
"""Cells, and the most instructions of a warrior."""
_MOST: Final = 8


@dataclass(frozen=True, slots=True)
class Found:
    """What was compared.

    Attributes:
        battles: how many, by number of warriors.
        rounds: how many in all.
        decided: rounds that not everybody survived.
        pspaces: battles in which somebody uses P-space.
    """

    battles: Counter[int]
    rounds: int
    decided: int
    pspaces: int


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


def ours(battle: Fights) -> list[Counts]:
    """Returns what each of our engines finds."""
    kernel = engines.load("numba" if "numba" in engines.available() else "python")
    jumps, switch = (native.fight(battle.batch, battle.rules, dispatch=d) for d in ("jumps", "switch"))
    return [jumps, switch, kernel.fight(battle.batch, battle.rules, 1)]


def compare(wanted: int, pmars: Pmars) -> Found:
    """Returns what was compared.

    Raises:
        AssertionError: somebody finds another verdict.
    """
    rng, battles, rounds, decided, pspaces = np.random.default_rng(SEED), Counter[int](), 0, 0, 0
    for number in range(wanted):
        battle = fights(rng)
        expected = pmars.fight(battle, pmars.write(battle.sources))
        for counts in ours(battle):
            if outcome(counts.alive) != expected:
                raise AssertionError(
                    f"battle {number}: pmars {expected}, ours {outcome(counts.alive)}: {battle.settings}, "
                    f"-F {battle.seeds}, {battle.batch.positions.tolist()}\n" + "\n".join(battle.sources)
                )
        battles[battle.batch.shape[2]] += 1
        rounds += battle.batch.shape[1]
        decided += int((counts.alive.min(axis=2) == 0).sum())
        pspaces += bool(np.isin(battle.batch.code[:, 0], (Opcode.LDP, Opcode.STP)).any())
    return Found(battles, rounds, decided, pspaces)


def run(*, quick: bool = False) -> Report:
    """Compares; `quick` a twentieth of it."""
    begun = time.perf_counter()
    with Pmars(find()) as pmars:
        found = compare(150 if quick else 3000, pmars)
    total = found.battles.total()
    sizes = ", ".join(f"{found.battles[seats]} of {seats}" for seats in sorted(found.battles))
    rows = [
        Row("random battles, ours = pmars", total, "", "no difference", True, f"warriors: {sizes}"),
        Row("rounds", found.rounds, note=f"{found.decided} of them with dead"),
        Row("battles with P-space", found.pspaces),
        Row("wall time", time.perf_counter() - begun, "s"),
    ]
    about = f"random battles against Debian's pmars, three engines each; {native.status()}"
    return Report("mars_oracle", about, rows)
