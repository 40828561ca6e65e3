"""How fast the simulator is, beside exhaust-ma, the fastest other one on PyPI.

    pip install exhaust-ma && python -m bench mars_peers [--quick]

Without exhaust-ma only our own times are measured.
Pairs: every pair of 12 built-in warriors, 6 rounds each. Melees: 21 warriors in one core, 20 rounds. Both
sides fight the same battles from the same positions in the same order, and must agree on every survivor; a
difference ends the bench. Runs are interleaved, CPU time of the process; factors are medians over the
repetitions. Instructions are counted once, by the engine with full statistics.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import combinations
from typing import Any, Final

import numpy as np
from bench.report import Report, Row, at_least, at_most, plain

from speciate.problems.corewar import Settings, Warrior
from speciate.problems.corewar.instructions import Instruction, Opcode
from speciate.problems.corewar.mars import native
from speciate.problems.corewar.mars.batch import Batch, Counts, Rules, pack
from speciate.problems.corewar.warriors import load_builtin

SETTINGS: Final = Settings()
PAIR_ROUNDS: Final = 6
MELEE_ROUNDS: Final = 20
FIGHTERS: Final = 12
CROWD: Final = 21


@dataclass(frozen=True, slots=True)
class Fights:
    """Battles, for both sides.

    Attributes:
        warriors: who takes part anywhere.
        batch: the battles.
        rules: their rules.
    """

    warriors: tuple[Warrior, ...]
    batch: Batch
    rules: Rules


def _warriors() -> tuple[Warrior, ...]:
    """Returns the built-in warriors that use no P-space, in a fixed shuffled order."""
    found = [file.assemble(SETTINGS) for file in load_builtin()]
    kept = [w for w in found if not w.opcodes & {Opcode.LDP, Opcode.STP}]
    return tuple(kept[i] for i in np.random.default_rng(1).permutation(len(kept)))


def pairs() -> Fights:
    """Returns every pair of the first warriors."""
    warriors = _warriors()[:FIGHTERS]
    lineups = list(combinations(range(len(warriors)), 2))
    chance = np.random.default_rng(2)
    positions = [[(0, int(chance.integers(100, 7900))) for _ in range(PAIR_ROUNDS)] for _ in lineups]
    rules = Rules.of(SETTINGS, stop="verdict")
    return Fights(warriors, pack(warriors, lineups, positions, rules), rules)


def melee() -> Fights:
    """Returns one battle of many."""
    warriors = _warriors()[:CROWD]
    chance = np.random.default_rng(3)
    space = SETTINGS.core_size // CROWD
    positions = [
        [i * space + int(chance.integers(0, space - len(w))) for i, w in enumerate(warriors)]
        for _ in range(MELEE_ROUNDS)
    ]
    rules = Rules.of(SETTINGS, stop="one_left")
    return Fights(warriors, pack(warriors, [range(CROWD)], [positions], rules), rules)


class Exhaust:
    """exhaust-ma, through its C functions: its own `Core.run` knows no start label."""

    def __init__(self, module: Any) -> None:  # no types
        self._lib, self._ffi = module.lib, module.ffi

    @classmethod
    def found(cls) -> Exhaust | None:
        """Returns it, or None if it is not installed."""
        try:
            return cls(import_module("_exhaust_ma"))
        except ImportError:
            return None

    def fight(self, fights: Fights) -> np.ndarray:
        """Returns who is alive, (battles, rounds, seats)."""
        lib, ffi, batch = self._lib, self._ffi, fights.batch
        battles, rounds, seats = batch.shape
        lib.sim_alloc_bufs2(seats, SETTINGS.core_size, SETTINGS.processes, SETTINGS.cycles, SETTINGS.pspace)
        code = [self._code(w) for w in fights.warriors]
        lengths = [len(w) for w in fights.warriors]
        starts = [w.start for w in fights.warriors]
        alive = np.ones((battles, rounds, seats), np.uint8)
        begins, deaths = ffi.new("field_t[]", seats), ffi.new("unsigned int[]", seats)
        lineups, positions = batch.lineups.tolist(), batch.positions.tolist()
        for battle, lineup in enumerate(lineups):
            for number in range(rounds):
                lib.sim_clear_core()
                for seat, warrior in enumerate(lineup):
                    lib.sim_load_warrior(positions[battle][number][seat], code[warrior], lengths[warrior])
                order = [(number + i) % seats for i in range(seats)]
                for i, seat in enumerate(order):
                    begins[i] = (positions[battle][number][seat] + starts[lineup[seat]]) % SETTINGS.core_size
                for dead in range(seats - lib.sim_mw(seats, begins, deaths)):
                    alive[battle, number, order[deaths[dead]]] = 0
        lib.sim_free_bufs()
        return alive

    def _code(self, warrior: Warrior) -> object:
        """Returns a warrior in its form."""
        cells = self._ffi.new("insn_t[]", len(warrior))
        for cell, instruction in zip(cells, warrior.code, strict=True):
            cell.a, cell.b = instruction.a, instruction.b
            setattr(cell, "in", _word(instruction))  # a keyword of Python
        return cells


_OPCODES: Final = [
    "DAT",
    "SPL",
    "MOV",
    "DJN",
    "ADD",
    "JMZ",
    "SUB",
    "SEQ",
    "SNE",
    "SLT",
    "JMN",
    "JMP",
    "NOP",
    "MUL",
    "MOD",
    "DIV",
    "LDP",
    "STP",
]
_MODIFIERS: Final = ["F", "A", "B", "AB", "BA", "X", "I"]
_MODES: Final = "$#@<>*{}"


def _word(instruction: Instruction) -> int:
    """Returns opcode, modifier and modes as it numbers them."""
    opcode = "SEQ" if instruction.opcode is Opcode.CMP else instruction.opcode.name
    modes = (_MODES.index(mode.symbol) for mode in (instruction.b_mode, instruction.a_mode))
    b_mode, a_mode = modes
    modifier = _MODIFIERS.index(instruction.modifier.name)
    return _OPCODES.index(opcode) << 9 | modifier << 6 | b_mode << 3 | a_mode


def instructions(fights: Fights) -> int:
    """Returns how many instructions the battles take until one is left, or to the end."""
    counts = native.fight(fights.batch, replace(fights.rules, stop="one_left", counting="covered"))
    lived = counts.lifetime.astype(np.int64)
    ends = np.where(counts.alive.sum(axis=2) > 1, SETTINGS.cycles, np.sort(lived, axis=2)[:, :, -2])
    return int(np.minimum(lived, ends[:, :, None]).sum())


def _ours(fights: Fights, **arguments: Any) -> Callable[[], Counts]:  # passed on to native.fight
    return lambda: native.fight(fights.batch, fights.rules, **arguments)


def measure(
    contestants: Mapping[str, Callable[[], object]],
    repeats: int,
    clock: Callable[[], float] = time.process_time,
) -> dict[str, list[float]]:
    """Returns the seconds of each, (repeats,), measured in turns."""
    found: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(repeats):
        for name, work in contestants.items():
            before = clock()
            work()
            found[name].append(clock() - before)
    return found


def _agree(fights: Fights, exhaust: Exhaust) -> None:
    """Makes sure that both sides find the same survivors."""
    theirs = exhaust.fight(fights)
    for dispatch in ("jumps", "switch"):
        if not np.array_equal(native.fight(fights.batch, fights.rules, dispatch=dispatch).alive, theirs):
            raise AssertionError(f"{dispatch}: other survivors than exhaust-ma")


def _factors(times: Mapping[str, list[float]], base: str, name: str) -> list[float]:
    return [theirs / ours for theirs, ours in zip(times[base], times[name], strict=True)]


def _contestants(exhaust: Exhaust | None, fights: Fights) -> dict[str, Callable[[], object]]:
    """Returns exhaust-ma, if it is here, and our engines for the verdict, after they were found to agree."""
    ours: dict[str, Callable[[], object]] = {
        "verdict": _ours(fights),
        "portable": _ours(fights, dispatch="switch"),
    }
    if exhaust is None:
        return ours
    _agree(fights, exhaust)
    return {"exhaust": lambda: exhaust.fight(fights), **ours}


def _rows(two: Mapping[str, list[float]], many: Mapping[str, list[float]], millions: float) -> list[Row]:
    """Returns the table; without exhaust-ma only what needs no comparison."""
    rows: list[Row] = []
    if "exhaust" in two:
        rows += [
            at_least("pairs, verdict: × exhaust-ma", _factors(two, "exhaust", "verdict"), 1.6),
            at_least("pairs, standard C: × exhaust-ma", _factors(two, "exhaust", "portable"), 1.15),
            plain("melee, verdict: × exhaust-ma", _factors(many, "exhaust", "verdict")),
            at_least("melee, covered: × exhaust-ma", _factors(many, "exhaust", "covered"), 1.3),
            at_least("melee, full: × exhaust-ma", _factors(many, "exhaust", "full"), 1.3),
            plain("melee, standard C: × exhaust-ma", _factors(many, "exhaust", "portable")),
            plain("pairs, exhaust-ma", [millions / t for t in two["exhaust"]], "M instructions/s"),
        ]
    return [
        *rows,
        plain("pairs, verdict", [millions / t for t in two["verdict"]], "M instructions/s"),
        at_least("pairs, two threads: × one (wall time)", _factors(two, "wall 1", "wall 2"), 1.8),
        at_most("drq, 21 warriors × 20 rounds", [1e3 * t for t in many["drq"]], 90, "ms"),
    ]


def run(*, quick: bool = False) -> Report:
    """Measures both sides; `quick` repeats less often."""
    repeats = 3 if quick else 7
    exhaust, two, many = Exhaust.found(), pairs(), melee()
    full = replace(many, rules=replace(many.rules, counting="full"))
    covered = replace(many, rules=replace(many.rules, counting="covered"))
    drq = replace(many, rules=replace(many.rules, counting="covered", stop="never", rotate=False))
    of_pairs = measure(_contestants(exhaust, two), repeats)
    of_melees = measure(
        {**_contestants(exhaust, many), "covered": _ours(covered), "full": _ours(full), "drq": _ours(drq)},
        repeats,
    )
    walls = {"wall 1": _ours(two, threads=1), "wall 2": _ours(two, threads=2)}
    of_pairs |= measure(walls, repeats, clock=time.perf_counter)
    millions = instructions(two) / 1e6
    data = {"seconds": {"pairs": of_pairs, "melees": of_melees}, "instructions": millions}
    return Report("mars_peers", __doc__ or "", _rows(of_pairs, of_melees, millions), data)
