"""How fast the simulator is, beside other people's, in the same battles with the same verdicts.

    python -m bench mars [--quick]

Peers are exhaust-ma (PyPI) and Debian's pmars; each is installed where it is missing and that is possible,
and left out with a word where it is not. *Pairs*: every pair of 12 built-in warriors, one of each family, 6
rounds, for the verdict alone; *drawn pairs* the same of 12 warriors that a generator drew. *Melee*: 21
built-in warriors in one core, 20 rounds, until one is left; *other melee* the same of 21 that were drawn
from all built-in ones. *drq*: those of the melee to the last cycle, as Digital Red Queen places them.
Everywhere else they stand where pMARS puts them, and everybody must find the same verdicts, or the bench
ends. One thread; CPU time, of pmars that of its processes; measured in turns, so that all see the same
load.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from typing import Final

import numpy as np
from bench import corewar_assembler, corewar_step, mars_first_use
from bench.mars_exhaust import Exhaust
from bench.mars_fights import Fights, drawn_pairs, evaluation, instructions, melee, other_melee, real_pairs
from bench.mars_pmars import MissingPeerError, Pmars, children, find, outcome
from bench.report import Report, Row, at_most, fresh, plain

from speciate.problems.corewar.mars import Counting, Flags, engines, native

EXHAUST: Final = "exhaust-ma"
PMARS: Final = "pmars"
START: Final = "pmars, starting alone"
C: Final = "C"
PORTABLE: Final = "standard C"
NUMBA: Final = "numba"

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Contestant:
    """One way to fight some battles.

    Attributes:
        work: fights them.
        clock: seconds it has used so far.
    """

    work: Callable[[], object]
    clock: Clock = time.process_time


@dataclass(frozen=True, slots=True)
class Peers:
    """Simulators by other people; None where one is not here."""

    exhaust: Exhaust | None
    pmars: Pmars | None


@dataclass(frozen=True, slots=True)
class Measured:
    """One workload.

    Attributes:
        name: what it is called.
        instructions: how many are executed.
        seconds: of each contestant, (repeats,).
    """

    name: str
    instructions: int
    seconds: Mapping[str, Sequence[float]]

    def row(self, who: str) -> Row:
        """Returns what one contestant took."""
        times = self.seconds[who]
        middle = statistics.median(times)
        note = f"{min(times) * 1e3:.1f} to {max(times) * 1e3:.1f}"
        if who != START:
            note += f"; {self.instructions / middle / 1e6:.1f} M instructions/s"
        if EXHAUST in self.seconds and who not in (EXHAUST, START):
            note += f"; {self._median_factor(EXHAUST, who):.2f} × {EXHAUST}"
        return Row(f"{self.name}, {who}", middle * 1e3, "ms", note=note)

    def factor(self, peer: str, who: str, goal: float) -> Iterator[Row]:
        """Yields how many times as fast as a peer somebody is, against a goal, if the peer is here."""
        if peer not in self.seconds:
            return
        times, theirs = self.seconds[who], self.seconds[peer]
        middle, of_minima = self._median_factor(peer, who), min(theirs) / min(times)
        note = f"{of_minima:.2f} by minima, {len(times)} runs"
        yield Row(f"{self.name}, {who}: × {peer}", middle, "", f"≥ {goal:g}", middle >= goal, note)

    def without_starts(self, who: str) -> Iterator[Row]:
        """Yields how many times as fast as pmars somebody is if the starts of its processes cost nothing."""
        if PMARS in self.seconds:
            turns = zip(self.seconds[PMARS], self.seconds[START], self.seconds[who], strict=True)
            factors = ((whole - start) / times for whole, start, times in turns)
            yield plain(f"{self.name}, {who}: × {PMARS} without its starts", factors)

    def _median_factor(self, peer: str, who: str) -> float:
        pairs = zip(self.seconds[peer], self.seconds[who], strict=True)
        return statistics.median(theirs / ours for theirs, ours in pairs)


def measure(contestants: Mapping[str, Contestant], repeats: int) -> dict[str, list[float]]:
    """Returns the seconds of each, (repeats,), measured in turns after one turn that does not count."""
    found: dict[str, list[float]] = {name: [] for name in contestants}
    for turn in range(1 + repeats):
        for name, each in contestants.items():
            before = each.clock()
            each.work()
            if turn:
                found[name].append(each.clock() - before)
    return found


def others(fights: Fights, peers: Peers, expected: Flags) -> dict[str, Contestant]:
    """Returns the peers that are here, after they were found to agree.

    Raises:
        AssertionError: one of them finds other survivors.
    """
    found = {}
    if peers.exhaust is not None:
        fight = peers.exhaust.prepared(fights)
        if not np.array_equal(fight(), expected):
            raise AssertionError(f"{EXHAUST} finds other survivors")
        found[EXHAUST] = Contestant(fight)
    if peers.pmars is not None:
        files = peers.pmars.write(fights.sources)
        if peers.pmars.fight(fights, files) != outcome(expected):
            raise AssertionError(f"{PMARS} finds other verdicts")
        found[PMARS] = Contestant(partial(peers.pmars.fight, fights, files), children)
        found[START] = Contestant(partial(_start, peers.pmars, fights), children)
    return found


def _start(pmars: Pmars, fights: Fights) -> None:
    """Starts pmars for every battle, assembles the same files, and executes an instruction each."""
    files, settings = pmars.write(fights.sources), fights.settings.but(cycles=1)
    for lineup, seed in zip(fights.lineups, fights.seeds, strict=True):
        pmars.battle([files[i] for i in lineup], settings, 1, seed)


def ours(fights: Fights, expected: Flags, label: str = "") -> dict[str, Contestant]:
    """Returns our three engines, after they were found to agree.

    Raises:
        AssertionError: one of them finds other survivors.
    """
    engine = engines.load("numba")
    ways: dict[str, Callable[[], object]] = {
        C: partial(native.fight, fights.batch, fights.rules),
        PORTABLE: partial(native.fight, fights.batch, fights.rules, dispatch="switch"),
        NUMBA: partial(engine.fight, fights.batch, fights.rules, 1),
    }
    if not np.array_equal(native.fight(fights.batch, fights.rules, dispatch="switch").alive, expected):
        raise AssertionError(f"{PORTABLE} finds other survivors")
    if not np.array_equal(engine.fight(fights.batch, fights.rules, 1).alive, expected):
        raise AssertionError(f"{NUMBA} finds other survivors")
    return {f"{name}{label}": Contestant(work) for name, work in ways.items()}


def measured(
    name: str, fights: Fights, peers: Peers, repeats: int, counts: Sequence[Counting] = ()
) -> Measured:
    """Returns everybody's times in some battles; ours also with further counts."""
    verdict = native.fight(fights.batch, fights.rules)
    contestants = others(fights, peers, verdict.alive) | ours(fights, verdict.alive)
    for counting in counts:
        contestants |= ours(fights.counted(counting), verdict.alive, f", {counting}")
    return Measured(name, instructions(fights, verdict.lifetime), measure(contestants, repeats))


