"""What the worst sources cost the Redcode assembler: each attack in a process of its own, in every dialect.

    python -m bench corewar_bad_input [--quick]

Each must end in a `RedcodeError` within a second and 100 MB. Seconds are CPU time; megabytes are by how much
the process grew at its peak, the source itself included.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import get_args

from bench.report import Report, Row, fresh, memory_mb

from speciate.problems.corewar.redcode import Dialect, RedcodeError, assemble
from speciate.testing.redcode_attacks import ATTACKS

MOST_SECONDS, MOST_MEGABYTES = 1.0, 100.0
WORST = 5


@dataclass(frozen=True, slots=True)
class Cost:
    """What one source cost.

    Attributes:
        attack: its name.
        dialect: how it was read.
        seconds: CPU time.
        megabytes: growth of the process.
        refused: whether it ended in a `RedcodeError`.
    """

    attack: str
    dialect: Dialect
    seconds: float
    megabytes: float
    refused: bool


def cost(attack: str, dialect: Dialect) -> Cost:
    """Assembles once and measures. Meant for `fresh`."""
    before = memory_mb("VmRSS")
    source, refused = ATTACKS[attack](), False
    begun = time.process_time()
    try:
        assemble(source, dialect=dialect)
    except RedcodeError:
        refused = True
    seconds = time.process_time() - begun
    return Cost(attack, dialect, seconds, memory_mb("VmHWM") - before, refused)


def run(*, quick: bool = False) -> Report:
    """Measures every attack once, or the strict dialect alone."""
    dialects: tuple[Dialect, ...] = ("strict",) if quick else get_args(Dialect)
    costs = [fresh(cost, attack, dialect) for attack in ATTACKS for dialect in dialects]
    rows = [_accepted(costs)]
    rows += [_slow(each) for each in sorted(costs, key=lambda each: -each.seconds)[:WORST]]
    rows += [_large(each) for each in sorted(costs, key=lambda each: -each.megabytes)[:WORST]]
    about = f"{len(ATTACKS)} hostile sources in {len(dialects)} dialects; the {WORST} worst of each kind"
    return Report("corewar_bad_input", about, rows, [asdict(each) for each in costs])


def _accepted(costs: list[Cost]) -> Row:
    accepted = [each for each in costs if not each.refused]
    return Row("accepted all the same", len(accepted), "", "0", not accepted)


def _slow(worst: Cost) -> Row:
    met = worst.seconds <= MOST_SECONDS
    return Row(f"{worst.attack} ({worst.dialect})", worst.seconds, "s", f"≤ {MOST_SECONDS:g}", met, "one run")


def _large(worst: Cost) -> Row:
    met = worst.megabytes <= MOST_MEGABYTES
    return Row(
        f"{worst.attack} ({worst.dialect})", worst.megabytes, "MB", f"≤ {MOST_MEGABYTES:g}", met, "one run"
    )
