"""Turns a pydantic error into sentences that say what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, get_args

from pydantic import BaseModel, ValidationError

from speciate.errors import nearest

Place: TypeAlias = tuple[int | str, ...]

_SHOWN = 60
"""How much of a wrong value is shown, in characters."""


def explain(error: ValidationError, model: type[BaseModel], where: str) -> str:
    """Returns one clear sentence a problem, with dotted keys and the nearest known key.

    Args:
        error: what validating `model` raised.
        model: the model that was validated.
        where: where the values came from, for example a file name; starts the message.
    """
    sentences = list(dict.fromkeys(_sentence(tuple(one["loc"]), one, model) for one in _found(error)))
    if len(sentences) == 1:
        return f"{where}: {sentences[0]}"
    return f"{where} has {len(sentences)} problems:" + "".join(f"\n  - {sentence}" for sentence in sentences)


def _found(error: ValidationError) -> Sequence[Mapping[str, Any]]:
    # Any: pydantic's own description of an error holds the user's input as it came.
    return error.errors(include_url=False, include_context=True)


def _sentence(place: Place, one: Mapping[str, Any], model: type[BaseModel]) -> str:
    key = dotted(place)
    if one["type"] == "extra_forbidden":
        known = _known(model, place[:-1])
        listed = f" (known: {', '.join(sorted(known))})" if known else ""
        return f"unknown key {key!r}{nearest(str(place[-1]), known)}{listed}"
    if one["type"] == "missing":
        return f"{key!r} is missing"
    reason = str(one["msg"])
    if one["type"] in ("value_error", "assertion_error"):
        said = reason.partition(", ")[2] or reason
        return f"{key!r}: {said}" if key else said
    subject, should, wanted = reason.partition(" should ")
    if not should:  # a sentence of another shape
        return f"{key!r}: {reason}, not {_shown(one['input'])}"
    if subject == "Input":
        wanted = "be " + wanted.removeprefix("be ").removeprefix("a valid ")
    return f"{key!r} should {wanted.partition(' after validation')[0]}, not {_shown(one['input'])}"


def dotted(place: Place) -> str:
    """Returns a place as one key: ``("descriptors", 0, "edges")`` is ``descriptors.0.edges``."""
    return ".".join(str(part) for part in place)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _known(model: type[BaseModel], place: Place) -> tuple[str, ...]:
    """Returns the keys a model knows at a place, or an empty tuple where it is no model."""
    models = [model]
    for part in place:
        if isinstance(part, int):
            continue  # an item of a list: the annotation has been looked through already
        models = [
            inner
            for one in models
            if part in one.model_fields
            for inner in _models(one.model_fields[part].annotation)
        ]
    return tuple(dict.fromkeys(key for one in models for key in one.model_fields))


def _models(annotation: object) -> Iterator[type[BaseModel]]:
    """Yields the models inside an annotation: itself, members of a union, items of a list or mapping."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    else:
        for inner in get_args(annotation):
            yield from _models(inner)
