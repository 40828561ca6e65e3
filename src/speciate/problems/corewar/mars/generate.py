"""Writes the instructions of the C engines from the table of `semantics`.

Needs the standard library only: it runs when the package is built. A *fused* handler is the C code of one
meaning with both modes fixed, for the combinations that warriors run most; every engine contains all of them.
The others share one function, which has the code of every meaning with the modes looked up while it runs.
All of it speaks a small vocabulary of macros (``WRAP``, ``AT``, ``SET_A``, ``GO``, …) that each engine
defines for itself, so the same text serves all of them; `c/vocabulary.h` and the engines explain it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

from speciate.problems.corewar.instructions import EMPTY, MODE_SYMBOLS, Mode, Modifier, Opcode
from speciate.problems.corewar.mars.semantics import (
    MODES,
    Action,
    Field,
    Meaning,
    Pair,
    Reduce,
    meaning,
)

_ALL: Final = "#$*@{<}>"
FUSED: Final[tuple[tuple[str, str, str], ...]] = (
    ("MOV.I", _ALL, _ALL),
    ("MOV.A MOV.B MOV.AB MOV.BA MOV.F MOV.X", "#$", "$"),
    ("MOV.AB", "#$", "@<>"),
    ("ADD.A ADD.B ADD.AB ADD.BA ADD.F ADD.X SUB.A SUB.B SUB.AB SUB.BA SUB.F SUB.X", "#$", "$"),
    ("ADD.AB ADD.F SUB.AB SUB.F", "#$", "@"),
    ("JMP.B SPL.B", "#$*@{}", "#<>{}"),
    ("DJN.B DJN.F", "$*@", "#$@<>{}"),
    ("JMZ.A JMZ.B JMZ.F JMN.A JMN.B JMN.F", "$*@", "$*@<>"),
    ("SEQ.I SNE.I", "$*@}>", "$*@}>"),
    ("SLT.A SLT.B SLT.AB SEQ.A SEQ.B SEQ.AB SNE.A SNE.B SNE.AB SNE.F", "#$", "$"),
    ("NOP.F", "#", "#<>"),
    ("DAT.F", "#<>{}", "#<>{}"),
)
"""Which combinations get a handler of their own: instructions, A modes, B modes."""


@dataclass(frozen=True, slots=True)
class Handler:
    """The code that executes some instructions.

    Attributes:
        number: index among the fused handlers, or among the others.
        meaning: what opcode and modifier do.
        a_mode: mode of the A operand; None looks it up.
        b_mode: mode of the B operand; None looks it up.
        name: one of its instructions, for people.
    """

    number: int
    meaning: Meaning
    a_mode: Mode | None
    b_mode: Mode | None
    name: str


def kind(opcode: Opcode, modifier: Modifier, a_mode: Mode, b_mode: Mode) -> int:
    """Returns the 14 bits that tell one instruction from another when their numbers do not matter."""
    return opcode << 9 | modifier << 6 | a_mode << 3 | b_mode


def fused_handlers() -> list[Handler]:
    """Returns the handlers of fixed modes, in the order of their numbers."""
    found: dict[tuple[Meaning, Mode, Mode], Handler] = {}
    for names, a_symbols, b_symbols in FUSED:
        for name, a, b in product(names.split(), a_symbols, b_symbols):
            opcode, modifier = name.split(".")
            what = meaning(Opcode[opcode], Modifier[modifier])
            modes = _plain_modes(what, Mode(MODE_SYMBOLS.index(a)), Mode(MODE_SYMBOLS.index(b)))
            found.setdefault((what, *modes), Handler(len(found), what, *modes, f"{name} {a},{b}"))
    return list(found.values())


def other_handlers() -> list[Handler]:
    """Returns one handler for each meaning, with the modes left open."""
    found: dict[Meaning, Handler] = {}
    for opcode, modifier in product(Opcode, Modifier):
        what = meaning(opcode, modifier)
        name = f"{opcode.name}.{modifier.name}"
        found.setdefault(what, Handler(len(found), what, None, None, name))
    return list(found.values())


def _plain_modes(what: Meaning, a_mode: Mode, b_mode: Mode) -> tuple[Mode, Mode]:
    """Returns the modes with those that make no difference replaced by `Mode.IMMEDIATE`.

    An operand that is not needed and changes nothing on its way need not be evaluated.
    """
    return tuple(  # type: ignore[return-value]  # two in, two out
        mode if MODES[mode].step or needs.any() else Mode.IMMEDIATE
        for mode, needs in zip((a_mode, b_mode), _needs(what), strict=True)
    )


def handler_numbers(fused: list[Handler]) -> list[int]:
    """Returns for each kind the number of its fused handler, or the one after the last if it has none."""
    numbers = {(h.meaning, h.a_mode, h.b_mode): h.number for h in fused}
    table = [len(fused)] * (1 << 14)
    for opcode, modifier, a, b in product(Opcode, Modifier, Mode, Mode):
        what = meaning(opcode, modifier)
        table[kind(opcode, modifier, a, b)] = numbers.get((what, *_plain_modes(what, a, b)), len(fused))
    return table


@dataclass(frozen=True, slots=True)
class _Needs:
    """What a meaning wants to know of an operand."""

    address: bool = False
    fields: frozenset[Field] = frozenset()
    whole: bool = False

    def any(self) -> bool:
        """Whether it wants to know anything."""
        return self.address or bool(self.fields) or self.whole


def _needs(what: Meaning) -> tuple[_Needs, _Needs]:
    """Returns what it needs of A and of B."""
    action, formula = what.rule.action, what.rule.formula
    sources = frozenset(pair.source for pair in what.pairs)
    targets = frozenset(pair.target for pair in what.pairs)
    writes = action in (Action.WRITE, Action.DIVIDE, Action.LOAD, Action.DECREMENT_JUMP_IF)
    jumps = action in (Action.JUMP, Action.JUMP_IF, Action.DECREMENT_JUMP_IF, Action.SPLIT)
    reads_a = "a" in formula or action in (Action.LOAD, Action.STORE)
    reads_b = "b" in formula or action is Action.STORE
    copies = what.whole and action is Action.WRITE
    return (
        _Needs(jumps, sources if reads_a and not what.whole else frozenset(), what.whole),
        _Needs(writes, targets if reads_b and not what.whole else frozenset(), what.whole and not copies),
    )


def _operand(which: str, mode: Mode | None, needs: _Needs, *, limited: bool) -> Iterator[str]:
    """Yields the C code that evaluates an operand.

    It defines ``r{which}`` (the address), ``{which}_a`` and ``{which}_b`` (fields of the snapshot) and
    ``{which}_cell`` (all of it) as far as they are needed; under limits also ``w{which}``, where it
    writes.
    """
    reads = bool(needs.fields or needs.whole)
    if mode is None:
        yield from (_limited_address if limited else _any_address)(which)
    else:
        yield from _fused_address(which, mode, address=needs.address or reads)
    for name in sorted(field.value for field in needs.fields):
        yield f"const uint32_t {which}_{name} = AT(r{which}).{name};"
    if needs.whole:
        yield f"const Cell {which}_cell = AT(r{which});"
    if mode is None:
        yield f"if (IS(POSTINCREMENT, m{which}))"
        yield f"  SET_FIELD(p{which}, f{which}, INC(AT(p{which}).field[f{which}]));"
    elif MODES[mode].step > 0:
        yield f"SET_{_field(mode)}(p{which}, INC(q{which}));"


def _field(mode: Mode) -> str:
    pointer = MODES[mode].pointer
    assert pointer is not None
    return pointer.name


def _fused_address(which: str, mode: Mode, *, address: bool) -> Iterator[str]:
    """Yields the address of an operand whose mode is known."""
    rule = MODES[mode]
    if rule.immediate:
        if address:
            yield f"const Index r{which} = PC;"
        return
    if rule.pointer is None:
        if address:
            yield f"const Index r{which} = WRAP(PC + c_{which});"
        return
    if address or rule.step:
        yield f"const Index p{which} = WRAP(PC + c_{which});"
        if rule.step < 0:
            yield f"const uint32_t q{which} = DEC(AT(p{which}).{rule.pointer.value});"
            yield f"SET_{rule.pointer.name}(p{which}, q{which});"
        else:
            yield f"const uint32_t q{which} = AT(p{which}).{rule.pointer.value};"
    if address:
        yield f"const Index r{which} = WRAP(p{which} + q{which});"


def _any_address(which: str) -> Iterator[str]:
    """Yields the address of an operand whose mode is looked up."""
    yield f"const unsigned m{which} = MODE_{which.upper()}(kind), f{which} = IS(POINTER_B, m{which});"
    yield f"const Index p{which} = WRAP(PC + (IS(IMMEDIATE, m{which}) ? 0 : c_{which}));"
    yield f"Index r{which} = p{which};"
    yield f"if (IS(POINTER, m{which})) {{"
    yield f"  uint32_t q = AT(p{which}).field[f{which}];"
    yield f"  if (IS(PREDECREMENT, m{which})) {{ q = DEC(q); SET_FIELD(p{which}, f{which}, q); }}"
    yield f"  r{which} = WRAP(p{which} + q);"
    yield "}"
    yield f"(void)r{which};"


def _limited_address(which: str) -> Iterator[str]:
    """Yields the addresses of an operand under read and write limits."""
    yield f"const unsigned m{which} = MODE_{which.upper()}(kind), f{which} = IS(POINTER_B, m{which});"
    yield f"const uint32_t n{which} = IS(IMMEDIATE, m{which}) ? 0 : c_{which};"
    yield f"uint32_t near{which} = FOLD_READ(n{which}), far{which} = FOLD_WRITE(n{which});"
    yield f"const Index p{which} = WRAP(PC + far{which});"
    yield f"if (IS(POINTER, m{which})) {{"
    yield f"  if (IS(PREDECREMENT, m{which}))"
    yield f"    SET_FIELD(p{which}, f{which}, DEC(AT(p{which}).field[f{which}]));"
    yield f"  near{which} = FOLD_READ(near{which} + AT(WRAP(PC + near{which})).field[f{which}]);"
    yield f"  far{which} = FOLD_WRITE(far{which} + AT(p{which}).field[f{which}]);"
    yield "}"
    yield f"const Index r{which} = WRAP(PC + near{which}), w{which} = WRAP(PC + far{which});"
    yield f"(void)r{which}; (void)w{which};"


def _value(what: Meaning, pair: Pair) -> str:
    """Returns the formula as C, of one pair."""
    words = {"a": f"a_{pair.source.value}", "b": f"b_{pair.target.value}", "size": "SIZE", "//": "/"}
    value = " ".join(words.get(word, word) for word in what.rule.formula.split())
    match what.rule.reduce:
        case Reduce.NEVER:
            return value
        case Reduce.ONCE:
            return f"REDUCE({value})"
        case Reduce.MODULO:
            return f"({value}) % SIZE"


def _condition(what: Meaning) -> str:
    """Returns the condition over all pairs as C."""
    if what.whole:
        return "a_cell.whole == b_cell.whole" if what.rule.every else "a_cell.whole != b_cell.whole"
    return (" && " if what.rule.every else " || ").join(_value(what, pair) for pair in what.pairs)


def _act(what: Meaning, target: str) -> Iterator[str]:
    """Yields what the opcode does after both operands were evaluated; `target` is where it writes."""
    after = "GO(PC + 1);"
    match what.rule.action:
        case Action.DIE:
            yield "DIE();"
        case Action.NOTHING:
            yield after
        case Action.WRITE if what.whole:
            yield f"SET_CELL({target}, a_cell);"
            yield after
        case Action.WRITE:
            for pair in what.pairs:
                yield f"SET_{pair.target.name}({target}, {_value(what, pair)});"
            yield after
        case Action.DIVIDE:
            for pair in what.pairs:
                yield f"if (a_{pair.source.value}) SET_{pair.target.name}({target}, {_value(what, pair)});"
            yield f"if ({' || '.join(f'!a_{pair.source.value}' for pair in what.pairs)}) DIE();"
            yield after
        case Action.JUMP:
            yield "GO(ra);"
        case Action.JUMP_IF:
            yield f"if ({_condition(what)}) GO(ra);"
            yield after
        case Action.DECREMENT_JUMP_IF:
            for pair in what.pairs:
                yield f"SET_{pair.target.name}({target}, DEC(AT({target}).{pair.target.value}));"
            yield f"if ({_condition(what)}) GO(ra);"
            yield after
        case Action.SPLIT:
            yield "SPLIT(PC + 1, ra);"
        case Action.SKIP_IF:
            yield f"if ({_condition(what)}) GO(PC + 2);"
            yield after
        case Action.LOAD:
            (pair,) = what.pairs
            yield f"SET_{pair.target.name}({target}, LOAD(a_{pair.source.value}));"
            yield after
        case Action.STORE:
            (pair,) = what.pairs
            yield f"STORE(b_{pair.target.value}, a_{pair.source.value});"
            yield after


def _handler(handler: Handler, *, limited: bool) -> str:
    """Returns the C code of a handler."""
    a, b = _needs(handler.meaning)
    lines = [
        *_operand("a", handler.a_mode, a, limited=limited),
        *_operand("b", handler.b_mode, b, limited=limited),
        *_act(handler.meaning, "wb" if limited else "rb"),
    ]
    fetch = {
        "c_a": "const uint32_t c_a = AT(PC).a;",
        "c_b": "const uint32_t c_b = AT(PC).b;",
        "kind": "const unsigned kind = AT(PC).kind;",
    }
    used = [fetch[name] for name in fetch if any(name in line for line in lines)]
    body = "\n".join(f"  {line}" for line in [*used, *lines])
    return f"HANDLER({handler.number}) /* {handler.name} */ {{\n  ENTER({handler.number});\n{body}\n}}\n"


def render(handlers: list[Handler], *, limited: bool = False) -> str:
    """Returns the C code of handlers; with `limited` obeying read and write limits."""
    return "\n".join(_handler(handler, limited=limited) for handler in handlers)


def _mask(holds: list[bool]) -> str:
    return hex(sum(1 << mode for mode, one in enumerate(holds) if one))


def _array(name: str, numbers: list[int]) -> str:
    return f"static const uint16_t {name}[] = {{{', '.join(map(str, numbers))}}};"


def render_tables(fused: list[Handler], others: list[Handler]) -> str:
    """Returns the constants that the engines share."""
    rules = [MODES[mode] for mode in Mode]
    empty = kind(EMPTY.opcode, EMPTY.modifier, EMPTY.a_mode, EMPTY.b_mode)
    number_of = {handler.meaning: handler.number for handler in others}
    other_of = [0] * (len(Opcode) << 3)
    for opcode, modifier in product(Opcode, Modifier):
        other_of[opcode << 3 | modifier] = number_of[meaning(opcode, modifier)]
    return "\n".join(
        [
            f"#define OPCODES {len(Opcode)}",
            f"#define MODIFIERS {len(Modifier)}",
            f"#define MODES {len(Mode)}",
            f"#define FUSED {len(fused)}",
            f"#define EMPTY_KIND {empty}",
            f"#define STORES {Opcode.STP} /* the opcode that writes P-space */",
            f"#define M_IMMEDIATE {_mask([rule.immediate for rule in rules])}",
            f"#define M_POINTER {_mask([rule.pointer is not None for rule in rules])}",
            f"#define M_POINTER_B {_mask([rule.pointer is Field.B for rule in rules])}",
            f"#define M_PREDECREMENT {_mask([rule.step < 0 for rule in rules])}",
            f"#define M_POSTINCREMENT {_mask([rule.step > 0 for rule in rules])}",
            f"#define EACH_FUSED(X) {' '.join(f'X({h.number})' for h in fused)}",
            _array("handler_of_kind", handler_numbers(fused)),
            _array("other_of_meaning", other_of),
            "",
        ]
    )


def write(folder: Path) -> None:
    """Writes ``fused.inc``, ``others.inc``, ``limited.inc`` and ``tables.inc`` into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    fused, others = fused_handlers(), other_handlers()
    for name, text in (
        ("fused.inc", render(fused)),
        ("others.inc", render(others)),
        ("limited.inc", render(others, limited=True)),
        ("tables.inc", render_tables(fused, others)),
    ):
        (folder / name).write_text(text)
