"""Changes of whole statements: order, number, loops around them."""

from __future__ import annotations

import numpy as np

from speciate.mutation.genetic.edits import Change, Edit, pick
from speciate.mutation.genetic.expressions import short
from speciate.mutation.genetic.sites import Kind, Sites, Statement


def swap(sites: Sites, rng: np.random.Generator, step: float) -> Change | None:
    """Exchanges two statements that follow each other."""
    del step
    pairs = [
        (a, b)
        for a, b in zip(sites.statements, _followers(sites), strict=True)
        if b is not None and a.movable and b.movable
    ]
    if not pairs:
        return None
    a, b = pick(rng, pairs)
    first, second = lines(sites, a), lines(sites, b)
    return Change((Edit(*a.span, second), Edit(*b.span, first)), f"swapped: {short(first)}")


def delete(sites: Sites, rng: np.random.Generator, step: float) -> Change | None:
    """Takes a statement out; an empty block keeps a ``pass``."""
    del step
    movable = [s for s in sites.statements if s.movable]
    if not movable:
        return None
    victim = pick(rng, movable)
    others = sum(s.block == victim.block for s in sites.statements) - 1
    rest = b"" if others or not sites.filler else victim.indent + sites.filler + ending(sites)
    return Change((Edit(*victim.span, rest),), f"deleted: {short(sites.text(victim.span))}")


def copy(sites: Sites, rng: np.random.Generator, step: float) -> Change | None:
    """Puts a copy of a statement after itself or after another one."""
    del step
    movable = [s for s in sites.statements if s.movable]
    if not movable:
        return None
    source = pick(rng, movable)
    place = source if rng.random() < 0.5 else pick(rng, movable)
    text = indented(lines(sites, source), source.indent, place.indent)
    return Change((Edit(*place.span, lines(sites, place) + text),), f"copied: {short(text)}")


def repeat(sites: Sites, rng: np.random.Generator, step: float) -> Change | None:
    """Puts a statement into a loop that runs a few times."""
    del step
    movable = [s for s in sites.statements if s.movable]
    if not movable:
        return None
    source = pick(rng, movable)
    times = 2 + int(rng.geometric(0.5)) - 1
    body = indented(lines(sites, source), source.indent, source.indent + b"    ")
    head = source.indent + f"for _ in range({times}):".encode() + ending(sites)
    return Change((Edit(*source.span, head + body),), f"repeated: {short(body)}")


def guard(sites: Sites, rng: np.random.Generator, step: float) -> Change | None:
    """Puts a statement under a condition that the program uses elsewhere."""
    del step
    movable = [s for s in sites.statements if s.movable and not s.path]
    truths = [e for e in sites.expressions if e.kind is Kind.TRUTH and b"\n" not in sites.text(e.span)]
    if not movable or not truths:
        return None
    source, truth = pick(rng, movable), pick(rng, truths)
    if not sites.read(truth.span) <= sites.visible(source.span):
        return None
    body = indented(lines(sites, source), source.indent, source.indent + b"    ")
    head = source.indent + b"if " + sites.text(truth.span) + b":" + ending(sites)
    return Change((Edit(*source.span, head + body),), f"guarded: {short(head)}")


def unnest(sites: Sites, rng: np.random.Generator, step: float) -> Change | None:
    """Replaces a compound statement by its body."""
    del step
    nested = [(s, s.body) for s in sites.statements if s.movable and s.body is not None]
    if not nested:
        return None
    outer, body = pick(rng, nested)
    text = sites.text(body)
    inner = text[: len(text) - len(text.lstrip(b" \t"))]
    new = indented(text, inner, outer.indent)
    return Change((Edit(*outer.span, new),), f"unnested: {short(sites.text(outer.span))}")


def lines(sites: Sites, statement: Statement) -> bytes:
    """Returns a statement's lines, with a line end even if it is the last of the file."""
    text = sites.text(statement.span)
    return text if text.endswith((b"\n", b"\r")) else text + ending(sites)


def ending(sites: Sites) -> bytes:
    """Returns the file's line end."""
    return b"\r\n" if b"\r\n" in sites.data else b"\n"


def indented(text: bytes, old: bytes, new: bytes) -> bytes:
    """Returns lines moved from one indentation to another; lines that lack the old one stay."""
    if old == new:
        return text
    return b"".join(
        new + line[len(old) :] if line.startswith(old) and line.strip() else line
        for line in text.splitlines(keepends=True)
    )


def _followers(sites: Sites) -> list[Statement | None]:
    """Returns for each statement the next one of its block, or None."""
    following: dict[int, Statement] = {}
    answer: list[Statement | None] = []
    for statement in reversed(sites.statements):
        answer.append(following.get(statement.block))
        following[statement.block] = statement
    return answer[::-1]
