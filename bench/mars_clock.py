"""pMARS's clock, which in a crowd is not quite a clock.

A round has as many instructions as cycles times warriors. When one of k warriors dies with c
instructions to go, those it would have executed must be taken off, which leaves c − 1 − ⌊(c − 1) / k⌋.
pMARS 0.9.2 leaves one less. So with every death that two or more survive, the round ends one
instruction earlier; and if that death is the very last instruction, the clock passes 0 without
stopping, and the round lasts until one is left, or for ever.

Our engines keep that clock, but for its last habit: past 0, a round of ours is as long again and then ends.
This module plays on, so that the bench `mars_oracle` can tell rounds without end from true differences.
"""

from __future__ import annotations

from typing import Final

from bench.mars_fights import Fights

from speciate.problems.corewar.mars import Counts, Flags, state
from speciate.problems.corewar.mars.machine import LIVING, Law, Machine
from speciate.problems.corewar.mars.rounds import close_round, open_battle, open_round, seated, turn

_PATIENCE: Final = 300_000
"""Instructions past the end after which a round is taken to last for ever."""


class Endless(Exception):  # noqa: N818 (an outcome, not an error)
    """The round has no end."""


def alive(fights: Fights) -> Flags:
    """Returns who is alive at the end of one battle, (1, rounds, seats), by our kernel and this clock.

    Raises:
        Endless: a round does not end.
    """
    law, counts = state.law(fights.rules), Counts.empty(fights.batch.shape)
    flat, tally = state.fights(fights.batch, plain=True), state.tally(counts)
    machine = state.machine(law, flat.seats, plain=True)
    count = seated(flat, 0)
    open_battle(machine, law, flat, 0, count)
    for number in range(flat.rounds):
        open_round(machine, law, flat, 0, number, count)
        _play(machine, law, count)
        close_round(machine, law, tally, number * flat.seats, count)
    return counts.alive


def _play(machine: Machine, law: Law, count: int) -> None:
    """Fights a round of at least two."""
    order, now, clock = list(machine.order[:count]), 0, count * law.cycles
    while clock and len(order) > 1:
        if turn(machine, law, order[now]):
            now, clock = now + 1, clock - 1
        else:
            clock -= 2 + (clock - 1) // len(order) if clock > 0 else 0
            del order[now]
        now %= len(order)
        if clock < -_PATIENCE:
            raise Endless
    machine.clock[LIVING] = len(order)
