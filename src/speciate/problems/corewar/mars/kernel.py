"""What one instruction does, readable.

Plain Python over flat sequences of integers (`machine.py`). `compiled.py` compiles these very functions with
numba; without numba they run as they are. The C engines must give the same numbers.

The rules are those of the ICWS'94 draft (Doligez and others, 1994, http://www.koth.org/info/icws94.html) as
pMARS 0.9.2 reads them. What is easily got wrong:

- operand A is finished, its cell read and its side effects done, before B begins; an immediate B reads the
  memory as A left it;
- a cell is read before the post-increment that its own operand asks for;
- DJN decrements the memory as it is now and tests the value that was read;
- DIV and MOD write the half whose divisor is not 0, and then the process dies of the other;
- SPL queues the next instruction first.
"""

from __future__ import annotations

from typing import Final

from speciate.problems.corewar.instructions import Mode, Modifier, Opcode
from speciate.problems.corewar.mars.machine import (
    A_FIELD,
    A_SHIFT,
    FIELD,
    FIELDS,
    FULL,
    READ,
    TRACED,
    WRITTEN,
    Law,
    Machine,
)

# numba freezes plain integers; members of an enum it would look up.
DAT, MOV, ADD, SUB, MUL, DIV, MOD, JMP, JMZ, JMN = (int(opcode) for opcode in tuple(Opcode)[:10])
DJN, SPL, SLT, CMP, SEQ, SNE, NOP, LDP, STP = (int(opcode) for opcode in tuple(Opcode)[10:])
OF_A, OF_AB, OF_BA = int(Modifier.A), int(Modifier.AB), int(Modifier.BA)
IMMEDIATE, DIRECT = int(Mode.IMMEDIATE), int(Mode.DIRECT)
FIRST_STEPPING, FIRST_POSTINCREMENT = int(Mode.A_PREDECREMENT), int(Mode.A_POSTINCREMENT)
ONES: Final = 1 << A_SHIFT | 1
"""A cell whose numbers are both 1."""


def reach(origin: int, at: int, offset: int, limit: int, size: int) -> int:
    """Returns the address `offset` past `at`, folded into the `limit` cells around `origin`."""
    at += offset
    if at >= size:
        at -= size
    if limit != size:
        away = at - origin
        if away < 0:
            away += size
        away %= limit
        if away > limit // 2:
            away += size - limit
        at = origin + away
        if at >= size:
            at -= size
    return at


def stepped(cell: int, shift: int, by: int, size: int) -> int:
    """Returns the cell with the number at `shift` one more or one less."""
    number = ((cell >> shift) & FIELD) + by
    if number < 0:
        number = size - 1
    if number == size:
        number = 0
    return (cell & ~(FIELD << shift)) | (number << shift)


def operand(m: Machine, law: Law, seat: int, pc: int, mode: int, number: int) -> tuple[int, int, int]:
    """Evaluates one operand, side effects included.

    Returns:
        The cell read, the address it was read from, and the address that would be written. The two differ
        only where reading and writing reach differently far.
    """
    if mode == IMMEDIATE:
        return m.core[pc], pc, pc
    read = reach(pc, pc, number, law.read_limit, law.size)
    write = reach(pc, pc, number, law.write_limit, law.size) if law.limited else read
    if mode == DIRECT:
        if law.counting == TRACED:
            m.marks[seat * law.size + read] |= READ
        return m.core[read], read, write
    shift = 0 if mode & 1 else A_SHIFT
    pointer = write
    if FIRST_STEPPING <= mode < FIRST_POSTINCREMENT:
        m.core[pointer] = stepped(m.core[pointer], shift, -1, law.size)
    if law.counting == TRACED:
        m.marks[seat * law.size + read] |= READ
    read = reach(pc, read, (m.core[read] >> shift) & FIELD, law.read_limit, law.size)
    if law.limited:
        write = reach(pc, write, (m.core[write] >> shift) & FIELD, law.write_limit, law.size)
    else:
        write = read
    if law.counting == TRACED:
        m.marks[seat * law.size + read] |= READ
    cell = m.core[read]
    if mode >= FIRST_POSTINCREMENT:
        m.core[pointer] = stepped(m.core[pointer], shift, 1, law.size)
    if law.counting >= FULL and mode >= FIRST_STEPPING:
        m.marks[seat * law.size + pointer] |= WRITTEN
    return cell, read, write


def store(m: Machine, law: Law, seat: int, at: int, bits: int, mask: int) -> None:
    """Writes those bits of a cell that the mask has."""
    m.core[at] = (m.core[at] & ~mask) | (bits & mask)
    if law.counting >= FULL:
        m.marks[seat * law.size + at] |= WRITTEN


def pair(a: int, b: int, size: int) -> int:
    """Returns two numbers of [0, 2·size) as the fields of a cell."""
    if a >= size:
        a -= size
    if b >= size:
        b -= size
    return (a << A_SHIFT) | b


