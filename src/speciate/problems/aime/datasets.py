"""Problems from a public data set by name, kept as a file of JSON lines on this machine."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path

from speciate.errors import MissingExtraError, TaskError
from speciate.files import write_whole
from speciate.problems.aime.problems import problem_of
from speciate.records import text_hash

PREFIX = "dataset:"
"""Begins a value of the parameter ``problems``: ``dataset:OWNER/NAME[@SPLIT][?YEAR]``."""


def fetched(spec: str) -> Path:
    """Returns the file with a data set's problems; it is fetched when it is not there yet.

    Args:
        spec: ``dataset:OWNER/NAME``, perhaps with ``@SPLIT`` (``train`` if none is named) and ``?YEAR`` for
            sets without a column ``year``.

    Raises:
        MissingExtraError: the package ``datasets`` is not installed.
        TaskError: the set cannot be fetched or holds no problems.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "speciate" / "aime"
    path = cache / f"{text_hash(spec)[:16]}.jsonl"
    if not path.exists():
        name, _, year = spec.removeprefix(PREFIX).partition("?")
        name, _, split = name.partition("@")
        lines = as_lines(_rows(name, split or "train"), year=year)
        cache.mkdir(parents=True, exist_ok=True)
        write_whole(path, lines)
    return path


def as_lines(rows: Iterable[Mapping[str, object]], *, year: str) -> str:
    """Returns rows of a data set as JSON lines.

    Args:
        rows: each with ``problem`` (or ``question``), ``answer`` and perhaps ``year``, capitals or not.
        year: the year of all rows; empty takes each row's own.

    Raises:
        TaskError: a row is no problem.
    """
    found = []
    for number, row in enumerate(rows, 1):
        small = {key.lower(): value for key, value in row.items()}
        text = small.get("problem", small.get("question"))
        given = {"problem": text, "answer": small.get("answer"), "year": year or small.get("year")}
        try:
            problem = asdict(problem_of(given, number=number))
        except TaskError as error:
            raise TaskError(f"row {number} of the data set: {error}") from None
        found.append(json.dumps({"problem": problem.pop("text"), **problem}, ensure_ascii=False))
    return "".join(f"{line}\n" for line in found)


def _rows(name: str, split: str) -> Iterable[Mapping[str, object]]:
    try:
        from datasets import load_dataset
    except ImportError as error:
        raise MissingExtraError("problems from a data set", "datasets") from error
    try:
        rows: Iterable[Mapping[str, object]] = load_dataset(name, split=split)
    except Exception as error:  # the edge of another package, which raises anything
        raise TaskError(f"the data set {name!r}, split {split!r}, cannot be fetched: {error}") from error
    return rows
