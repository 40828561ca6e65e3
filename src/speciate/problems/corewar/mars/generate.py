"""Writes the instructions of the C engines from the table of `semantics`.

Needs the standard library only: it runs when the package is built. One *handler* is the C code of one meaning
with both modes fixed ("fused", for the combinations that real warriors run most) or with the modes looked up
while it runs ("any"). Handlers speak a small vocabulary of macros (``WRAP``, ``AT``, ``SET_A``, ``GO``, …)
that each engine defines for itself, so the same text serves all of them; `c/engine.h` explains it.
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
    ("DAT.F", "#$<>", "#$<>"),
    ("MOV.I", _ALL, _ALL),
    ("MOV.A MOV.B MOV.AB MOV.BA MOV.F MOV.X", "#$", "$*@<"),
    ("ADD.A ADD.B ADD.AB ADD.F ADD.X SUB.A SUB.B SUB.AB SUB.F SUB.X", "#$", "$@"),
    ("JMP.B SPL.B", _ALL, "#$<>{}"),
    ("DJN.A DJN.B DJN.F", "$*@", "#$@<>{}"),
    ("JMZ.A JMZ.B JMZ.F JMN.A JMN.B JMN.F", "$*@", "#$*@<>{}"),
    ("SEQ.I SNE.I", "$*@}>", "$*@}>"),
    ("SLT.A SLT.B SLT.AB SLT.BA SEQ.A SEQ.B SEQ.AB SEQ.F SNE.A SNE.B SNE.AB SNE.F", "#$", "$@"),
    ("NOP.F", "#$", "#$<>"),
)
"""Which combinations get a handler of their own: instructions, A modes, B modes."""


@dataclass(frozen=True, slots=True)
class Handler:
    """The code that executes some instructions.

    Attributes:
        number: index in the dispatch tables.
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


def handlers() -> list[Handler]:
    """Returns all handlers in the order of their numbers: the fused ones, then one for each meaning."""
    found: dict[tuple[Meaning, Mode | None, Mode | None], Handler] = {}

    def add(name: str, a_mode: Mode | None, b_mode: Mode | None) -> None:
        opcode, modifier = name.split(".")
        what = meaning(Opcode[opcode], Modifier[modifier])
        a = "?" if a_mode is None else a_mode.symbol
        b = "?" if b_mode is None else b_mode.symbol
        key = (what, a_mode, b_mode)
        found.setdefault(key, Handler(len(found), what, a_mode, b_mode, f"{name} {a},{b}"))

    for names, a_symbols, b_symbols in FUSED:
        for name, a, b in product(names.split(), a_symbols, b_symbols):
            add(name, Mode(MODE_SYMBOLS.index(a)), Mode(MODE_SYMBOLS.index(b)))
    for opcode, modifier in product(Opcode, Modifier):
        add(f"{opcode.name}.{modifier.name}", None, None)
    return list(found.values())


def handler_numbers(known: list[Handler]) -> list[int]:
    """Returns the number of the handler of each kind, 0 for kinds that do not exist."""
    numbers = {(h.meaning, h.a_mode, h.b_mode): h.number for h in known}
    table = [0] * (1 << 14)
    for opcode, modifier, a, b in product(Opcode, Modifier, Mode, Mode):
        what = meaning(opcode, modifier)
        fused = numbers.get((what, a, b))
        table[kind(opcode, modifier, a, b)] = numbers[what, None, None] if fused is None else fused
    return table


