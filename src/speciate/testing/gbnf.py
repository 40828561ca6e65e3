r"""Random sentences of a GBNF grammar, and a judge of sentences, to test grammars that tasks bring along.

Understood are rules of literals, character classes, groups, alternatives, names and the repetitions ``? * +
{n} {n,m}``, one rule a line, as llama.cpp reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|\{\d+(?:,\d+)?\}|[A-Za-z][\w-]*|[()|?*+])')
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_MOST_REPEATS = 6


@dataclass(frozen=True, slots=True)
class Literal:
    """A fixed text."""

    text: str


@dataclass(frozen=True, slots=True)
class OneOf:
    """One character out of several."""

    characters: str


@dataclass(frozen=True, slots=True)
class Name:
    """What another rule says."""

    rule: str


@dataclass(frozen=True, slots=True)
class Sequence:
    """One part after the other."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several."""

    options: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part some times; `most` is None without a bound."""

    part: Node
    least: int
    most: int | None


Node: TypeAlias = Literal | OneOf | Name | Sequence | Choice | Repeat
Grammar: TypeAlias = Mapping[str, Node]
"""Rules by name."""


def parse_grammar(text: str) -> Grammar:
    """Reads a grammar.

    Raises:
        ValueError: it cannot be read, lacks a rule ``root``, or names a rule that it does not have.
    """
    rules: dict[str, Node] = {}
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, arrow, body = line.partition("::=")
        if not arrow or name.strip() in rules:
            raise ValueError(f"this is no rule, or one that was there before: {line!r}")
        rules[name.strip()] = _Reader(body).whole()
    for missing in {"root", *(name for node in rules.values() for name in _names(node))} - rules.keys():
        raise ValueError(f"there is no rule {missing!r}")
    return rules


def draw_sentence(grammar: Grammar, rng: np.random.Generator) -> str:
    """Draws a sentence: options and repetitions uniformly, those without a bound up to a few."""
    return _drawn(grammar["root"], grammar, rng)


def pattern(grammar: Grammar) -> re.Pattern[str]:
    """Returns a pattern that matches, as a whole, the sentences of a grammar without recursion."""
    return re.compile(_pattern(grammar["root"], grammar))


def _drawn(node: Node, grammar: Grammar, rng: np.random.Generator) -> str:
    match node:
        case Literal(text):
            return text
        case OneOf(characters):
            return characters[int(rng.integers(len(characters)))]
        case Name(rule):
            return _drawn(grammar[rule], grammar, rng)
        case Sequence(parts):
            return "".join(_drawn(part, grammar, rng) for part in parts)
        case Choice(options):
            return _drawn(options[int(rng.integers(len(options)))], grammar, rng)
        case Repeat(part, least, most):
            times = int(rng.integers(least, (least + _MOST_REPEATS if most is None else most) + 1))
            return "".join(_drawn(part, grammar, rng) for _ in range(times))


def _pattern(node: Node, grammar: Grammar) -> str:
    match node:
        case Literal(text):
            return re.escape(text)
        case OneOf(characters):
            return f"[{re.escape(characters)}]"
        case Name(rule):
            return _pattern(grammar[rule], grammar)
        case Sequence(parts):
            return "".join(_pattern(part, grammar) for part in parts)
        case Choice(options):
            return f"(?:{'|'.join(_pattern(option, grammar) for option in options)})"
        case Repeat(part, least, most):
            return f"(?:{_pattern(part, grammar)}){{{least},{'' if most is None else most}}}"


def _names(node: Node) -> Iterator[str]:
    match node:
        case Name(rule):
            yield rule
        case Sequence(parts) | Choice(parts):
            for part in parts:
                yield from _names(part)
        case Repeat(part):
            yield from _names(part)
        case _:
            return


class _Reader:
    """Reads one rule's body by descent."""

    def __init__(self, body: str) -> None:
        self._tokens = _tokens(body)
        self._at = 0

    def whole(self) -> Node:
        node = self._choice()
        if self._at < len(self._tokens):
            raise ValueError(f"{self._tokens[self._at]!r} is one too many")
        return node

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._next()
        self._at += 1
        return token

    def _choice(self) -> Node:
        options = [self._sequence()]
        while self._next() == "|":
            self._take()
            options.append(self._sequence())
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def _sequence(self) -> Node:
        parts: list[Node] = []
        while self._next() not in ("", "|", ")"):
            parts.append(self._repeated(self._part()))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _part(self) -> Node:
        word = self._take()
        if word == "(":
            inside = self._choice()
            if self._take() != ")":
                raise ValueError("a group is never closed")
            return inside
        if word.startswith('"'):
            return Literal(_unescaped(word[1:-1]))
        if word.startswith("["):
            return OneOf(_characters(word[1:-1]))
        if not word[:1].isalpha():
            raise ValueError(f"{word!r} repeats nothing")
        return Name(word)

    def _repeated(self, part: Node) -> Node:
        token = self._next()
        bounds = {"?": (0, 1), "*": (0, None), "+": (1, None)}.get(token)
        if bounds is None and token.startswith("{"):
            least, _, most = token[1:-1].partition(",")
            bounds = (int(least), int(most or least))
        if bounds is None:
            return part
        self._take()
        return Repeat(part, *bounds)


def _tokens(body: str) -> list[str]:
    tokens: list[str] = []
    position = 0
    while body[position:].strip():
        match = _TOKEN.match(body, position)
        if match is None:
            raise ValueError(f"cannot be read from here on: {body[position:]!r}")
        tokens.append(match[1])
        position = match.end()
    return tokens


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), text)


def _characters(inside: str) -> str:
    """Returns all characters of a class such as ``a-z#``."""
    if inside.startswith("^"):
        raise ValueError("a class of all other characters cannot be drawn from")
    return _unescaped(re.sub(r"([^\\])-(.)", _range, inside))


def _range(match: re.Match[str]) -> str:
    return "".join(map(chr, range(ord(match[1]), ord(match[2]) + 1)))
