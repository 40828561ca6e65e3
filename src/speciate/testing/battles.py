"""Random battles, to hold one simulator against another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from speciate.problems.corewar.instructions import Instruction, Mode, Modifier, Opcode
from speciate.problems.corewar.mars import Batch, Counting, Rules, Stop, pack
from speciate.problems.corewar.warrior import Warrior

_LIVELY = (Opcode.MOV, Opcode.MOV, Opcode.SPL, Opcode.SPL, Opcode.JMP, Opcode.DJN, Opcode.ADD, Opcode.JMZ)
_CORES = (1, 2, 3, 13, 24, 55, 80, 128, 800)


def random_warrior(rng: np.random.Generator, core_size: int, length: int) -> Warrior:
    """Returns a warrior of uniformly drawn instructions, half of them of the kinds that keep warriors
    alive."""
    return Warrior(
        code=tuple(_instruction(rng, core_size) for _ in range(length)),
        start=int(rng.integers(length)),
        core_size=core_size,
        pin=int(rng.integers(2)) if rng.random() < 0.3 else None,
    )


def _instruction(rng: np.random.Generator, core_size: int) -> Instruction:
    lively = rng.random() < 0.5
    return Instruction(
        opcode=_LIVELY[rng.integers(len(_LIVELY))] if lively else Opcode(int(rng.integers(len(Opcode)))),
        modifier=Modifier(int(rng.integers(len(Modifier)))),
        a_mode=Mode(int(rng.integers(len(Mode)))),
        a=_number(rng, core_size),
        b_mode=Mode(int(rng.integers(len(Mode)))),
        b=_number(rng, core_size),
    )


def _number(rng: np.random.Generator, core_size: int) -> int:
    """Draws a number, half of the time a small one, so that warriors meet themselves and each other."""
    return int(rng.integers(core_size) if rng.random() < 0.5 else rng.integers(-4, 5)) % core_size


def random_rules(rng: np.random.Generator, *, counting: Counting = "full", smallest: int = 13) -> Rules:
    """Returns rules of a small core, sometimes with limits, P-space of odd size or few processes."""
    core_size = int(rng.choice([size for size in _CORES if size >= smallest]))
    divisors = [part for part in range(1, core_size + 1) if core_size % part == 0]
    limited = rng.random() < 0.3
    stops: tuple[Stop, ...] = (
        ("one_left", "never") if counting != "verdict" else ("one_left", "never", "verdict")
    )
    return Rules(
        core_size=core_size,
        cycles=int(rng.choice((1, 7, 60, 200, 500))),
        processes=int(rng.choice((1, 2, 5, 8, core_size, 8000))),
        pspace=int(rng.integers(1, core_size + 1)),
        read_limit=int(rng.choice(divisors)) if limited else core_size,
        write_limit=int(rng.choice(divisors)) if limited else core_size,
        rotate=bool(rng.integers(2)),
        stop=stops[rng.integers(len(stops))],
        counting=counting,
    )


def random_batches(
    rng: np.random.Generator, count: int, *, counting: Counting = "full"
) -> Iterator[tuple[Batch, Rules]]:
    """Yields batches of one to three battles of one to eight warriors each, and their rules.

    Args:
        rng: what decides.
        count: how many batches.
        counting: what the rules ask for.
    """
    for _ in range(count):
        rules = random_rules(rng, counting=counting, smallest=1)
        most = min(8, rules.core_size)
        seats = [int(rng.integers(1, most + 1)) for _ in range(rng.integers(1, 4))]
        rounds = int(rng.integers(1, 4))
        longest = max(1, min(10, rules.core_size // max(seats)))
        pool = [
            random_warrior(rng, rules.core_size, int(rng.integers(1, longest + 1))) for _ in range(max(seats))
        ]
        lineups = [rng.integers(len(pool), size=number).tolist() for number in seats]
        positions = [
            [rng.integers(rules.core_size, size=number).tolist() for _ in range(rounds)] for number in seats
        ]
        yield pack(pool, lineups, positions, rules), rules
