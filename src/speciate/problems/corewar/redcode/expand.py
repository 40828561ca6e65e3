"""First pass: EQUs and FOR loops are unfolded, labels get their offsets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

from speciate.errors import nearest
from speciate.problems.corewar.instructions import Opcode
from speciate.problems.corewar.redcode.comments import assertion
from speciate.problems.corewar.redcode.errors import RedcodeError
from speciate.problems.corewar.redcode.expressions import Expressions
from speciate.problems.corewar.redcode.lexer import Token, code_of
from speciate.problems.corewar.redcode.limits import CHARACTERS_A_STEP, DEEPEST, LONGEST_LINE
from speciate.problems.corewar.redcode.lines import Line
from speciate.problems.corewar.redcode.symbols import Symbols, Words
from speciate.problems.corewar.redcode.words import (
    CURRENT_LINE,
    DIRECTIVES,
    OPCODES,
    RESERVED,
    Directive,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """An instruction, or an ``ORG``, ``END`` or ``PIN`` with its operand, before its operands are read.

    Attributes:
        line: where it stands.
        word: the token of its opcode or directive.
        opcode: what it is; None for a directive.
        operands: the tokens behind it.
        position: how many instructions come before it.
    """

    line: Line
    word: Token
    opcode: Opcode | None
    operands: Sequence[Token]
    position: int


@dataclass(slots=True)
class _Loop:
    """A FOR that is being unfolded."""

    line: Line
    index: str | None
    count: int
    done: int
    start: int


@dataclass(slots=True)
class _Frame:
    """Lines that are being read: those of the program, or those an EQU stands for."""

    lines: Sequence[Line]
    name: str
    at: int = 0
    loops: list[_Loop] = field(default_factory=list)


class Expander:
    """Reads a program line by line and keeps what the second pass needs.

    Args:
        lines: the program.
        symbols: predefined names; labels and EQUs are added.
        max_length: most instructions.

    Attributes:
        statements: instructions and directives with operands, in order.
        length: how many of them are instructions.
        asserted: whether an ``;assert`` was seen.
    """

    def __init__(self, lines: Sequence[Line], symbols: Symbols, max_length: int) -> None:
        self.statements: list[Statement] = []
        self.length = 0
        self.asserted = False
        self._symbols = symbols
        self._max_length = max_length
        self._frames = [_Frame(lines, "")]
        self._waiting: dict[str, None] = {}
        self._extended: list[Words] | None = None

    def run(self) -> None:
        """Reads the program to its end or its ``END``.

        Raises:
            RedcodeError: a line cannot be understood, an assertion is false, or the program unfolds into too
                much.
        """
        while self._frames:
            frame = self._frames[-1]
            if frame.at < len(frame.lines):
                line = frame.lines[frame.at]
                frame.at += 1
                self._read(line)
            else:
                self._leave(frame)
        if self._waiting:
            names = ", ".join(islice(self._waiting, 10))
            self._symbols.notes.add(f"labels without an instruction are left out: {names}")

    def _leave(self, frame: _Frame) -> None:
        """Ends the reading of a frame."""
        if frame.loops:
            loop = frame.loops[-1]
            if frame.name:
                raise loop.line.error(f"the FOR in the EQU {frame.name!r} has no ROF")
            self._symbols.notes.add("FOR without ROF; its lines are taken once", loop.line)
        self._frames.pop()

    def _read(self, line: Line) -> None:
        """Reads one line."""
        tokens = self._tokens(line)
        if not tokens:
            self._assert(line)
            return
        after = self._labels(tokens, line)
        if after is None:
            return
        word, rest = tokens[after], tokens[after + 1 :]
        name = word.text.upper()
        if name != "EQU":
            self._extended = None
        if name in OPCODES:
            self._instruction(line, word, rest)
        else:
            self._directive(DIRECTIVES[name], line, word, rest)

    def _tokens(self, line: Line) -> Words:
        """Returns the tokens of a line, once they and its characters are counted."""
        if len(line.text) > LONGEST_LINE and len(code_of(line.text)) > LONGEST_LINE:
            raise line.error("the line is too long", expected=f"at most {LONGEST_LINE:,} characters")
        self._symbols.budget.spend(line, 1 + len(line.text) // CHARACTERS_A_STEP)
        tokens = line.tokens
        self._symbols.budget.spend(line, len(tokens))
        return tokens

    def _labels(self, tokens: Words, line: Line) -> int | None:
        """Collects the labels that a line begins with.

        Returns:
            Index of the opcode or directive behind them; None if there is nothing left to do on the line.
        """
        at = 0
        while at < len(tokens):
            word = tokens[at]
            if word.kind != "name":
                raise self._misplaced(tokens, at, line)
            if word.text.upper() in RESERVED:
                return at
            at += 1
            while at + 1 < len(tokens) and tokens[at].kind == "join":
                word = self._symbols.concatenate(word, tokens[at + 1], line)
                at += 2
            if word.text in self._symbols.texts:
                self._unfold(word, tokens[at:], line)
                return None
            if not self._label(word, line):
                return None
            if at < len(tokens) and _touching_colon(tokens[at - 1], tokens[at]):
                at += 1
        return None

    def _label(self, word: Token, line: Line) -> bool:
        """Remembers a label for the next instruction; returns False if the name is taken."""
        name = word.text
        if name == CURRENT_LINE:
            raise line.error(f"{CURRENT_LINE} is a predefined name and cannot be a label", at=word)
        if name in self._symbols.labels or name in self._symbols.indexes:
            self._symbols.notes.add(f"the label {name!r} is taken; the line is left out", line)
            return False
        self._waiting[name] = None
        return True

    def _unfold(self, word: Token, rest: Words, line: Line) -> None:
        """Puts the text of an EQU in place of its name; the rest of the line follows its last line."""
        if len(self._frames) > DEEPEST:
            raise line.error(
                f"EQUs are nested too deep at {word.text!r}", at=word, expected=f"at most {DEEPEST} levels"
            )
        texts = self._symbols.texts[word.text]
        self._symbols.budget.spend(line, len(texts) + sum(map(len, texts)) + len(rest))
        placed = [tuple([token.at(word.column) for token in text]) for text in texts]
        placed[-1] += rest
        self._frames.append(_Frame([Line(line.number, line.text, words) for words in placed], word.text))

    def _place_labels(self) -> None:
        """Gives the waiting labels the offset of the next instruction."""
        for name in self._waiting:
            self._symbols.labels[name] = self.length
        self._waiting.clear()

    def _instruction(self, line: Line, word: Token, rest: Words) -> None:
        self._place_labels()
        if self.length >= self._max_length:
            raise line.error(
                "too many instructions", at=word, expected=f"at most {self._max_length} (MAXLENGTH)"
            )
        self._keep(line, word, OPCODES[word.text.upper()], rest)
        self.length += 1

    def _keep(self, line: Line, word: Token, opcode: Opcode | None, rest: Words) -> None:
        """Keeps a statement; inside a FOR its index is replaced now."""
        operands = self._symbols.replace(rest, line, self.length) if self._symbols.indexes else rest
        self.statements.append(Statement(line, word, opcode, operands, self.length))

    def _directive(self, name: Directive, line: Line, word: Token, rest: Words) -> None:
        if name == "EQU":
            self._equ(line, rest)
        elif name == "FOR":
            self._for(line, word, rest)
        elif name == "ROF":
            self._rof(line, word)
        else:
            if name == "END":
                self._place_labels()
                self._frames.clear()
            self._keep(line, word, None, rest)

    def _equ(self, line: Line, rest: Words) -> None:
        """Defines names, or adds a line to those that the EQU before defined."""
        if self._waiting:
            self._extended = [rest]
            self._symbols.texts.update(dict.fromkeys(self._waiting, self._extended))
            self._waiting.clear()
        elif self._extended is not None:
            self._extended.append(rest)
        else:
            self._symbols.notes.add("EQU without a name is left out", line)

    def _for(self, line: Line, word: Token, rest: Words) -> None:
        """Begins a loop; the last label before FOR is its index."""
        index = self._waiting.popitem()[0] if self._waiting else None
        self._place_labels()
        words = self._symbols.replace(rest, line, self.length)
        expression = Expressions(words, line, self._symbols, self.length)
        count = expression.read()
        if expression.at < len(words):
            raise line.error(
                f"{words[expression.at].text!r} behind the count of FOR",
                at=words[expression.at],
                expected="one expression",
            )
        frame = self._frames[-1]
        if count < 1:
            self._skip(frame, line)
            return
        if sum(len(each.loops) for each in self._frames) >= DEEPEST:
            raise line.error("FOR loops are nested too deep", at=word, expected=f"at most {DEEPEST} levels")
        frame.loops.append(_Loop(line, index, count, 1, frame.at))
        self._set_index(index, 1)

    def _set_index(self, index: str | None, value: int) -> None:
        if index is not None:
            self._symbols.indexes[index] = f"{value:02d}"

    def _skip(self, frame: _Frame, line: Line) -> None:
        """Goes behind the ROF of a loop that is not taken at all; its lines need not make sense."""
        depth = 1
        while frame.at < len(frame.lines) and depth:
            skipped = frame.lines[frame.at]
            frame.at += 1
            word = _statement_word(self._tokens(skipped))
            depth += {"FOR": 1, "ROF": -1}.get(word, 0)
        if depth:
            self._symbols.notes.add("FOR without ROF; everything behind it is left out", line)

    def _rof(self, line: Line, word: Token) -> None:
        """Ends a turn of the innermost loop and begins the next one."""
        while self._frames and not self._frames[-1].loops:
            self._frames.pop()
        if not self._frames:
            raise line.error("ROF without FOR", at=word)
        frame = self._frames[-1]
        loop = frame.loops[-1]
        if loop.done < loop.count:
            loop.done += 1
            frame.at = loop.start
            self._set_index(loop.index, loop.done)
            return
        frame.loops.pop()
        if loop.index is not None:
            self._symbols.indexes.pop(loop.index, None)

    def _assert(self, line: Line) -> None:
        """Checks the ``;assert`` of a comment line, if it is one."""
        words = assertion(line) if ";" in line.text else None
        if words is None:
            return
        self._symbols.budget.spend(line, len(words))
        self.asserted = True
        reserved = next((word for word in words if word.text.upper() in RESERVED), None)
        if reserved is not None:
            raise line.error(f"{reserved.text!r} in an assertion", at=reserved, expected="an expression")
        held = self._holds(words, line)
        if held is None:
            self._symbols.notes.add("this ;assert cannot be worked out and is left out", line)
        elif not held:
            raise line.error("the assertion is false under these settings")

    def _holds(self, words: Words, line: Line) -> bool | None:
        """Returns whether an assertion is true; None if it makes no sense."""
        try:
            replaced = self._symbols.replace(words, line, self.length)
            expression = Expressions(replaced, line, self._symbols, self.length, hints=False)
            value = expression.read()
        except RedcodeError:
            return None
        return bool(value) if expression.at == len(replaced) else None

    def _misplaced(self, tokens: Words, at: int, line: Line) -> RedcodeError:
        """Returns an error for a token that is not where a label or an opcode could be."""
        word = tokens[at]
        hint = ""
        if at and tokens[at - 1].kind == "name":
            hint = nearest(tokens[at - 1].text.upper()[:64], RESERVED)
        return line.error(
            f"unexpected {word.text!r}{hint}", at=word, expected="a label, an opcode or a directive"
        )


def _touching_colon(name: Token, colon: Token) -> bool:
    return colon.text == ":" and colon.column == name.column + len(name.text)


def _statement_word(tokens: Words) -> str:
    """Returns the opcode or directive of a line, in capitals, or an empty string."""
    for token in tokens:
        word = token.text.upper()
        if word in RESERVED:
            return word
        if token.kind != "name" and token.text != ":":
            break
    return ""
