"""Repairs of what models write around and into Redcode, before and while it is assembled.

Every repair leaves a note that names its line. What is repaired: Markdown fences and the prose around them,
bullets and line numbers, typographic dashes and blanks, ``//`` and ``#`` comments, hexadecimal numbers, a
missing comma, an opcode without operands, names in another case.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from speciate.problems.corewar.instructions import MODE_SYMBOLS
from speciate.problems.corewar.redcode.expand import Statement
from speciate.problems.corewar.redcode.lexer import Token, code_of, tokenise
from speciate.problems.corewar.redcode.limits import LONGEST_LINE, Budget
from speciate.problems.corewar.redcode.lines import RESTART, Line
from speciate.problems.corewar.redcode.notes import Notes
from speciate.problems.corewar.redcode.operands import InstructionReader
from speciate.problems.corewar.redcode.words import RESERVED

_FENCE: Final = re.compile(r"\s*(```|~~~)")
_DASHES: Final = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-") | {"`": ""})
# Blanks are never given back (``++``): where two neighbours can share them, a long line costs its square.
_BULLET: Final = re.compile(r"^\s*+(?:[-*\u2022]\s++|\d++(?:\s*+[.):])?\s++)(?=[A-Za-z_])")
_REMARK: Final = re.compile(r"//.*|^\s*+#.*")
_HEXADECIMAL: Final = re.compile(r"\b0[xX]([0-9A-Fa-f]{1,16})\b")
_EQU: Final = re.compile(r"\s*+(\w++)(?:\s*+:)?\s++equ\b", re.IGNORECASE)
_OPERAND: Final = rf"(?:[{re.escape(MODE_SYMBOLS)}]\s*+)?-?\d++"
_INSTRUCTION: Final = re.compile(
    rf"\s*+(?:\w++(?:\s*+:)?\s++)?[A-Za-z]\w*+(?:\.\w++)?\s++{_OPERAND}\s*+(?:,\s*+{_OPERAND}\s*+)?(?:;.*)?"
)
"""What only lacks a known opcode. Prose does not look like that, and an instruction must not get lost."""
_MOST_LABELS: Final = 2
_ONLY_MODES: Final = frozenset("#$@{}")


def mend_lines(lines: Sequence[Line], notes: Notes, budget: Budget) -> list[Line]:
    """Returns the lines of a source with fences, prose and slips of the pen taken out.

    Args:
        lines: the source; lines keep their numbers.
        notes: what is repaired is added to them.
        budget: what it may cost.

    Raises:
        RedcodeError: there are too many words.
    """
    chosen = _fenced(_short(lines, notes, budget), notes)
    mended = list(_short((_mend_text(line, notes) for line in chosen), notes, budget))
    macros = frozenset(match[1] for line in mended if (match := _EQU.match(line.text)))
    return list(_without_prose(mended, macros, notes))


def _short(lines: Iterable[Line], notes: Notes, budget: Budget) -> Iterator[Line]:
    """Yields the lines that are short enough to be Redcode, and counts their characters."""
    for line in lines:
        length = len(code_of(line.text))
        if length > LONGEST_LINE:
            notes.add("left out, it is too long to be Redcode", line)
            continue
        budget.spend(line, 1 + length // 4)
        yield line


def _fenced(lines: Iterable[Line], notes: Notes) -> Sequence[Line]:
    """Returns the lines of the fenced block that looks most like code; all lines if nothing is fenced."""
    every = list(lines)
    blocks: list[list[Line]] = []
    within = False
    for line in every:
        if _FENCE.match(line.text):
            within = not within
            if within:
                blocks.append([])
        elif within:
            blocks[-1].append(line)
    if not blocks:
        return every
    best = max(blocks, key=lambda block: sum(_is_code(tokenise(line.text), frozenset()) for line in block))
    if best:
        notes.add(f"only the fenced lines {best[0].number} to {best[-1].number} are taken")
    return best


def _mend_text(line: Line, notes: Notes) -> Line:
    """Returns a line with its characters and its comment signs mended."""
    code = code_of(line.text)
    text = _plain(code) if not code.isascii() or "`" in code else code
    text = _HEXADECIMAL.sub(lambda match: str(int(match[1], 16)), text)
    text = _REMARK.sub("", text)
    text = _BULLET.sub("", text)
    if text == code:
        return line
    notes.add(f"read as {text.strip()!r}", line)
    return replace(line, text=text + line.text[len(code) :])


def _plain(code: str) -> str:
    """Returns a text with wide characters, odd blanks and dashes made plain, cut where it is too long.

    Character by character: to order the accents of a whole line takes time that grows with its square.
    """
    plain = "".join([unicodedata.normalize("NFKC", character) for character in code])
    return plain[: LONGEST_LINE + 1].translate(_DASHES)


def _without_prose(lines: Sequence[Line], macros: frozenset[str], notes: Notes) -> Iterator[Line]:
    """Yields the lines without those that are prose."""
    for line in lines:
        tokens = tokenise(line.text)
        if not tokens or _is_code(tokens, macros) or _INSTRUCTION.fullmatch(line.text):
            yield line
        else:
            notes.add("left out, it is no Redcode", line)


def _is_code(tokens: Sequence[Token], macros: frozenset[str]) -> bool:
    """Returns whether a line looks like Redcode: few labels, an opcode, something like an operand."""
    names = 0
    for at, token in enumerate(tokens):
        if token.text.upper() in RESERVED:
            return names <= _MOST_LABELS and not _is_prose(tokens[at + 1 :])
        if token.kind == "name":
            if token.text in macros:
                return True
            names += 1
        elif token.kind != "join" and token.text != ":":
            return False
    return names <= _MOST_LABELS


def _is_prose(tokens: Sequence[Token]) -> bool:
    """Returns whether three words follow each other, which no operand has."""
    run = 0
    for token in tokens:
        run = run + 1 if token.kind == "name" else 0
        if run > _MOST_LABELS:
            return True
    return False


def begins_again(lines: Sequence[Line], notes: Notes) -> list[Line]:
    """Returns the lines with every ``;redcode`` but the first dropped as long as no code has come."""
    kept: list[Line] = []
    started = coded = False
    for line in lines:
        if RESTART.match(line.text):
            if started and not coded:
                notes.add("left out, the program has begun already", line)
                continue
            started = True
        elif started and tokenise(line.text):
            coded = True
        kept.append(line)
    return kept


class LenientReader(InstructionReader):
    """Reads instructions whose operands lack a comma or are missing altogether."""

    def _mended(self, statement: Statement, words: Sequence[Token]) -> Sequence[Token]:
        if not words:
            self.symbols.notes.add(f"{statement.word.text} without operands is read as 0, 0", statement.line)
            column = statement.word.column
            return [Token("number", "0", column), Token("op", ",", column), Token("number", "0", column)]
        operands, rest = _split(words)
        if rest:
            said = " ".join(word.text for word in rest)
            self.symbols.notes.add(f"{said[:60]!r} behind the operands is left out", statement.line)
        if len(operands) == len(words) - len(rest) + 1:
            self.symbols.notes.add("a comma is put between the operands", statement.line)
        return operands


def _split(words: Sequence[Token]) -> tuple[list[Token], Sequence[Token]]:
    """Returns the tokens of two operands with a comma between, and what follows them.

    The comma is put in where an operand is complete and the next one begins: before a value or a mode that is
    no operator, or else, if there is no comma at all, before a sign that touches what follows only (5 -5).
    """
    bare = all(word.text != "," for word in words)
    out: list[Token] = []
    depth = commas = 0
    complete = False
    for at, word in enumerate(words):
        if complete and not depth and _begins(words, at, bare and not commas):
            if commas:
                return out, words[at:]
            out.append(Token("op", ",", word.column))
            commas = 1
        if word.text == ",":
            commas += 1
        depth += {"(": 1, ")": -1}.get(word.text, 0)
        complete = word.kind in ("name", "digits", "number") or word.text == ")"
        out.append(word)
    return out, ()


def _begins(words: Sequence[Token], at: int, by_blanks: bool) -> bool:
    """Returns whether a token behind a complete operand begins another one."""
    word, before = words[at], words[at - 1]
    if word.kind != "op":
        return True
    if word.text == "(" or word.text in _ONLY_MODES:
        return True
    if not by_blanks or at + 1 == len(words) or word.text not in ("-", "+", "*", "<", ">"):
        return False
    apart = word.column > before.column + len(before.text)
    return apart and words[at + 1].column == word.column + 1
