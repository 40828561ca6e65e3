"""What every instruction does, as one table. C engines are generated from it, `reference` interprets it.

An instruction is executed in three steps. Its A operand is evaluated completely, then its B operand; each
yields an address and a snapshot of the cell there. Then its opcode acts on *pairs* of fields: a field of A's
snapshot (the source) and a field of B's snapshot (the target). The rules are those of the ICWS'94 draft with
the extensions of pMARS; where the two differ, pMARS decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from speciate.problems.corewar.instructions import Mode, Modifier, Opcode


class Field(Enum):
    """One of the two numbers of a cell."""

    A = "a"
    B = "b"


@dataclass(frozen=True, slots=True)
class ModeRule:
    """How an operand becomes an address, counted from the instruction.

    Attributes:
        immediate: the address is the instruction itself; the operand's number is not used as one.
        pointer: field of the cell that the number points at, which is added to the number; None points no
            further.
        step: added to that field: −1 before it is used, +1 after the operand's snapshot was taken.
    """

    immediate: bool = False
    pointer: Field | None = None
    step: int = 0


MODES: Final[Mapping[Mode, ModeRule]] = {
    Mode.IMMEDIATE: ModeRule(immediate=True),
    Mode.DIRECT: ModeRule(),
    Mode.A_INDIRECT: ModeRule(pointer=Field.A),
    Mode.B_INDIRECT: ModeRule(pointer=Field.B),
    Mode.A_PREDECREMENT: ModeRule(pointer=Field.A, step=-1),
    Mode.B_PREDECREMENT: ModeRule(pointer=Field.B, step=-1),
    Mode.A_POSTINCREMENT: ModeRule(pointer=Field.A, step=1),
    Mode.B_POSTINCREMENT: ModeRule(pointer=Field.B, step=1),
}


@dataclass(frozen=True, slots=True)
class Pair:
    """A field of A's snapshot and the field of B's snapshot that it meets."""

    source: Field
    target: Field


_BOTH: Final = (Pair(Field.A, Field.A), Pair(Field.B, Field.B))

PAIRS: Final[Mapping[Modifier, tuple[Pair, ...]]] = {
    Modifier.A: (Pair(Field.A, Field.A),),
    Modifier.B: (Pair(Field.B, Field.B),),
    Modifier.AB: (Pair(Field.A, Field.B),),
    Modifier.BA: (Pair(Field.B, Field.A),),
    Modifier.F: _BOTH,
    Modifier.X: (Pair(Field.A, Field.B), Pair(Field.B, Field.A)),
    Modifier.I: _BOTH,
}
"""The pairs of each modifier. ``.I`` is ``.F``, except where `OpcodeRule.whole` says otherwise."""


class Action(Enum):
    """What an opcode does with its pairs.

    In the formulas ``a`` is the source and ``b`` the target of a pair, both as in the snapshots, and ``size``
    the size of the core. Unless something else is said, the process goes on at the next cell.
    """

    DIE = "the process ends"
    NOTHING = "nothing more than evaluating the operands"
    WRITE = "the target field of the cell at B becomes `formula`, reduced modulo `size`"
    DIVIDE = "as WRITE for each pair whose source is not 0; if the source of any pair is 0 the process ends"
    JUMP = "the process goes on at A"
    JUMP_IF = "the process goes on at A if `formula` holds"
    DECREMENT_JUMP_IF = "the target fields of the cell at B lose 1; then as JUMP_IF, on the snapshot"
    SPLIT = "the process goes on at the next cell; after it, if the limit allows, a new one is queued at A"
    SKIP_IF = "the process leaves out the next cell if `formula` holds"
    LOAD = "the target field of the cell at B becomes the P-space cell with the source as its number"
    STORE = "the P-space cell with the target as its number becomes the source"


class Reduce(Enum):
    """What brings the value of a formula back into [0, size)."""

    NEVER = "it is there already"
    ONCE = "it is below 2 * size: subtract size if need be"
    MODULO = "it can be anything"


@dataclass(frozen=True, slots=True)
class OpcodeRule:
    """What an opcode does.

    Attributes:
        action: the kind of thing it does.
        formula: the value or condition of `action`: an expression that Python and C (with ``//`` as ``/``)
            read alike. No value is negative or exceeds 2³² − 1 on the way.
        reduce: what brings the value back into [0, size).
        every: with two pairs the condition must hold for both of them; False: for one at least.
        whole: with ``.I`` it takes opcode, modifier and modes into account as well: MOV copies them, CMP, SEQ
            and SNE compare them.
    """

    action: Action
    formula: str = ""
    reduce: Reduce = Reduce.NEVER
    every: bool = True
    whole: bool = False


OPCODES: Final[Mapping[Opcode, OpcodeRule]] = {
    Opcode.DAT: OpcodeRule(Action.DIE),
    Opcode.MOV: OpcodeRule(Action.WRITE, "a", whole=True),
    Opcode.ADD: OpcodeRule(Action.WRITE, "b + a", Reduce.ONCE),
    Opcode.SUB: OpcodeRule(Action.WRITE, "b + size - a", Reduce.ONCE),
    Opcode.MUL: OpcodeRule(Action.WRITE, "b * a", Reduce.MODULO),
    Opcode.DIV: OpcodeRule(Action.DIVIDE, "b // a"),
    Opcode.MOD: OpcodeRule(Action.DIVIDE, "b % a"),
    Opcode.JMP: OpcodeRule(Action.JUMP),
    Opcode.JMZ: OpcodeRule(Action.JUMP_IF, "b == 0"),
    Opcode.JMN: OpcodeRule(Action.JUMP_IF, "b != 0", every=False),
    Opcode.DJN: OpcodeRule(Action.DECREMENT_JUMP_IF, "b != 1", every=False),
    Opcode.SPL: OpcodeRule(Action.SPLIT),
    Opcode.SLT: OpcodeRule(Action.SKIP_IF, "a < b"),
    Opcode.CMP: OpcodeRule(Action.SKIP_IF, "a == b", whole=True),
    Opcode.SEQ: OpcodeRule(Action.SKIP_IF, "a == b", whole=True),
    Opcode.SNE: OpcodeRule(Action.SKIP_IF, "a != b", every=False, whole=True),
    Opcode.NOP: OpcodeRule(Action.NOTHING),
    Opcode.LDP: OpcodeRule(Action.LOAD),
    Opcode.STP: OpcodeRule(Action.STORE),
}

_WITHOUT_PAIRS: Final = frozenset({Action.DIE, Action.NOTHING, Action.JUMP, Action.SPLIT})
_OF_ONE_PAIR: Final = frozenset({Action.LOAD, Action.STORE})
_OF_TARGETS: Final = frozenset({Action.JUMP_IF, Action.DECREMENT_JUMP_IF})


def pairs(opcode: Opcode, modifier: Modifier) -> tuple[Pair, ...]:
    """Returns the pairs an instruction works on; none if its opcode ignores the modifier.

    LDP and STP have only one P-space cell at a time: ``.F``, ``.X`` and ``.I`` mean ``.B``.
    """
    action = OPCODES[opcode].action
    if action in _WITHOUT_PAIRS:
        return ()
    if action in _OF_ONE_PAIR and len(PAIRS[modifier]) > 1:
        return PAIRS[Modifier.B]
    return PAIRS[modifier]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What opcode and modifier do together. Equal meanings run alike and can share their code."""

    rule: OpcodeRule
    pairs: tuple[Pair, ...]
    whole: bool


def meaning(opcode: Opcode, modifier: Modifier) -> Meaning:
    """Returns what an opcode does with a modifier.

    JMZ, JMN and DJN look at targets only, in no order: ``.A`` and ``.BA`` mean the same there.
    """
    rule = OPCODES[opcode]
    found = pairs(opcode, modifier)
    if rule.action in _OF_TARGETS:
        found = tuple(
            Pair(field, field) for field in sorted({p.target for p in found}, key=lambda f: f.value)
        )
    return Meaning(rule, found, rule.whole and modifier is Modifier.I)
