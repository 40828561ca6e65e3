"""Finds the sites of a file in a language without a parser here: constants, operators and whole lines."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from functools import lru_cache

import numpy as np

from speciate.mutation.genetic.edits import Change, Edit, Span, pick
from speciate.mutation.genetic.sites import Number, Real, Sites, Statement, Symbol, Table
from speciate.tasks.languages import Language

_TOKENS = (
    r'(?P<text>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')',
    r"(?P<number>(?:(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|0|[1-9]\d*)(?![\w.]))",
    r"(?P<word>[\w$.]+)",
    r"(?P<fixed>->|=>|\+\+|--|[-+*/%&|^]=|<-|::)",
    r"(?P<symbol>&&|\|\||\*\*|//|<<|>>|<=|>=|==|!=|[-+*/%<>])",
)
_LONGEST = 40
"""Longer constants are data rather than numbers, and Python reads no integer of thousands of digits."""

_BETWEEN = re.compile(rb"[\s,;{}()\[\]]*")
_OPENING, _CLOSING = b"([{", b")]}"


@lru_cache(maxsize=64)
def line_sites(text: str, mutable: tuple[Span, ...], language: Language) -> Sites:
    """Returns the sites of a file that lie within the `mutable` spans (in bytes).

    Statements are lines with balanced brackets; comments and quoted text are left alone. What comes out
    need not compile: the evaluation says so.
    """
    data = text.encode("utf-8", "surrogatepass")
    numbers: list[Number] = []
    symbols: list[Symbol] = []
    for start, end in mutable:
        for match in _pattern(language).finditer(data, start, end):
            if match.lastgroup == "number" and len(match[0]) <= _LONGEST:
                numbers.append(_number(data, match, start))
            elif match.lastgroup == "symbol":
                symbols.append(Symbol(match.span(), match[0].decode()))
    signs = {number.span[0] for number in numbers if number.value < 0}
    return Sites(
        data=data,
        numbers=tuple(numbers),
        tables=tuple(_tables(data, numbers)),
        symbols=tuple(s for s in symbols if s.span[0] not in signs),
        statements=tuple(_lines(data, mutable, language)),
    )


@lru_cache(maxsize=64)
def _pattern(language: Language) -> re.Pattern[bytes]:
    """Returns what tells comments, quoted text, constants and operators of a language apart."""
    # Block comments come first: Lua's opens with the letters of a line comment.
    comments = [rf"{re.escape(a)}[\s\S]*?{re.escape(b)}" for a, b in language.block]
    comments += [rf"{re.escape(opening)}[^\n]*" for opening in language.line]
    comment = [f"(?P<comment>{'|'.join(comments)})"] if comments else []
    return re.compile("|".join([*comment, *_TOKENS]).encode())


def _number(data: bytes, match: re.Match[bytes], start: int) -> Number:
    """Returns a constant, with the minus in front of it if that is a sign."""
    value: Real = _value(match[0])
    at = match.start()
    before = data[start : at - 1].rstrip()[-1:] if at > start and data[at - 1 : at] == b"-" else b"x"
    if not before or before in b"=(,[{<>:;?&|":
        return Number((at - 1, match.end()), -value)
    return Number(match.span(), value, tight=True)


def _value(text: bytes) -> Real:
    """Returns the value of a constant; what no double can hold is the largest one."""
    return int(text) if text.isdigit() else min(float(text), sys.float_info.max)


def _tables(data: bytes, numbers: list[Number]) -> Iterator[Table]:
    """Yields runs of at least three constants with nothing but brackets and commas between them.

    A bracket between two constants begins a new row; without any, each constant is a row.
    """
    run: list[list[int]] = []
    for k, number in enumerate(numbers):
        gap = data[numbers[k - 1].span[1] : number.span[0]] if k else b"x"
        if not _BETWEEN.fullmatch(gap):
            yield from _table(run)
            run = [[k]]
        elif any(bracket in gap for bracket in (b"{", b"(", b"[")):
            run.append([k])
        else:
            run[-1].append(k)
    yield from _table(run)


def _table(run: list[list[int]]) -> Iterator[Table]:
    rows = [tuple(row) for row in run] if len(run) > 1 else [(k,) for row in run for k in row]
    if sum(map(len, rows)) >= 3:
        yield Table(tuple(rows))


def _lines(data: bytes, mutable: Iterable[Span], language: Language) -> Iterator[Statement]:
    """Yields the lines that can be moved, one block a region."""
    comments = tuple(opening.encode() for opening in (*language.line, *(a for a, _ in language.block)))
    for block, (start, end) in enumerate(mutable):
        position = start
        for line in data[start:end].splitlines(keepends=True):
            span, position = (position, position + len(line)), position + len(line)
            bare = line.strip()
            if bare and not bare.startswith(comments) and _balanced(bare):
                indent = line[: len(line) - len(line.lstrip())]
                yield Statement(span, indent, block, path="", body=None, movable=True, simple=True)


def take_lines(sites: Sites, donor: Sites, rng: np.random.Generator) -> Change | None:
    """Takes over lines in which two programs differ, where both pieces have balanced brackets."""
    mine, theirs = sites.statements, donor.statements
    texts = [sites.text(s.span).strip() for s in mine], [donor.text(s.span).strip() for s in theirs]
    differing = [code for code in SequenceMatcher(None, *texts).get_opcodes() if code[0] != "equal"]
    if not differing or not mine:
        return None
    _, i, i_end, j, j_end = pick(rng, differing)
    if (shared := min(i_end - i, j_end - j)) and rng.random() < 0.5:  # one line instead of the whole piece
        at = int(rng.random() * shared)
        i, i_end, j, j_end = i + at, i + at + 1, j + at, j + at + 1
    start = mine[i].span[0] if i < len(mine) else mine[-1].span[1]
    end = mine[i_end - 1].span[1] if i_end > i else start
    text = donor.data[theirs[j].span[0] : theirs[j_end - 1].span[1]] if j_end > j else b""
    one_block = len({s.block for s in mine[i:i_end]}) <= 1 and len({s.block for s in theirs[j:j_end]}) <= 1
    if not one_block or not _balanced(sites.data[start:end]) or not _balanced(text):
        return None
    return Change((Edit(start, end, text),), f"lines: {j_end - j} for {i_end - i} from a second parent")


def _balanced(line: bytes) -> bool:
    """Returns whether each kind of bracket opens as often as it closes, and none closes first."""
    depth = dict.fromkeys(_CLOSING, 0)
    for byte in line:
        if byte in _OPENING:
            depth[_CLOSING[_OPENING.index(byte)]] += 1
        elif byte in _CLOSING:
            depth[byte] -= 1
            if depth[byte] < 0:
                return False
    return not any(depth.values())
