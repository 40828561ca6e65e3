"""What each mind draws before it has learnt anything: what assembles, how long it is, how it fights.

python -m bench.corewar_generators [--warriors N] [--rounds N] [--threads N]

Under ``94nop`` each warrior meets every initial opponent alone, by pMARS's rules. Under ``drq`` it meets
all of them in one core, by those of Digital Red Queen, where 1 is an equal share of the cycles; there its
behaviour is measured too, and with it how many of the 36 cells of that map a mind fills by itself.
"""

from __future__ import annotations

import argparse
import statistics
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from bench.report import Report, Row, machine, show, write

from speciate.problems.corewar.descriptors import MEASURES, AxisName
from speciate.problems.corewar.generators import MINDS, generate
from speciate.problems.corewar.redcode import RedcodeError, assemble
from speciate.problems.corewar.scoring import battle
from speciate.problems.corewar.settings import PRESETS, Settings
from speciate.problems.corewar.warrior import Warrior
from speciate.problems.corewar.warriors import load_builtin
from speciate.seeds import stream


@dataclass(frozen=True, slots=True)
class Fights:
    """What the warriors of one mind did.

    Attributes:
        valid: share that assembled under ``drq``.
        lengths: instructions of each that did.
        results: (warriors, opponents, 3) rounds won, tied and lost under ``94nop``.
        fitness: (warriors,) scores under ``drq``.
        cells: of each warrior under ``drq``: the bins of processes spawned and of cells covered.
    """

    valid: float
    lengths: Sequence[int]
    results: np.ndarray
    fitness: np.ndarray
    cells: Sequence[tuple[int, int]]

    @property
    def held(self) -> float:
        """Share of opponents that a warrior beats at least as often as it loses to them."""
        won, _, lost = np.moveaxis(self.results, 2, 0)
        return float((won >= lost).mean())

    def share(self, column: int) -> float:
        """Returns the share of rounds won (0), tied (1) or lost (2)."""
        return float(self.results[:, :, column].sum() / self.results.sum())


def drawn(mind: str, count: int, settings: Settings) -> list[Warrior | None]:
    """Returns warriors of a mind; None for what could not be assembled."""

    def one(number: int) -> Warrior | None:
        try:
            return assemble(generate(stream(0, number, f"bench.{mind}"), settings, MINDS[mind]), settings)
        except RedcodeError:
            return None

    return [one(number) for number in range(count)]


def fights(mind: str, opponents: Mapping[str, Sequence[Warrior]], arguments: argparse.Namespace) -> Fights:
    made = drawn(mind, arguments.warriors, PRESETS["drq"])
    warriors = [warrior for warrior in made if warrior is not None]

    def pairs(warrior: Warrior) -> list[list[int]]:
        met = (
            battle([warrior, foe], PRESETS["94nop"], rounds=arguments.rounds) for foe in opponents["94nop"]
        )
        return [[r.results[0][0], r.results[0][1], r.results[1][0]] for r in met]

    def melee(warrior: Warrior) -> tuple[float, tuple[int, int]]:
        company = [warrior, *opponents["drq"]]
        rules = PRESETS["drq"]
        met = battle(company, rules, rounds=arguments.rounds, protocol="drq", statistics="covered")
        spawned, covered = (float(each[0, :, 0].mean()) for each in (met.counts.spawned, met.counts.covered))
        return met.scores[0], (_bin("tsp", spawned), _bin("mc", covered))

    with ThreadPoolExecutor(arguments.threads) as pool:
        results, melees = list(pool.map(pairs, warriors)), list(pool.map(melee, warriors))
    return Fights(
        valid=len(warriors) / len(made),
        lengths=[len(warrior) for warrior in warriors],
        results=np.array(results),
        fitness=np.array([score for score, _ in melees]),
        cells=[cell for _, cell in melees],
    )


def _bin(axis: AxisName, value: float) -> int:
    """Returns the bin of Digital Red Queen that a value lies in."""
    return bisect_right(MEASURES[axis].edges_for(PRESETS["drq"]), value)


def rows(mind: str, found: Fights) -> list[Row]:
    low, middle, high = np.quantile(found.fitness, (0.1, 0.5, 0.9))
    return [
        Row(f"{mind}: assemble", found.valid),
        Row(f"{mind}: length", statistics.median(found.lengths), "cells", note=_range(found.lengths)),
        Row(f"{mind}: won", found.share(0), note=f"tied {found.share(1):.2f}, lost {found.share(2):.2f}"),
        Row(f"{mind}: opponents held", found.held),
        Row(
            f"{mind}: drq fitness",
            middle,
            note=f"tenth {low:.2f}, ninth tenth {high:.2f}, best {found.fitness.max():.2f}",
        ),
        Row(f"{mind}: cells filled", len(set(found.cells)), note="of 36"),
    ]


def _range(lengths: Sequence[int]) -> str:
    return f"{min(lengths)} to {max(lengths)}"


def measure(arguments: argparse.Namespace) -> Report:
    opponents = {
        name: [file.assemble(PRESETS[name]) for file in load_builtin("initial")] for name in ("94nop", "drq")
    }
    found: list[Row] = []
    data: dict[str, object] = {}
    for mind in MINDS:
        fought = fights(mind, opponents, arguments)
        found += rows(mind, fought)
        data[mind] = {
            "lengths": list(fought.lengths),
            "results": fought.results.sum(axis=1).tolist(),
            "fitness": fought.fitness.round(4).tolist(),
            "cells": list(fought.cells),
        }
    about = (
        f"{arguments.warriors} warriors a mind, {arguments.rounds} rounds each against "
        f"{len(opponents['drq'])} initial opponents."
    )
    return Report("corewar_generators", about, found, data)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.corewar_generators", description=__doc__)
    parser.add_argument("--warriors", type=int, default=100, help="warriors a mind")
    parser.add_argument("--rounds", type=int, default=10, help="rounds of every battle")
    parser.add_argument("--threads", type=int, default=1, help="battles at once")
    arguments = parser.parse_args()
    before = machine()
    report = measure(arguments)
    show(report)
    print(f"  written to {write(report, before, quick=False)}")


if __name__ == "__main__":
    main()
