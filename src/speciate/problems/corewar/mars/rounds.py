"""How a round and a battle run: whose turn it is, who dies, what is counted. Readable, as `kernel.py` is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from speciate.problems.corewar.mars.kernel import STP, execute
from speciate.problems.corewar.mars.machine import (
    AGAIN,
    CYCLE,
    EARLY,
    EMPTY_CELL,
    LEFT,
    LIVING,
    OPCODE_SHIFT,
    QUEUED,
    TURN,
    VERDICT,
    WRITTEN,
    Fights,
    Law,
    Machine,
    Tally,
)

CHECK_TIE: Final = 63
"""An inevitable tie is looked for once in 64 cycles, where it costs nothing that can be measured."""
FOREVER: Final = 1 << 62
"""More instructions than any round has."""


def queue(m: Machine, law: Law, seat: int, waiting: int, at: int) -> None:
    """Appends an address to the seat's queue, in which `waiting` processes stand."""
    tail = m.heads[seat] + waiting
    if tail >= law.processes:
        tail -= law.processes
    m.queues[seat * law.processes + tail] = at
    if law.counting != VERDICT:
        m.marks[seat * law.size + at] |= QUEUED


def turn(m: Machine, law: Law, seat: int) -> int:
    """Lets the seat's next process execute one instruction; returns how many processes it has then."""
    head = m.heads[seat]
    pc = m.queues[seat * law.processes + head]
    m.heads[seat] = head + 1 if head + 1 < law.processes else 0
    waiting = m.processes[seat] - 1
    following, second = execute(m, law, seat, pc)
    if following >= 0:
        queue(m, law, seat, waiting, following)
        waiting += 1
        if second >= 0 and waiting < law.processes:
            queue(m, law, seat, waiting, second)
            waiting += 1
            m.spawned[seat] += 1
    m.processes[seat] = waiting
    return waiting


def nobody_can_die(m: Machine, living: int, cycles: int) -> bool:
    """Whether every living seat has more processes than it has turns left."""
    for i in range(living):  # noqa: SIM110 (numba knows no generators in all())
        if m.processes[m.order[i]] <= cycles:
            return False
    return True


def turns_after_death(law: Law, left: int, living: int) -> int:
    """Returns the turns that are left after one in which one of `living` warriors died.

    Those that the dead one would have had are taken off. pMARS 0.9.2 takes off one more as long as several
    live on, so that its rounds end a turn earlier with each such death; whoever is to die in the last turns
    of a melee depends on it. Below 0 the clock has passed its end without stopping (see `begin_again`).

    Args:
        law: the rules.
        left: turns that were left, this one included.
        living: how many lived before it.
    """
    left -= 1 + (left - 1) // living
    return left - 1 if law.one_left and living > 2 else left


def begin_again(m: Machine, now: int, living: int) -> None:
    """Turns the order of the living so that whoever is next comes first.

    A death that was the very last instruction takes pMARS's clock past 0, and the round goes on until one is
    left, be it for ever. Ours goes on as long again, and then ends; another such death while more than two
    live makes it begin once more.
    """
    for _ in range(now):
        first = m.order[0]
        for i in range(living - 1):
            m.order[i] = m.order[i + 1]
        m.order[living - 1] = first
    m.clock[AGAIN] = 1


def advance(m: Machine, law: Law, turns: int, least: int) -> int:
    """Executes instructions until the round is over, and at most `turns` of them.

    Args:
        m: the machine, changed in place.
        law: the rules.
        turns: most instructions to execute.
        least: the round is over when no more than so many warriors live.

    Returns:
        How many instructions were executed.
    """
    now, cycle, living, early = m.clock[TURN], m.clock[CYCLE], m.clock[LIVING], m.clock[EARLY]
    left, done = m.clock[LEFT], 0
    while done < turns and left > 0 and cycle < law.cycles and living > least:
        seat = m.order[now]
        done += 1
        if turn(m, law, seat) > 0:
            now += 1
            left -= 1
        else:
            m.lifetimes[seat] = law.cycles if m.clock[AGAIN] else cycle
            left = turns_after_death(law, left, living)
            living -= 1
            for i in range(now, living):
                m.order[i] = m.order[i + 1]
            if left < 0:
                begin_again(m, now if now < living else 0, living)
                left, now, cycle = law.cycles * living, 0, 0
                continue
        if now == living:
            now = 0
            cycle += 1
            if early and cycle & CHECK_TIE == 0 and nobody_can_die(m, living, law.cycles - cycle):
                left = 0
    m.clock[TURN], m.clock[CYCLE], m.clock[LIVING], m.clock[LEFT] = now, cycle, living, left
    return done


