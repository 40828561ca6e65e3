"""Sources that want an assembler to take all time or memory, by name. Each must end in a `RedcodeError`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

Attack = Callable[[], str | bytes]
"""Makes the source; those of many megabytes exist only while they are used."""

_LAST: Final = "\nJMP nowhere (\n"
"""A line that no dialect accepts: whatever is left of a source ends in an error."""


def _lines(line: str, count: int) -> str:
    """Returns a line many times."""
    return f"{line}\n" * count


def _filled(line: str, characters: int) -> str:
    """Returns a line so often that the source has about so many characters."""
    return _lines(line, characters // (len(line) + 1))


def _doubling(depth: int, last: str) -> str:
    """Returns EQUs each of which stands for the next one twice, and their use."""
    names = "".join(f"x{i} EQU x{i + 1} x{i + 1}\n" for i in range(depth))
    return f"{names}x{depth} EQU {last}\nNOP x0 1\n"


def _doubling_macros(depth: int) -> str:
    """Returns EQUs of two lines each of which is the next one, and their use."""
    names = "".join(f"x{i} EQU x{i + 1}\n EQU x{i + 1}\n" for i in range(depth))
    return f"{names}x{depth} EQU NOP 1\nx0\n"


def _nested_loops(depth: int, count: int, body: str) -> str:
    """Returns a line in so many loops, each of them so often."""
    return _lines(f"FOR {count}", depth) + f"{body}\n" + _lines("ROF", depth)


def _chain(count: int) -> str:
    """Returns EQUs each of which stands for the one before, and the use of the last."""
    return "e0 EQU 1\n" + "".join(f"e{i} EQU e{i - 1}\n" for i in range(1, count)) + f"NOP e{count - 1}\n"


def _names(count: int, length: int = 1) -> str:
    """Returns so many labels, alike but for a number."""
    return "".join(f"{'l' * length}{i}\n" for i in range(count))


def _seldom_read(line: str) -> str:
    """Returns a costly line in a loop that costs little itself."""
    return f"FOR 100000\n{line}\nROF{_LAST}"


_TEN_MEGABYTES: Final[Mapping[str, Attack]] = {
    "ten megabytes of one name": lambda: "a" * 10_000_000,
    "ten megabytes of blanks": lambda: " " * 10_000_000,
    "ten megabytes of lines": lambda: "\n" * 10_000_000,
    "ten megabytes of code": lambda: _filled("MOV.I $0, $1", 10_000_000),
    "ten megabytes of loops": lambda: _filled("FOR 9", 10_000_000),
    "ten megabytes of comments": lambda: _filled(";name x", 10_000_000),
    "ten megabytes of digits": lambda: "NOP " + "9" * 10_000_000,
    "ten megabytes of parentheses": lambda: "NOP " + "(" * 10_000_000,
    "ten megabytes of zero bytes": lambda: bytes(10_000_000),
    "ten megabytes that are not UTF-8": lambda: b"\xff" * 10_000_000,
    "ten megabytes of wide characters": lambda: "\ufdfa" * 10_000_000,
}

_SIZE: Final[Mapping[str, Attack]] = {
    "a million ends of lines": lambda: "\n" * 999_000,
    "a million zero bytes": lambda: "\0" * 999_000,
    "zero bytes in lines": lambda: _filled("\0" * 40, 900_000),
    "every byte": lambda: bytes(range(256)) * 3_900,
    "one long sum": lambda: "NOP " + "1+" * 499_000 + "1",
    "one long number": lambda: "1" * 900_000,
    "long numbers": lambda: _filled("DAT " + "9" * 1_900, 900_000),
    "long lines of blanks": lambda: _filled("NOP" + " " * 1_990 + "(", 900_000),
    "long lines of signs": lambda: _filled("NOP " + "-" * 1_900 + "1", 900_000),
    "wide characters": lambda: "\ufdfa" * 300_000,
    "lines of wide characters": lambda: _filled("\ufdfa" * 1_900, 180_000),
    "accents in the wrong order": lambda: _filled("a" + "\u0301\u0316" * 990, 180_000),
    "lines that go on": lambda: "\\\n" * 49_000,
    "one line in many parts": lambda: "NOP \\\n" + " 1+\\\n" * 400 + "1" + _LAST,
    "many programs": lambda: _lines(";redcode", 49_000),
    "many fences": lambda: _lines("```", 49_000),
    "fences around code": lambda: _lines("```\nJMP nowhere (\n```", 8_000),
    "remarks": lambda: _lines(";strategy " + "x" * 10, 40_000) + _LAST,
    "a remark of blanks": lambda: ";strategy" + " \t" * 450_000 + "\n" + _LAST,
}

_UNFOLDING: Final[Mapping[str, Attack]] = {
    "loops without end": lambda: _nested_loops(2, 10**9, "") + "NOP 1\n",
    "loops that are nested deep": lambda: _nested_loops(60, 9, "x") + "NOP 1\n",
    "loops without rof": lambda: _lines("FOR 2", 49_000),
    "loops that are left out": lambda: _lines("FOR 0", 49_000),
    "loops of loops that are left out": lambda: (
        f"FOR 100000\n{_lines('FOR 0', 900)}{_lines('ROF', 901)}{_LAST}"
    ),
    "loops of instructions": lambda: _nested_loops(9, 9, "MOV.I $0, $1"),
    "a loop around a long comment": lambda: _seldom_read(";" + "x" * 900_000),
    "a loop around blanks": lambda: _seldom_read(" " * 1_990),
    "a loop around a long assertion": lambda: _seldom_read(";assert" + " " * 1_900 + "1"),
    "a loop around a false count": lambda: _seldom_read("FOR -(1+1)*(1+1)*(1+1)\nROF"),
    "joined names": lambda: "i FOR 100000\nl" + "&i" * 990 + f"\nROF{_LAST}",
    "joined labels": lambda: f"i FOR 900\nj FOR 900\nl&i&j\nROF\nROF{_LAST}",
    "joined names that are used": lambda: f"i FOR 100000\n;assert l{'&i' * 900}\nROF{_LAST}",
    "names that double": lambda: _doubling(40, "1+"),
    "names that double into digits": lambda: _doubling(40, "1"),
    "names that double into nothing": lambda: _doubling(40, ""),
    "macros that double": lambda: _doubling_macros(40),
    "a chain of names": lambda: _chain(10_000),
    "a macro of many lines": lambda: "x EQU a\n" + _lines(" EQU a", 49_000) + "x\nx\nx\nNOP 1\n",
    "a macro of itself and of empty lines": lambda: "x EQU x\n" + _lines(" EQU", 40_000) + f"x{_LAST}",
    "a macro of empty lines, often": lambda: f"x EQU\n{_lines(' EQU', 9_000)}FOR 100000\nx\nROF{_LAST}",
    "many names of one macro": lambda: (
        f"{' '.join(f'e{i}' for i in range(400))} EQU 1\n{_lines(' EQU 1', 40_000)}"
    ),
    "digits that join": lambda: _filled("DAT " + "1 " * 900, 900_000) + _LAST,
    "a name that is long": lambda: f"x EQU {'1+' * 900}1\n" + _lines("DAT x, x", 99) + _LAST,
}

_NAMES: Final[Mapping[str, Attack]] = {
    "labels": lambda: _names(49_000) + "NOP lx",
    "labels that are alike": lambda: _names(12_000, 60) + f"NOP 1\nDAT {'l' * 60}x",
    "labels in another case": lambda: _names(40_000) + _lines("NOP L7x", 90),
    "long labels in another case": lambda: _names(480, 1_900) + "NOP 1\n" + _lines(f"DAT {'L' * 1_900}7", 99),
    "assertions": lambda: _lines(";assert 1+1+1+1+1+1", 49_000),
    "assertions about a name that is not there": lambda: (
        _names(500, 50) + "NOP 1\n" + _lines(f";assert {'l' * 49}x", 15_000) + _LAST
    ),
    "counts of a name that is not there": lambda: _names(500, 50) + f"NOP 1\nFOR {'l' * 49}x\nROF",
    "assertions that nest": lambda: _lines(f";assert {'(' * 60}1{')' * 60}", 7_000) + _LAST,
    "assertions that fail in the middle": lambda: _lines(";assert 1/0", 40_000) + _LAST,
}

_EXPRESSIONS: Final[Mapping[str, Attack]] = {
    "parentheses": lambda: "NOP " + "(" * 990 + "1" + ")" * 990,
    "parentheses beside each other": lambda: _filled("DAT " + "(1)+" * 490 + "1", 900_000),
    "a number that grows": lambda: "NOP " + "*".join(["9" * 18] * 100),
    "a number that grows by names": lambda: _doubling(12, "9999*") + _LAST,
    "divisions by zero": lambda: "NOP 1/(1-1)",
    "operators that wait": lambda: _filled("DAT " + "1||1&&1==1+1*" * 140 + "1", 900_000) + _LAST,
    "assignments": lambda: "NOP " + "a=" * 900 + "1",
    "commas": lambda: _filled("DAT " + "," * 1_900, 900_000),
    "modes": lambda: _filled("DAT " + "#$*@{<}>" * 240, 900_000),
}

_LENIENT: Final[Mapping[str, Attack]] = {
    "words and blanks": lambda: _filled("a" + " " * 1_980 + "(", 180_000) + _LAST,
    "words, blanks and a dot": lambda: _filled("a b" + " " * 1_980 + ".", 180_000) + _LAST,
    "numbers and blanks": lambda: _filled("1" + " " * 1_980 + "(", 180_000) + _LAST,
    "operands and blanks": lambda: _filled("a 1" + " " * 1_980 + "(", 180_000) + _LAST,
    "modes and blanks": lambda: _filled("a #" + " " * 1_980 + "(", 180_000) + _LAST,
    "operands, a comma and blanks": lambda: _filled("a 1," + " " * 1_980 + "(", 180_000) + _LAST,
    "blanks alone": lambda: _filled(" " * 1_980 + "(", 180_000) + _LAST,
    "digits in prose": lambda: _filled("a " + "1" * 1_980 + "(", 180_000) + _LAST,
    "slashes": lambda: _filled("/ " * 990, 180_000) + _LAST,
    "hexadecimal numbers": lambda: _filled("DAT " + "0x1+" * 490 + "1", 180_000) + _LAST,
    "prose": lambda: _lines("This is what I would do next with it.", 9_000) + _LAST,
    "operands without commas": lambda: _filled("DAT " + "1 -1 " * 390, 180_000) + _LAST,
    "accents": lambda: _filled("e\u0301" * 990, 180_000) + _LAST,
}

ATTACKS: Final[Mapping[str, Attack]] = {
    **_TEN_MEGABYTES,
    **_SIZE,
    **_UNFOLDING,
    **_NAMES,
    **_EXPRESSIONS,
    **_LENIENT,
}
"""All of them: too large, laborious to read, unfolding into too much, with too many names, with expressions
that are hard to work out, and with what the lenient dialect has to look at twice."""