def divide(m: Machine, law: Law, seat: int, at: int, source: int, target: int, mask: int, rest: int) -> bool:
    """Executes DIV, or MOD if `rest`, on the halves whose divisor is not 0; returns whether all were fine."""
    over_a, over_b = (source >> A_SHIFT) & FIELD, source & FIELD
    a, b = (target >> A_SHIFT) & FIELD, target & FIELD
    good = mask & FIELDS
    if over_a == 0:
        good &= FIELD
        over_a = 1
    if over_b == 0:
        good &= A_FIELD
        over_b = 1
    if good:
        bits = (a % over_a << A_SHIFT) | b % over_b if rest else (a // over_a << A_SHIFT) | b // over_b
        store(m, law, seat, at, bits, good)
    return good == mask & FIELDS


def load_private(m: Machine, law: Law, seat: int, at: int) -> int:
    """Returns what LDP finds. Cell 0 is each warrior's own, also in a shared P-space."""
    at %= law.pspace
    return m.pspace[m.pspaces[seat] * law.pspace + at] if at else m.results[seat]


def store_private(m: Machine, law: Law, seat: int, at: int, value: int) -> None:
    """Does what STP does."""
    at %= law.pspace
    if at:
        m.pspace[m.pspaces[seat] * law.pspace + at] = value
    else:
        m.results[seat] = value


def private(
    m: Machine, law: Law, seat: int, opcode: int, modifier: int, source: int, target: int, at: int
) -> None:
    """Executes LDP or STP, which know no two fields: .F, .X and .I mean .B."""
    from_a = modifier in (OF_A, OF_AB)
    to_a = modifier in (OF_A, OF_BA)
    value = (source >> A_SHIFT) & FIELD if from_a else source & FIELD
    if opcode == LDP:
        value = load_private(m, law, seat, value)
        store(m, law, seat, at, (value << A_SHIFT) | value, A_FIELD if to_a else FIELD)
    else:
        store_private(m, law, seat, (target >> A_SHIFT) & FIELD if to_a else target & FIELD, value)


def execute(m: Machine, law: Law, seat: int, pc: int) -> tuple[int, int]:
    """Executes the instruction at `pc`.

    Returns:
        Where the process goes on, −1 if it dies; and where a second one begins, −1 for none.
    """
    size = law.size
    cell = m.core[pc]
    modifier = (cell >> 38) & 7
    source, jump, _ = operand(m, law, seat, pc, (cell >> 35) & 7, (cell >> A_SHIFT) & FIELD)
    target, _, at = operand(m, law, seat, pc, (cell >> 32) & 7, cell & FIELD)
    mask = m.masks[modifier]
    straight = source
    if m.crossed[modifier]:
        source = ((source >> A_SHIFT) & FIELD) | ((source & FIELD) << A_SHIFT)
    following = pc + 1 if pc + 1 < size else 0
    skip = following + 1 if following + 1 < size else 0
    opcode = cell >> 41
    s_a, s_b, t_a, t_b = (
        (source >> A_SHIFT) & FIELD,
        source & FIELD,
        (target >> A_SHIFT) & FIELD,
        target & FIELD,
    )
    if opcode == MOV:
        store(m, law, seat, at, source, mask)
    elif opcode == SPL:
        return following, jump
    elif opcode == JMP:
        return jump, -1
    elif opcode == ADD:
        store(m, law, seat, at, pair(t_a + s_a, t_b + s_b, size), mask & FIELDS)
    elif opcode == SUB:
        store(m, law, seat, at, pair(t_a + size - s_a, t_b + size - s_b, size), mask & FIELDS)
    elif opcode == DJN:
        here = m.core[at]
        fewer = pair(((here >> A_SHIFT) & FIELD) + size - 1, (here & FIELD) + size - 1, size)
        store(m, law, seat, at, fewer, mask & FIELDS)
        if (target ^ ONES) & mask & FIELDS:
            return jump, -1
    elif opcode == JMZ:
        if not target & mask & FIELDS:
            return jump, -1
    elif opcode == JMN:
        if target & mask & FIELDS:
            return jump, -1
    elif opcode in (CMP, SEQ):
        if not (source ^ target) & mask:
            return skip, -1
    elif opcode == SNE:
        if (source ^ target) & mask:
            return skip, -1
    elif opcode == SLT:
        if (s_a < t_a or not mask & A_FIELD) and (s_b < t_b or not mask & FIELD):
            return skip, -1
    elif opcode == DAT:
        return -1, -1
    elif opcode == MUL:
        store(m, law, seat, at, (t_a * s_a % size << A_SHIFT) | t_b * s_b % size, mask & FIELDS)
    elif opcode in (DIV, MOD):
        if not divide(m, law, seat, at, source, target, mask, opcode == MOD):
            return -1, -1
    elif opcode != NOP:
        private(m, law, seat, opcode, modifier, straight, target, at)
    return following, -1
