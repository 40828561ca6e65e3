"""A battle, instruction by instruction: for looking at it, for explaining it, for checking an engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from typing_extensions import override

from speciate.problems.corewar.instructions import EMPTY, Instruction
from speciate.problems.corewar.mars import engines, rounds, state
from speciate.problems.corewar.mars.batch import Counts, Rules, pack
from speciate.problems.corewar.mars.machine import (
    CYCLE,
    LEFT,
    LIVING,
    QUEUED,
    READ,
    TRACED,
    TURN,
    VERDICT,
    WRITTEN,
)
from speciate.problems.corewar.warrior import Warrior

_INTERPRETED: Final = 200_000
"""Instructions that the interpreted kernel executes in less time than numba needs to wake up."""


@dataclass(frozen=True, slots=True)
class Event:
    """One executed instruction.

    Attributes:
        cycle: whole cycles done before it.
        warrior: whose it was.
        at: its address.
        instruction: what was executed.
        read: addresses that its operands looked at, in increasing order; an immediate operand looks at none.
        written: addresses that it wrote, in increasing order.
        queued: addresses that it queued for execution, in increasing order.
        processes: the warrior's processes after it; 0 means that it died.
    """

    cycle: int
    warrior: int
    at: int
    instruction: Instruction
    read: tuple[int, ...]
    written: tuple[int, ...]
    queued: tuple[int, ...]
    processes: int


@dataclass(frozen=True)
class CoreState:
    """A core between two instructions.

    Attributes:
        core: every cell.
        cycle: whole cycles done.
        next_warrior: whose turn it is, or None when all are dead.
        procs: processes of each warrior.
        next_pc: address of each warrior's next instruction, or None when it is dead.
        owners: who wrote or brought each cell last, −1 for nobody; empty unless the battle was traced.
    """

    core: tuple[Instruction, ...]
    cycle: int
    next_warrior: int | None
    procs: list[int]
    next_pc: list[int | None]
    owners: tuple[int, ...] = ()

    def listing(self) -> str:
        """Returns every cell, one a line, as ``MOV.I $0,$1``; numbers lie in [0, core size)."""
        return "".join(f"{cell.text()}\n" for cell in self.core)

    @cached_property
    def nonzero(self) -> list[tuple[int, str]]:
        """Address and text of the cells that are not as they were before the warriors were loaded."""
        return [(address, cell.text()) for address, cell in enumerate(self.core) if cell != EMPTY]


@dataclass(frozen=True, slots=True)
class Glance:
    """What somebody who watches a traced battle sees between two instructions.

    Attributes:
        cycle: whole cycles done.
        owners: for each cell who wrote or brought it last, −1 for nobody.
        processes: for each warrior the addresses of its processes, the next one first; empty when it is dead.
        died: for each warrior the whole cycles it survived, None while it lives.
    """

    cycle: int
    owners: tuple[int, ...]
    processes: tuple[tuple[int, ...], ...]
    died: tuple[int | None, ...]


class _Marks(list[int]):
    """Marks of a traced battle. They are noted as they are set and stay 0, so that nobody clears or searches.

    Attributes:
        noted: bits set since somebody emptied it, by index.
        owners: for each cell who wrote it last.
    """

    def __init__(self, seats: int, size: int) -> None:
        super().__init__([0] * (seats * size))
        self.noted: dict[int, int] = {}
        self.owners = [-1] * size

    def load(self, warriors: Sequence[Warrior], positions: Sequence[int]) -> None:
        """Gives every cell to the warrior whose code it is, at the beginning of a round."""
        size = len(self.owners)
        self.owners[:] = [-1] * size
        for seat, (warrior, position) in enumerate(zip(warriors, positions, strict=True)):
            for i in range(len(warrior)):
                self.owners[(position + i) % size] = seat

    @override
    def __setitem__(self, index: int, bits: int) -> None:  # type: ignore[override]  # no slices here
        self.noted[index] = self.noted.get(index, 0) | bits
        if bits & WRITTEN:
            seat, address = divmod(index, len(self.owners))
            self.owners[address] = seat


class Stepper:
    """One battle, executed round after round as far as wanted.

    Args:
        warriors: who meets.
        positions: the address of each one's first cell in the first round.
        rules: the rules.
        later: the same for each later round; P-spaces last from round to round.
        traced: whether it keeps who wrote each cell; only then are there events.
        kernel: which form of the simulator executes; a traced battle is interpreted.

    Attributes:
        round: number of the round that is being fought, from 0.

    Raises:
        ValueError: the positions do not fit the warriors or the core.
    """

    def __init__(
        self,
        warriors: Sequence[Warrior],
        positions: Sequence[int],
        rules: Rules,
        *,
        later: Sequence[Sequence[int]] = (),
        traced: bool = False,
        kernel: rounds.Kernel = rounds.PLAIN,
    ) -> None:
        seats = len(warriors)
        batch = pack(warriors, [list(range(seats))], [[positions, *later]], rules)
        self._kernel = rounds.PLAIN if traced else kernel
        self._law = state.law(rules, counting=TRACED if traced else VERDICT)
        self._marks = _Marks(seats, rules.core_size) if traced else None
        self._machine = state.machine(self._law, seats, plain=self._kernel.plain)
        if self._marks is not None:
            self._machine = self._machine._replace(marks=self._marks)
        self._least = rounds.least_living(self._law, seats)
        self._fights = state.fights(batch, plain=self._kernel.plain)
        self._tally = state.tally(Counts.empty(batch.shape))
        self._warriors, self._positions = warriors, (positions, *later)
        rounds.open_battle(self._machine, self._law, self._fights, 0, seats)
        self._open(0)

    def _open(self, number: int) -> None:
        """Begins a round."""
        self.round = number
        rounds.open_round(self._machine, self._law, self._fights, 0, number, len(self._warriors))
        if self._marks is not None:
            self._marks.load(self._warriors, self._positions[number])

    def next_round(self) -> None:
        """Ends this round as it stands and begins the next one.

        Raises:
            ValueError: it was the last one.
        """
        if self.round + 1 == len(self._positions):
            raise ValueError(f"the battle has no more than {len(self._positions)} rounds")
        seats = len(self._warriors)
        rounds.close_round(self._machine, self._law, self._tally, self.round * seats, seats)
        self._open(self.round + 1)

    @property
    def over(self) -> bool:
        """Whether the round is over: nobody or only one is left, or all cycles are done."""
        clock = self._machine.clock
        return clock[LIVING] <= self._least or clock[LEFT] <= 0

    def advance(self, instructions: int) -> int:
        """Executes so many instructions, or fewer if the round ends; returns how many. Makes no events."""
        return self._kernel.advance(self._machine, self._law, instructions, self._least)

    def advance_to(self, cycle: int) -> None:
        """Executes until so many whole cycles are done, or the round is over. Makes no events."""
        law = self._law._replace(cycles=min(cycle, self._law.cycles), stop_early=0)
        self._kernel.advance(self._machine, law, rounds.FOREVER, self._least)

    def events(self, instructions: int) -> Iterator[Event]:
        """Executes up to so many instructions of a traced battle, one before each event."""
        if self._marks is None:
            raise ValueError("only a traced battle has events")
        for _ in range(instructions):
            if self.over:
                return
            yield self._step(self._marks.noted)

    def _step(self, noted: dict[int, int]) -> Event:
        """Executes one instruction and reads off the marks it set what it did."""
        machine, law = self._machine, self._law
        seat, cycle = machine.order[machine.clock[TURN]], machine.clock[CYCLE]
        at = machine.queues[seat * law.processes + machine.heads[seat]]
        instruction = state.instruction(machine.core[at])
        noted.clear()
        rounds.advance(machine, law, 1, self._least)
        touched = [(index - seat * law.size, bits) for index, bits in sorted(noted.items())]
        return Event(
            cycle=cycle,
            warrior=seat,
            at=at,
            instruction=instruction,
            read=tuple(address for address, bits in touched if bits & READ),
            written=tuple(address for address, bits in touched if bits & WRITTEN),
            queued=tuple(address for address, bits in touched if bits & QUEUED),
            processes=machine.processes[seat],
        )

    def glance(self) -> Glance:
        """Returns what is to be seen of a traced battle now; costs a copy of what it returns."""
        if self._marks is None:
            raise ValueError("only a traced battle can be watched")
        machine = self._machine
        seats = range(len(machine.processes))
        return Glance(
            cycle=machine.clock[CYCLE],
            owners=tuple(self._marks.owners),
            processes=tuple(self._waiting(seat) for seat in seats),
            died=tuple(None if machine.processes[seat] else machine.lifetimes[seat] for seat in seats),
        )

    def _waiting(self, seat: int) -> tuple[int, ...]:
        """Returns the addresses in a seat's queue, the next one first."""
        queues, room = self._machine.queues, self._law.processes
        first = seat * room
        head, count = self._machine.heads[seat], self._machine.processes[seat]
        folded = max(0, head + count - room)
        return (*queues[first + head : first + head + count - folded], *queues[first : first + folded])

    def state(self) -> CoreState:
        """Returns how things stand now."""
        machine, law = self._machine, self._law
        processes = [int(count) for count in machine.processes]
        heads = [machine.queues[seat * law.processes + machine.heads[seat]] for seat in range(len(processes))]
        living = machine.clock[LIVING]
        return CoreState(
            core=tuple(state.instruction(int(cell)) for cell in machine.core),
            cycle=int(machine.clock[CYCLE]),
            next_warrior=int(machine.order[machine.clock[TURN]]) if living else None,
            procs=processes,
            next_pc=[int(at) if count else None for at, count in zip(heads, processes, strict=True)],
            owners=() if self._marks is None else tuple(self._marks.owners),
        )


def kernel_for(rules: Rules, instructions: int) -> rounds.Kernel:
    """Returns the form of the simulator that is done first: interpreted for a few instructions."""
    few = instructions <= _INTERPRETED or "numba" not in engines.available()
    return rounds.PLAIN if few else engines.compiled_kernel(state.law(rules))