def threads(fights: Fights, repeats: int) -> tuple[Row, Mapping[str, Sequence[float]]]:
    """Returns what a second thread gives, in wall time, by the minima: whoever else is there takes a core."""
    found = measure(
        {
            str(count): Contestant(
                partial(native.fight, fights.batch, fights.rules, count), time.perf_counter
            )
            for count in (1, 2)
        },
        3 * repeats,
    )
    ratios = [one / two for one, two in zip(found["1"], found["2"], strict=True)]
    factor = min(found["1"]) / min(found["2"])
    note = f"by minima of wall time; median of turns {statistics.median(ratios):.2f}, {len(ratios)} runs"
    return Row("pairs, C, two threads: × one", factor, "", "≥ 1.8", factor >= 1.8, note), found


def _goals(pairs: Measured, crowd: Measured, drq: Measured) -> list[Row]:
    """Returns the rows with a goal."""
    evaluation = drq.seconds[f"{C}, covered"]
    return [
        *pairs.factor(EXHAUST, C, 1.6),
        *pairs.factor(EXHAUST, PORTABLE, 1.15),
        *pairs.factor(EXHAUST, NUMBA, 0.6),
        *pairs.factor(PMARS, C, 8),
        *pairs.without_starts(C),
        *crowd.factor(EXHAUST, f"{C}, covered", 1.3),
        *crowd.factor(EXHAUST, f"{C}, full", 1.3),
        at_most("drq, C, covered", [1e3 * t for t in evaluation], 90, "ms"),
        at_most("drq, C, full", [1e3 * t for t in drq.seconds[f"{C}, full"]], 90, "ms"),
    ]


def _peers(stack: ExitStack) -> tuple[Peers, list[str]]:
    """Returns the peers, and why one is left out."""
    missing: list[str] = []
    exhaust: Exhaust | None = None
    pmars: Pmars | None = None
    try:
        exhaust = Exhaust.found()
    except ImportError as error:
        missing.append(f"{EXHAUST} is left out: {error}")
    try:
        pmars = stack.enter_context(Pmars(find()))
    except MissingPeerError as error:
        missing.append(f"{PMARS} is left out: {error}")
    return Peers(exhaust, pmars), missing


def run(*, quick: bool = False) -> Report:
    """Measures everybody; `quick` repeats less often."""
    repeats = 3 if quick else 9
    pairs, crowd = real_pairs(), melee()
    with ExitStack() as stack:
        peers, missing = _peers(stack)
        tables = [
            measured("pairs", pairs, peers, repeats),
            measured("drawn pairs", drawn_pairs(), peers, repeats),
            measured("melee", crowd, peers, repeats, ("covered", "full")),
            measured("other melee", other_melee(), peers, repeats, ("covered", "full")),
            measured("drq", evaluation(), Peers(None, None), repeats, ("covered", "full")),
        ]
    second, walls = threads(pairs, repeats)
    first = mars_first_use.measure(2 if quick else 5)
    assembling = [corewar_assembler.seconds(300) for _ in range(repeats)]
    steps = [fresh(corewar_step.cost, 20 if quick else 60) for _ in range(3)]
    rows = [
        *_goals(tables[0], tables[2], tables[4]),
        second,
        at_most("assembling 300 warriors", assembling, 0.5, "s"),
        at_most("drq, step without a model in battles", (each.ratio for each in steps), corewar_step.MOST),
        *mars_first_use.rows(first),
        *(table.row(who) for table in tables for who in table.seconds),
    ]
    data = {
        "workloads": [asdict(table) for table in tables],
        "threads": walls,
        "assembling": assembling,
        "steps": [asdict(each) for each in steps],
        "first_use": asdict(first),
        "engine": native.status(),
        "missing": missing,
    }
    about = f"the simulator beside other people's; ours: {native.status()}"
    return Report("mars", "; ".join([about, *missing]), rows, data)