def seated(fights: Fights, battle: int) -> int:
    """Returns how many warriors take part in the battle."""
    count = 0
    while count < fights.seats and fights.lineups[battle * fights.seats + count] >= 0:
        count += 1
    return count


def open_battle(m: Machine, law: Law, fights: Fights, battle: int, count: int) -> None:
    """Empties the P-spaces."""
    for i in range(count * law.pspace):
        m.pspace[i] = 0
    for seat in range(count):
        m.pspaces[seat] = fights.pspaces[battle * fights.seats + seat]
        m.results[seat] = law.size - 1


def stores(fights: Fights, battle: int, count: int) -> bool:
    """Whether anybody in the battle brings an instruction that writes P-space."""
    for seat in range(count):
        warrior = fights.lineups[battle * fights.seats + seat]
        for i in range(fights.offsets[warrior], fights.offsets[warrior + 1]):
            if fights.code[i] >> OPCODE_SHIFT == STP:
                return True
    return False


def open_round(m: Machine, law: Law, fights: Fights, battle: int, number: int, count: int) -> None:
    """Empties the core, loads the warriors and decides whose turn it is."""
    for i in range(law.size):
        m.core[i] = EMPTY_CELL
    if law.counting != VERDICT:
        for i in range(count * law.size):
            m.marks[i] = 0
    for seat in range(count):
        warrior = fights.lineups[battle * fights.seats + seat]
        position = fights.positions[(battle * fights.rounds + number) * fights.seats + seat]
        first = fights.offsets[warrior]
        for i in range(fights.offsets[warrior + 1] - first):
            m.core[(position + i) % law.size] = fights.code[first + i]
        m.queues[seat * law.processes] = (position + fights.starts[warrior]) % law.size
        m.heads[seat] = 0
        m.processes[seat] = 1
        m.spawned[seat] = 0
        m.order[seat] = (number + seat) % count if law.rotate else seat
    # What is stored until the end of this round may be read in the next one.
    lasting = number + 1 < fights.rounds and stores(fights, battle, count)
    m.clock[TURN], m.clock[CYCLE], m.clock[LIVING] = 0, 0, count
    m.clock[EARLY] = law.stop_early if not lasting else 0
    m.clock[LEFT], m.clock[AGAIN] = law.cycles * count, 0


def close_round(m: Machine, law: Law, tally: Tally, row: int, count: int) -> None:
    """Writes down what happened, and the result into each P-space."""
    for seat in range(count):
        lives = m.processes[seat] > 0
        m.results[seat] = m.clock[LIVING] % law.size if lives else 0  # as many may live as there are cells
        tally.alive[row + seat] = 1 if lives else 0
        tally.lifetime[row + seat] = law.cycles if lives else m.lifetimes[seat]
        if law.counting != VERDICT:
            covered, written = 0, 0
            for i in range(seat * law.size, (seat + 1) * law.size):
                covered += m.marks[i] & QUEUED
                written += m.marks[i] & WRITTEN
            tally.spawned[row + seat] = m.spawned[seat]
            tally.covered[row + seat] = covered
            tally.written[row + seat] = written // WRITTEN


def run(
    m: Machine, law: Law, fights: Fights, tally: Tally, first: int, end: int, begin: int, until: int
) -> int:
    """Fights rounds of battles.

    Args:
        m: the machine. Between calls it keeps the P-spaces of the last battle.
        law: the rules.
        fights: the battles.
        tally: where the outcome is written.
        first: the first battle.
        end: the battle after the last one.
        begin: the first round of each. If it is not 0, the battle must be the one that the machine fought
            last.
        until: the round after the last one of each.

    Returns:
        How many instructions were executed.
    """
    done = 0
    for battle in range(first, end):
        count = seated(fights, battle)
        if begin == 0:
            open_battle(m, law, fights, battle, count)
        for number in range(begin, until):
            open_round(m, law, fights, battle, number, count)
            done += advance(m, law, FOREVER, least_living(law, count))
            close_round(m, law, tally, (battle * fights.rounds + number) * fights.seats, count)
    return done


def least_living(law: Law, count: int) -> int:
    """Returns with how many living warriors a round of `count` is over. A lone warrior plays on."""
    return 1 if law.one_left and count > 1 else 0


@dataclass(frozen=True, slots=True)
class Kernel:
    """The simulator in one of its two forms.

    Attributes:
        run: `run`.
        advance: `advance`.
        plain: whether it is interpreted and wants lists; else it is compiled and wants arrays.
    """

    run: Callable[[Machine, Law, Fights, Tally, int, int, int, int], int]
    advance: Callable[[Machine, Law, int, int], int]
    plain: bool


PLAIN: Final = Kernel(run=run, advance=advance, plain=True)