@dataclass(frozen=True, slots=True)
class _Needs:
    """What a meaning wants to know of an operand."""

    address: bool = False
    fields: frozenset[Field] = frozenset()
    whole: bool = False


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
    ``{which}_cell`` (all of it) as far as they are needed; under limits also ``w{which}``, where it may write.
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
        yield f"if (IS(POSTINCREMENT, m{which})) SET_FIELD(p{which}, f{which}, INC(AT(p{which}).field[f{which}]));"
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
            yield f"const Index r{which} = pc;"
        return
    if rule.pointer is None:
        if address:
            yield f"const Index r{which} = WRAP(pc + c_{which});"
        return
    if address or rule.step:
        yield f"const Index p{which} = WRAP(pc + c_{which});"
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
    yield f"const Index p{which} = WRAP(pc + (IS(IMMEDIATE, m{which}) ? 0 : c_{which}));"
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
    yield f"const Index p{which} = WRAP(pc + far{which});"
    yield f"if (IS(POINTER, m{which})) {{"
    yield f"  if (IS(PREDECREMENT, m{which}))"
    yield f"    SET_FIELD(p{which}, f{which}, DEC(AT(p{which}).field[f{which}]));"
    yield f"  near{which} = FOLD_READ(near{which} + AT(WRAP(pc + near{which})).field[f{which}]);"
    yield f"  far{which} = FOLD_WRITE(far{which} + AT(p{which}).field[f{which}]);"
    yield "}"
    yield f"const Index r{which} = WRAP(pc + near{which}), w{which} = WRAP(pc + far{which});"
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
    after = "GO(pc + 1);"
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
            yield f"GO(({_condition(what)}) ? ra : pc + 1);"
        case Action.DECREMENT_JUMP_IF:
            for pair in what.pairs:
                yield f"SET_{pair.target.name}({target}, DEC(AT({target}).{pair.target.value}));"
            yield f"GO(({_condition(what)}) ? ra : pc + 1);"
        case Action.SPLIT:
            yield "SPLIT(pc + 1, ra);"
        case Action.SKIP_IF:
            yield f"GO(pc + 1 + ({_condition(what)}));"
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
    used = [name for name in ("c_a", "c_b", "kind") if any(name in line for line in lines)]
    fetch = {
        "c_a": "const uint32_t c_a = AT(pc).a;",
        "c_b": "const uint32_t c_b = AT(pc).b;",
        "kind": "const unsigned kind = AT(pc).kind;",
    }
    body = "\n".join(f"  {line}" for line in [*(fetch[name] for name in used), *lines])
    return f"HANDLER({handler.number}) /* {handler.name} */ {{\n  ENTER({handler.number});\n{body}\n}}\n"


def render(known: list[Handler], *, limited: bool = False) -> str:
    """Returns the C code of all handlers; with `limited` the ones that obey read and write limits."""
    return "\n".join(
        _handler(handler, limited=limited)
        for handler in known
        if not limited or (handler.a_mode is None and handler.b_mode is None)
    )


def _mask(holds: list[bool]) -> str:
    return hex(sum(1 << mode for mode, one in enumerate(holds) if one))


def render_tables(known: list[Handler]) -> str:
    """Returns the constants that the engines share."""
    rules = [MODES[mode] for mode in Mode]
    empty = kind(EMPTY.opcode, EMPTY.modifier, EMPTY.a_mode, EMPTY.b_mode)
    numbers = handler_numbers(known)
    any_first = next(h.number for h in known if h.a_mode is None)
    any_of = {h.meaning: h.number for h in known if h.a_mode is None}
    anys = [0] * (len(Opcode) << 3)
    for opcode, modifier in product(Opcode, Modifier):
        anys[opcode << 3 | modifier] = any_of[meaning(opcode, modifier)]
    return "\n".join(
        [
            f"#define OPCODES {len(Opcode)}",
            f"#define MODIFIERS {len(Modifier)}",
            f"#define MODES {len(Mode)}",
            f"#define HANDLERS {len(known)}",
            f"#define ANY_FIRST {any_first} /* handlers from here on look their modes up */",
            f"#define EMPTY_KIND {empty}",
            f"#define STORES {Opcode.STP} /* the opcode that writes P-space */",
            f"#define M_IMMEDIATE {_mask([rule.immediate for rule in rules])}",
            f"#define M_POINTER {_mask([rule.pointer is not None for rule in rules])}",
            f"#define M_POINTER_B {_mask([rule.pointer is Field.B for rule in rules])}",
            f"#define M_PREDECREMENT {_mask([rule.step < 0 for rule in rules])}",
            f"#define M_POSTINCREMENT {_mask([rule.step > 0 for rule in rules])}",
            f"#define EACH_HANDLER(X) {' '.join(f'X({h.number})' for h in known)}",
            f"static const uint16_t handler_of_kind[] = {{{', '.join(map(str, numbers))}}};",
            f"static const uint16_t any_handler_of[] = {{{', '.join(map(str, anys))}}};",
            "",
        ]
    )


def write(folder: Path) -> None:
    """Writes ``handlers.inc``, ``limited.inc`` and ``tables.inc`` into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    known = handlers()
    for name, text in (
        ("handlers.inc", render(known)),
        ("limited.inc", render(known, limited=True)),
        ("tables.inc", render_tables(known)),
    ):
        (folder / name).write_text(text)
