"""Bounded, JSON-safe forms of whatever a task's own code or a candidate hands over."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Final

import numpy as np

from speciate.records import Json, Scalar

FEEDBACK_BYTES: Final = 4 * 1024
ARTIFACT_BYTES: Final = 64 * 1024
EXTRA_BYTES: Final = 64 * 1024
METRIC_TEXT_BYTES: Final = 1024
METRICS: Final = 200
ARTIFACTS: Final = 32
DEPTH: Final = 64
CUT: Final = "[cut]"
"""Key under which a shortened mapping says how much is missing."""


class AnswerError(ValueError):
    """An answer is not of the agreed shape. The caller knows whom to blame and translates it."""


def text(value: object, limit: int, what: str) -> str:
    """Returns `value` as UTF-8-safe text of at most about `limit` bytes; a cut is marked at its end.

    NUL characters and lone surrogates, which databases refuse, become U+FFFD.

    Raises:
        AnswerError: `value` is not a string; the message calls it `what`.
    """
    if not isinstance(value, str):
        raise AnswerError(f"{what} is {kind(value)}; expected a string")
    # A character has at most four bytes: what lies further right is cut anyway, so it need not be encoded.
    raw = value[: limit + 1].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    data = raw.replace("\x00", "\ufffd").encode()
    if len(data) <= limit and len(value) <= limit:
        return data.decode()
    kept = data[:limit].decode("utf-8", "ignore")
    return f"{kept}\n[cut: {len(value):,} characters, {len(kept):,} kept]"


def number(value: object, what: str) -> float:
    """Returns a Python float for any real number, numpy's too; may be infinite or NaN.

    Raises:
        AnswerError: `value` is not a real number; a bool is none.
    """
    plain = _plain(value)
    if isinstance(plain, bool) or not isinstance(plain, int | float):
        raise AnswerError(f"{what} is {kind(value)}; expected a number")
    return _float(plain)


def flag(value: object, what: str) -> bool:
    """Returns a Python bool; raises AnswerError for anything but a bool, numpy's included."""
    plain = _plain(value)
    if not isinstance(plain, bool):
        raise AnswerError(f"{what} is {kind(value)}; expected true or false")
    return plain


def scalar(value: object, what: str) -> Scalar:
    """Returns one metric: a bool, a finite number, or text (``"nan"``, ``"inf"``, ``"-inf"`` for the rest).

    Raises:
        AnswerError: `value` is neither a number nor a bool nor a string.
    """
    plain = measured(value, what)
    return finite(plain) if isinstance(plain, float) else plain


def measured(value: object, what: str) -> Scalar:
    """Returns a bool, a 64-bit int, a float (may be infinite or NaN) or bounded text.

    Raises:
        AnswerError: `value` is neither a number nor a bool nor a string.
    """
    plain = _plain(value)
    if isinstance(plain, bool):
        return plain
    if isinstance(plain, int | float):
        return plain if isinstance(plain, int) and abs(plain) < 2**63 else _float(plain)
    if isinstance(plain, str):
        return text(plain, METRIC_TEXT_BYTES, what)
    raise AnswerError(f"{what} is {kind(value)}; a metric is a number, true or false, or a string")


def finite(value: float) -> float | str:
    """Returns a finite number as it is, and the name of any other, since JSON has no word for those."""
    return value if math.isfinite(value) else str(value)


def metrics(value: object, what: str) -> dict[str, Scalar]:
    """Returns at most `METRICS` named scalars; a cut is counted under the key `CUT`.

    Raises:
        AnswerError: not a mapping of strings to scalars.
    """
    given = mapping(value, what)
    kept = {_key(name, what): scalar(given[name], f"{what}[{name!r}]") for name in _first(given, METRICS)}
    if len(given) > METRICS:
        kept[CUT] = f"{len(given) - METRICS} more"
    return kept


def artifacts(value: object) -> dict[str, str]:
    """Returns at most `ARTIFACTS` texts of `ARTIFACT_BYTES` each; raises AnswerError for other shapes."""
    given = mapping(value, "artifacts")
    kept = {
        _key(name, "artifacts"): text(given[name], ARTIFACT_BYTES, f"artifacts[{name!r}]")
        for name in _first(given, ARTIFACTS)
    }
    if len(given) > ARTIFACTS:
        kept[CUT] = f"{len(given) - ARTIFACTS} more"
    return kept


def extra(value: object) -> dict[str, Json]:
    """Returns a JSON object of at most `EXTRA_BYTES`, or one that says how large it was.

    Raises:
        AnswerError: not a mapping, or it holds what JSON cannot say.
    """
    given = mapping(value, "extra")
    tree = {_key(name, "extra"): json_tree(item, f"extra[{name!r}]") for name, item in given.items()}
    size = len(json.dumps(tree))
    return tree if size <= EXTRA_BYTES else {CUT: f"{size:,} bytes; at most {EXTRA_BYTES:,} are kept"}


def json_tree(value: object, what: str, depth: int = 0) -> Json:
    """Returns `value` as JSON; arrays become lists, NaN and infinities their names.

    Raises:
        AnswerError: nested deeper than `DEPTH`, or it holds what JSON cannot say.
    """
    if depth > DEPTH:
        raise AnswerError(f"{what} is nested deeper than {DEPTH} levels")
    plain = value.tolist() if isinstance(value, np.ndarray) else value
    if plain is None:
        return None
    if isinstance(plain, Mapping):
        return {_key(name, what): json_tree(item, what, depth + 1) for name, item in plain.items()}
    if isinstance(plain, list | tuple):
        return [json_tree(item, what, depth + 1) for item in plain]
    if isinstance(plain, str):
        return text(plain, EXTRA_BYTES, what)
    return scalar(plain, what)


def mapping(value: object, what: str) -> Mapping[object, object]:
    """Returns `value` if it is a mapping; raises AnswerError otherwise."""
    if not isinstance(value, Mapping):
        raise AnswerError(f"{what} is {kind(value)}; expected a dict")
    return value


def kind(value: object) -> str:
    """Returns the type of `value` in words for a message: ``None`` or ``a list``."""
    return "None" if value is None else f"a {type(value).__name__}"


def _plain(value: object) -> object:
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return value.item()
    return value


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:  # an int beyond the range of a double
        return math.inf if value > 0 else -math.inf


def _first(given: Mapping[object, object], count: int) -> list[object]:
    return [name for name, _ in zip(given, range(count), strict=False)]


def _key(name: object, what: str) -> str:
    if not isinstance(name, str):
        raise AnswerError(f"{what} has the key {name!r}; expected strings")
    return text(name, 200, f"a key of {what}")
