"""The battles that simulators are compared in: sources, positions and rules, the same for all of them.

Positions are those that pMARS draws for its option ``-F``, so that it can fight the very same battles.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np

from speciate.problems.corewar import Settings, assemble
from speciate.problems.corewar.instructions import Opcode
from speciate.problems.corewar.mars import Batch, Counting, Cycles, Rules, Stop, pack
from speciate.problems.corewar.scoring.placement import draw_drq
from speciate.problems.corewar.warriors import WarriorFile, load_builtin

PAIR_ROUNDS: Final = 6
MELEE_ROUNDS: Final = 20
FIGHTERS: Final = 12
CROWD: Final = 21
STANDARD: Final = Settings()

_NOT_IN_PAIRS: Final = ("imp", "switcher")
"""Families that are left out: a lone imp hardly fights, and switchers live by their P-space."""
_VECTORS: Final = Path(__file__).parents[1] / "tests/problems/corewar/data/battles.jsonl"
_MOST_REJECTED: Final = 20
_MODULUS: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Fights:
    """Battles, for every simulator.

    Attributes:
        sources: Redcode of all that take part anywhere.
        lineups: for each battle the indices of its warriors.
        seeds: for each battle what pMARS is told by ``-F``.
        settings: the rules, for assemblers and for pMARS.
        batch: the same, for our engines.
        rules: the same.
    """

    sources: tuple[str, ...]
    lineups: tuple[tuple[int, ...], ...]
    seeds: tuple[int, ...]
    settings: Settings
    batch: Batch
    rules: Rules

    def counted(self, counting: Counting) -> Fights:
        """Returns the same battles, counted in another way."""
        return replace(self, rules=replace(self.rules, counting=counting))


def following(seed: int) -> int:
    """Returns the next number of pMARS's generator (Park 1988, https://doi.org/10.1145/63039.63042)."""
    return seed * 16_807 % _MODULUS


def positions(seats: int, settings: Settings, first: int, rounds: int) -> list[list[int]] | None:
    """Returns the addresses that pMARS loads warriors at, [round][seat], when told ``-F first``.

    The conformance vectors and the bench ``mars_oracle`` hold this against the program.

    Returns:
        The addresses; None if so many places are refused for being too near another that pMARS would go
        back and place others anew, which is not repeated here.
    """
    seed, found = first - settings.min_distance, []
    for _ in range(rounds):
        if seats == 2:
            found.append([0, _place(seed, settings)])
            seed = following(seed)
            continue
        row, rejected = [0], 0
        while len(row) < seats:
            seed = following(seed)
            place = _place(seed, settings)
            if all(abs(place - other) >= settings.min_distance for other in row[1:]):
                row.append(place)
            elif (rejected := rejected + 1) > _MOST_REJECTED:
                return None
        found.append(row)
    return found


def _place(seed: int, settings: Settings) -> int:
    distance = settings.min_distance
    return distance + seed % (settings.core_size + 1 - 2 * distance)


def arranged(
    sources: Sequence[str],
    lineups: Sequence[Sequence[int]],
    settings: Settings,
    rounds: int,
    stop: Stop,
    rng: np.random.Generator,
) -> Fights:
    """Returns battles at places drawn as pMARS draws them, its seeds drawn from `rng`."""
    seeds, places = [], []
    for lineup in lineups:
        row = None
        while row is None:
            seed = int(rng.integers(settings.min_distance, settings.core_size - settings.min_distance + 1))
            row = positions(len(lineup), settings, seed, rounds)
        seeds.append(seed)
        places.append(row)
    rules = Rules.of(settings, stop=stop)
    batch = pack([assemble(source, settings) for source in sources], lineups, places, rules)
    return Fights(tuple(sources), tuple(map(tuple, lineups)), tuple(seeds), settings, batch, rules)


def real_pairs() -> Fights:
    """Returns every pair of twelve built-in warriors, the first of each family, 6 rounds each."""
    files: dict[str, WarriorFile] = {}
    for file in load_builtin("initial") + load_builtin("training"):
        files.setdefault(file.family or "", file)
    chosen = [file.source for family, file in files.items() if family not in _NOT_IN_PAIRS]
    if len(chosen) != FIGHTERS:
        raise RuntimeError(f"there are {len(chosen)} families; the pairs are meant for {FIGHTERS}")
    return _all_pairs(chosen, 1)


def drawn_pairs() -> Fights:
    """Returns every pair of twelve warriors that a generator drew: the first of the conformance vectors."""
    vectors = map(json.loads, _VECTORS.read_text("utf-8").splitlines())
    sources = {
        source: None
        for vector in vectors
        if vector["kind"] == "plausible" and vector["opts"]["s"] == STANDARD.core_size
        for source in vector["warriors"]
    }
    return _all_pairs(list(sources)[:FIGHTERS], 2)


def _all_pairs(sources: Sequence[str], seed: int) -> Fights:
    lineups = list(combinations(range(len(sources)), 2))
    return arranged(sources, lineups, STANDARD, PAIR_ROUNDS, "verdict", np.random.default_rng(seed))


def melee() -> Fights:
    """Returns one battle of the initial and training warriors but the imp and the switcher, 20 rounds."""
    files = load_builtin("initial") + load_builtin("training")
    sources = [file.source for file in files if file.family not in _NOT_IN_PAIRS]
    if len(sources) != CROWD:
        raise RuntimeError(f"there are {len(sources)} warriors; the melee is meant for {CROWD}")
    return _crowded(sources, 3)


def other_melee() -> Fights:
    """Returns one battle of 21 built-in warriors without P-space, drawn once and for all, 20 rounds."""
    rng = np.random.default_rng(4)
    private = {Opcode.LDP, Opcode.STP}
    files = [file for file in load_builtin() if not file.assemble(STANDARD).opcodes & private]
    chosen = rng.choice(len(files), CROWD, replace=False)
    return _crowded([files[i].source for i in chosen], 5)


def _crowded(sources: Sequence[str], seed: int) -> Fights:
    rng = np.random.default_rng(seed)
    return arranged(sources, [range(CROWD)], STANDARD, MELEE_ROUNDS, "one_left", rng)


def evaluation() -> Fights:
    """Returns the melee as Digital Red Queen has it. pMARS could not repeat it, so it has no seeds."""
    crowd = melee()
    warriors = [assemble(source, crowd.settings) for source in crowd.sources]
    rules = Rules.of(crowd.settings, stop="never", rotate=False)
    places = draw_drq(warriors, crowd.settings, MELEE_ROUNDS, 0)
    batch = pack(warriors, crowd.lineups, [places], rules)
    return replace(crowd, seeds=(), batch=batch, rules=rules)


def instructions(fights: Fights, lifetime: Cycles) -> int:
    """Returns how many instructions the battles take, until one is left of several or to the end.

    Args:
        fights: the battles.
        lifetime: (battles, rounds, seats) whole cycles that each survived.
    """
    if fights.rules.stop == "never":
        return int(lifetime.sum())
    ends = np.sort(lifetime, axis=2)[:, :, -2]  # whoever is left counts as having lived to the last cycle
    return int(np.minimum(lifetime, ends[:, :, None]).sum())
