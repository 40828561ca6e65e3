"""The names of a program and what they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from speciate.errors import nearest
from speciate.problems.corewar.redcode.lexer import Token
from speciate.problems.corewar.redcode.limits import DEEPEST, LONGEST_TEXT, Budget
from speciate.problems.corewar.redcode.lines import Line
from speciate.problems.corewar.redcode.notes import Notes
from speciate.problems.corewar.redcode.words import CURRENT_LINE

Words = tuple[Token, ...]


@dataclass(slots=True)
class Symbols:
    """Every name that the program has defined so far.

    Attributes:
        budget: what replacing names may still cost.
        notes: what was odd about their use.
        texts: names defined by EQU, each with its lines of text; predefined names too.
        labels: names of instructions, each with its offset from the first one.
        indexes: names of the FOR loops that are being unfolded, each with the digits it stands for.
        lenient: whether blanks part digits, and a name may be written in another case than it was defined in.
        variables: values of the variables A to Z; those that are missing are 0.
    """

    budget: Budget
    notes: Notes
    lenient: bool = False
    texts: dict[str, list[Words]] = field(default_factory=dict)
    labels: dict[str, int] = field(default_factory=dict)
    indexes: dict[str, str] = field(default_factory=dict)
    variables: dict[str, int] = field(default_factory=dict)

    def predefine(self, constants: Iterable[tuple[str, int]]) -> None:
        """Defines names that stand for numbers."""
        for name, value in constants:
            sign = (Token("op", "-", 1),) if value < 0 else ()
            self.texts[name] = [(*sign, Token("digits", str(abs(value)), 1))]

    def nearest(self, name: str) -> str:
        """Returns a hint at a defined name that is spelt like this one, or an empty string."""
        known = [*islice(self.labels, 500), *islice(self.texts, 500), *self.indexes]
        return nearest(name[:64], known)

    def replace(self, words: Sequence[Token], line: Line, position: int) -> list[Token]:
        """Returns an operand with its EQUs, loop indexes and CURLINE replaced, and its digits joined.

        Labels and variables stay. The text of a name begins where the name stood: digits before it are
        joined to it (``5 x`` with ``x EQU 1`` is 51), digits behind it are not (``x 5`` is two numbers).

        Args:
            words: the tokens of the operand.
            line: where they stand.
            position: offset of the instruction they belong to.

        Raises:
            RedcodeError: a name stands for itself, for several lines, or unfolds into too much.
        """
        self.budget.spend(line, len(words))
        out: list[Token] = []
        self._replace(words, line, position, out, ())
        return out

    def _replace(
        self, words: Sequence[Token], line: Line, position: int, out: list[Token], within: tuple[str, ...]
    ) -> None:
        """Appends the replaced words to `out`; `within` are the names that are being replaced."""
        for word in self._concatenated(words, line):
            if word.kind == "name" and not (out and out[-1].text == "."):
                name = self._text_name(word, line)
                if name is None:
                    out.append(word)
                else:
                    self._insert(Token("name", name, word.column), line, position, out, within)
            elif word.kind == "digits" and out and out[-1].kind == "digits" and not self.lenient:
                out[-1] = Token("digits", out[-1].text + word.text, out[-1].column)
            else:
                out.append(word)

    def _text_name(self, word: Token, line: Line) -> str | None:
        """Returns the name of the text that a word stands for; None if it stands for none."""
        name = word.text
        if name in self.texts or name in self.indexes or name == CURRENT_LINE:
            return name
        if not self.lenient or name in self.labels:
            return None
        return self._respelt(word, (*self.texts, *self.indexes, CURRENT_LINE), line)

    def label(self, word: Token, line: Line) -> int | None:
        """Returns the offset of a label; None if there is no such label."""
        offset = self.labels.get(word.text)
        if offset is not None or not self.lenient:
            return offset
        name = self._respelt(word, self.labels, line)
        return None if name is None else self.labels[name]

    def _respelt(self, word: Token, names: Iterable[str], line: Line) -> str | None:
        """Returns the one name that differs from a word in case alone; None if there is none, or several."""
        self.budget.spend(line, len(self.texts) + len(self.labels))
        lower = word.text.lower()
        alike = [name for name in names if name.lower() == lower]
        if len(alike) != 1 or len(lower) < 2:
            return None
        self.notes.add(f"{word.text!r} is taken for {alike[0]!r}", line)
        return alike[0]

    def _insert(
        self, word: Token, line: Line, position: int, out: list[Token], within: tuple[str, ...]
    ) -> None:
        """Appends what a name stands for."""
        name = word.text
        if name in within:
            raise line.error(f"the EQU {name!r} stands for itself: {' → '.join((*within, name))}", at=word)
        if len(within) >= DEEPEST or len(out) > LONGEST_TEXT:
            raise line.error(
                "too many EQUs within EQUs",
                at=word,
                expected=f"at most {DEEPEST} levels and {LONGEST_TEXT:,} words",
            )
        self._replace(self._text(word, line, position), line, position, out, (*within, name))
        if out and out[-1].kind == "digits":
            out[-1] = Token("number", out[-1].text, out[-1].column)

    def _text(self, word: Token, line: Line, position: int) -> Words:
        """Returns what a name stands for inside an operand, placed where the name is."""
        name, column = word.text, word.column
        if name == CURRENT_LINE:
            return (Token("digits", str(position), column),)
        if name in self.indexes:
            return (Token("digits", self.indexes[name], column),)
        lines = self.texts[name]
        if len(lines) > 1:
            raise line.error(
                f"{name!r} is an EQU of {len(lines)} lines and cannot be part of an operand", at=word
            )
        self.budget.spend(line, 1 + len(lines[0]))
        return tuple([token.at(column) for token in lines[0]])

    def _concatenated(self, words: Sequence[Token], line: Line) -> Iterator[Token]:
        """Yields the words with ``name&index`` made one name."""
        if not any(word.kind == "join" for word in words):
            yield from words
            return
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            while at + 1 < len(words) and words[at].kind == "join" and word.kind == "name":
                word = self.concatenate(word, words[at + 1], line)
                at += 2
            yield word

    def concatenate(self, name: Token, index: Token, line: Line) -> Token:
        """Returns the name that ``name&index`` stands for.

        Raises:
            RedcodeError: `index` is not the index of a FOR loop around this line.
        """
        digits = self.indexes.get(index.text)
        if digits is None:
            raise line.error(
                f"'&' cannot join {index.text!r} to a name",
                at=index,
                expected="the index of a FOR loop around this line",
            )
        return Token("name", name.text + digits, name.column)
