"""Changes within a statement: operators, operands, sub-expressions, names, loop bounds."""

from __future__ import annotations

import builtins

import numpy as np

from speciate.mutation.genetic.edits import Change, Edit, pick
from speciate.mutation.genetic.sites import Expression, Kind, Sites

_SIBLINGS = (
    ("+", "-"),
    ("*", "/"),
    ("//", "/"),
    ("%", "//"),
    ("**", "*"),
    ("-", "*"),
    ("<", "<=", ">", ">="),
    ("==", "!="),
    ("and", "or"),
    ("&", "|", "^"),
    ("<<", ">>"),
    ("min", "max"),
    ("any", "all"),
    ("floor", "ceil"),
    ("sin", "cos"),
    ("exp", "log"),
    ("sqrt", "log1p"),
    ("append", "extend"),
    ("minimum", "maximum"),
    ("argmin", "argmax"),
    ("zeros", "ones"),
    ("mean", "median", "sum"),
)
_BUILTINS = frozenset(dir(builtins))
_WRAPPERS = (
    "-{e}",
    "abs({e})",
    "min({e}, {o})",
    "max({e}, {o})",
    "{e} + {o}",
    "{e} - {o}",
    "{e} * {o}",
    "{e} / {o}",
)
_BOUNDS = ("{e} + 1", "{e} - 1", "2 * {e}", "{e} // 2")


def symbol_change(sites: Sites, rng: np.random.Generator, step: float) -> Change | None:
    """Replaces an operator, a comparison or a called function by a sibling of its kind."""
    del step
    known = [symbol for symbol in sites.symbols if _siblings(symbol.text)]
    if not known:
        return None
    symbol = pick(rng, known)
    new = pick(rng, _siblings(symbol.text))
    return Change((Edit(*symbol.span, new.encode()),), f"symbol: {symbol.text} to {new}")


def subexpression_copy(sites: Sites, rng: np.random.Generator, step: float) -> Change | None:
    """Replaces an expression by another of its kind from the same program."""
    del step
    return graft(sites, sites, rng)


def graft(sites: Sites, donor: Sites, rng: np.random.Generator) -> Change | None:
    """Replaces an expression by one of its kind from `donor` that reads only names known at the place."""
    if not sites.expressions:
        return None
    target = pick(rng, sites.expressions)
    old, known = sites.text(target.span), sites.visible(target.span) | _BUILTINS
    fitting = [e for e in donor.expressions if e.kind is target.kind]
    for _ in range(min(len(fitting), 4)):
        chosen = pick(rng, fitting)
        new = fitted(donor, chosen, tight=target.tight)
        if new != old and donor.read(chosen.span) <= known:
            return Change((Edit(*target.span, new),), f"expression: {short(old)} to {short(new)}")
    return None


def wrap(sites: Sites, rng: np.random.Generator, step: float) -> Change | None:
    """Puts an expression into a call or an operation, with another expression as the second operand."""
    del step
    values = [e for e in sites.expressions if e.kind is Kind.VALUE]
    if not values:
        return None
    target, other = pick(rng, values), pick(rng, values)
    template = pick(rng, _WRAPPERS)
    if "{o}" in template and not sites.read(other.span) <= sites.visible(target.span) | _BUILTINS:
        return None
    new = _filled(sites, template, target, other)
    return Change((Edit(*target.span, new),), f"wrapped: {short(new)}")


def unwrap(sites: Sites, rng: np.random.Generator, step: float) -> Change | None:
    """Replaces an operation or a call by one of its operands."""
    del step
    composed = [e for e in sites.expressions if e.parts]
    if not composed:
        return None
    target = pick(rng, composed)
    new = sites.text(pick(rng, target.parts))
    new = b"(" + new + b")" if target.tight or b"\n" in new else new
    return Change((Edit(*target.span, new),), f"unwrapped: {short(new)}")


def name_change(sites: Sites, rng: np.random.Generator, step: float) -> Change | None:
    """Replaces a variable that is read by another one that is known there."""
    del step
    if not sites.names:
        return None
    name = pick(rng, sites.names)
    used = {n.text for n in sites.names}
    others = sorted(sites.visible(name.span) & used - {name.text})
    if not others:
        return None
    new = pick(rng, others)
    return Change((Edit(*name.span, new.encode()),), f"name: {name.text} to {new}")


def bound_change(sites: Sites, rng: np.random.Generator, step: float) -> Change | None:
    """Moves a bound of a loop over a range."""
    del step
    if not sites.bounds:
        return None
    span = pick(rng, sites.bounds)
    old = sites.text(span)
    if b"\n" in old or b"#" in old:
        return None
    new = pick(rng, _BOUNDS).encode().replace(b"{e}", b"(" + old + b")" if not old.isalnum() else old)
    return Change((Edit(*span, new),), f"bound: {short(old)} to {short(new)}")


def fitted(sites: Sites, expression: Expression, *, tight: bool) -> bytes:
    """Returns an expression's text, in parentheses where the place or a line end needs them."""
    text = sites.text(expression.span)
    bare = expression.atom and b"\n" not in text
    return text if bare or not (tight or b"\n" in text or expression.kind in _LOOSE) else b"(" + text + b")"


_LOOSE = frozenset({Kind.TUPLE, Kind.FUNCTION})
"""Kinds that may come without parentheses of their own and bind less than a comma."""


def _filled(sites: Sites, template: str, target: Expression, other: Expression) -> bytes:
    """Returns a template with the texts of two expressions."""
    tight = not template.endswith(")")
    new = template.encode()
    new = new.replace(b"{o}", b"\0").replace(b"{e}", fitted(sites, target, tight=tight))
    new = new.replace(b"\0", fitted(sites, other, tight=tight))
    return b"(" + new + b")" if tight and target.tight else new


def _siblings(text: str) -> list[str]:
    return [word for group in _SIBLINGS if text in group for word in group if word != text]


def short(text: bytes) -> str:
    """Returns a text fit for one line of a summary."""
    line = " ".join(text.decode("utf-8", "replace").split())
    return line if len(line) <= 40 else line[:37] + "..."
