r"""A grammar of legal Redcode, for servers that hold a model to one (llama.cpp's GBNF).

Every sentence of it is a warrior that assembles: opcodes, modifiers and modes come from the tables of
`instructions`, the number of lines is bounded, and numbers have no more digits than an address needs. What a
grammar without context cannot say is left out: expressions, EQU, FOR, and labels of a model's own choice.
Labels that are given are each defined once and in their order, so that every reference to one is good.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from speciate.errors import ConfigError
from speciate.problems.corewar.instructions import MODE_SYMBOLS, Modifier, Opcode
from speciate.problems.corewar.settings import Settings

ONE_OPERAND: Final = (Opcode.DAT, Opcode.JMP, Opcode.SPL, Opcode.NOP)
"""Opcodes that may stand with a single operand."""

_REMARK_CHARACTERS = 80
_LARGEST_OFFSET_DIGITS = 2
_LABEL = re.compile(r"[a-z][a-z0-9]*")


def redcode_grammar(
    settings: Settings, max_lines: int | None = None, *, labels: Sequence[str] = (), remark: bool = True
) -> str:
    r"""Returns a GBNF grammar whose every sentence assembles under the rules of a battle.

    Args:
        settings: the rules; they bound lines and digits.
        max_lines: most instructions, at least 1; None takes what the rules allow. Fewer spare tokens.
        labels: names that lines bear and operands may use; each is borne by one line, in this order. With
            none, operands are numbers.
        remark: whether a line ``;strategy …`` may stand first.

    Raises:
        ConfigError: there is no room for a line, more labels than lines, or a label is no lower-case word.
    """
    lines = settings.max_length if max_lines is None else min(max_lines, settings.max_length)
    _check(lines, labels)
    rules = [
        f"root ::= {'remark? ' if remark else ''}{_body(lines, labels)}",
        *([rf'remark ::= ";strategy " [ -~]{{1,{_REMARK_CHARACTERS}}} "\n"'] if remark else []),
        'line ::= instruction "\\n"',
        'instruction ::= opcode modifier? " " field ", " field | short modifier? " " field',
        f"opcode ::= {_choice(opcode.name for opcode in Opcode)}",
        f"short ::= {_choice(opcode.name for opcode in ONE_OPERAND)}",
        f'modifier ::= "." ({_choice(modifier.name for modifier in Modifier)})',
        f"field ::= [{MODE_SYMBOLS}]? {'address' if labels else 'number'}",
        *_addresses(labels),
        f'number ::= "0" | "-"? {_digits(len(str(settings.core_size - 1)))}',
    ]
    return "\n".join(rules) + "\n"


def _check(lines: int, labels: Sequence[str]) -> None:
    if lines < 1 or len(labels) > lines:
        raise ConfigError(f"a grammar of {lines} lines has no room for {max(1, len(labels))}")
    known = {name.lower() for name in (*Opcode.__members__, *Modifier.__members__)}
    for label in labels:
        if not _LABEL.fullmatch(label) or label in known or labels.count(label) > 1:
            raise ConfigError(f"{label!r} is no label: one is a lower-case word, its own, and no opcode")


def _body(lines: int, labels: Sequence[str]) -> str:
    """Returns what follows the remark: lines, those with labels among them in a fixed order."""
    if not labels:
        return _repeated(1, lines)
    spare = lines - len(labels)
    shares = [
        spare // (len(labels) + 1) + (place < spare % (len(labels) + 1)) for place in range(len(labels) + 1)
    ]
    parts = [_repeated(0, shares[0])]
    for label, share in zip(labels, shares[1:], strict=True):
        parts += [f'"{label} " line', _repeated(0, share)]
    return " ".join(part for part in parts if part)


def _repeated(least: int, most: int) -> str:
    return f"line{{{least},{most}}}" if most else ""


def _addresses(labels: Sequence[str]) -> Iterator[str]:
    if labels:
        yield f"address ::= number | label ([+-] {_digits(_LARGEST_OFFSET_DIGITS)})?"
        yield f"label ::= {_choice(labels)}"


def _digits(most: int) -> str:
    return f"[1-9] [0-9]{{0,{most - 1}}}" if most > 1 else "[1-9]"


def _choice(words: Iterable[str]) -> str:
    return " | ".join(f'"{word}"' for word in words)
