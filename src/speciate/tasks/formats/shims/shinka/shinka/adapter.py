"""From an evaluation script that writes files to an answer."""

from __future__ import annotations

import json
import math
import os
import runpy
import sys
from pathlib import Path
from typing import Any, TypeAlias

from .core.notes import NOTES
from .core.plain import json_plain

Answer: TypeAlias = dict[str, Any]  # Any: JSON

_PARTS = ("combined_score", "public", "private", "text_feedback", "extra_data")
_TIMES = ("execution_time_mean", "execution_time_std")
_TEXTS = (".txt", ".md", ".csv")
_FILE_BYTES = 4 << 20
_MOST = 70_000
"""Characters of one text that go outside, where it is cut to less and the cut is marked."""
_EXTRA_BYTES = 1 << 20


class _UnusableError(ValueError):
    """A file of the contract is missing or is not what it has to be."""


def evaluate(script: Path, program: Path, settings: Answer) -> Answer:
    """Runs an evaluation script on a candidate, as a program of its own would run.

    Args:
        script: takes ``--program_path`` and ``--results_dir``.
        program: the candidate.
        settings: none of them matters here.

    Returns:
        ``score``, ``public``, ``private``, ``feedback``, ``extra``, ``artifacts``; or ``failure``, its kind,
        with ``message`` and ``feedback``.

    Raises:
        BaseException: whatever ended the script before it had written its files; and whatever ended the
            evaluation inside `run_shinka_eval`, which says more than the files do.
    """
    results = Path(os.environ["TMPDIR"]) / "results"
    results.mkdir()
    left = _run(script, "--program_path", str(program), "--results_dir", str(results))
    if left is not None and not (results / "correct.json").exists():
        raise left
    try:
        return _answer(results)
    except _UnusableError as error:
        return {"failure": "malformed", "message": f"{script.name}: {error}"}


def _run(script: Path, *arguments: str) -> SystemExit | None:
    """Runs a script as the main program and returns how it left, or None if it came to its end."""
    sys.argv = [str(script), *arguments]
    try:
        runpy.run_path(str(script), run_name="__main__")
    except SystemExit as left:
        return left
    return None


def _answer(results: Path) -> Answer:
    correctness = _object(results / "correct.json")
    correct, error = correctness.get("correct"), correctness.get("error")
    if not isinstance(correct, bool):
        raise _UnusableError(f"correct.json says correct: {correct!r}; it takes true or false")
    if not correct and NOTES.raised is not None:
        raise NOTES.raised
    if not correct and not (results / "metrics.json").exists():
        return _refused(error, "")
    metrics = _object(results / "metrics.json")
    score = metrics.get("combined_score")
    feedback = _text(metrics.get("text_feedback"))[:_MOST]
    infinite = isinstance(score, float) and not math.isfinite(score)
    if not correct and not infinite:
        return _refused(error, feedback)
    if score is None:
        raise _UnusableError(
            f"metrics.json has no combined_score; it has {', '.join(sorted(metrics)) or 'nothing'}"
        )
    return {
        "score": score,
        "public": _scalars(metrics.get("public")),
        "private": _scalars(metrics.get("private")),
        "feedback": feedback,
        "extra": _extra(metrics),
        "artifacts": _texts(results),
    }


def _refused(error: object, feedback: str) -> Answer:
    why = _text(error) or "the script does not say why"
    return {
        "failure": "invalid",
        "message": "the script says that the candidate is not correct",
        "feedback": f"{why}\n{feedback}".strip(),
    }


def _object(path: Path) -> Answer:
    if not path.is_file():
        raise _UnusableError(f"wrote no {path.name}")
    if path.stat().st_size > _FILE_BYTES:
        raise _UnusableError(f"{path.name} has more than {_FILE_BYTES:,} bytes")
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise _UnusableError(f"{path.name} is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise _UnusableError(f"{path.name} holds no JSON object")
    return value


def _scalars(given: object) -> Answer:
    """Returns metrics as named scalars; null ones are left out, lists and objects become their JSON text."""
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise _UnusableError(f"public and private metrics are JSON objects, not {given!r:.60}")
    shown = {name: value for name, value in given.items() if value is not None}
    return {n: json.dumps(v) if isinstance(v, dict | list) else v for n, v in shown.items()}


def _extra(metrics: Answer) -> Answer:
    """Returns extra data and further keys, without times, which would make equal evaluations differ."""
    kept = {name: value for name, value in metrics.items() if name not in (*_PARTS, *_TIMES)}
    data = metrics.get("extra_data") if NOTES.extra is None else json_plain(NOTES.extra)
    full = kept if data is None else {**kept, "extra_data": data}
    size = len(json.dumps(full))
    return full if size <= _EXTRA_BYTES else {"left_out": f"{size:,} bytes"}


def _texts(results: Path) -> dict[str, str]:
    """Returns the small text files that the script wrote beside its two."""
    found = sorted(path for path in results.iterdir() if path.suffix in _TEXTS and path.is_file())
    return {path.name: path.read_text(encoding="utf-8", errors="replace")[:_MOST] for path in found[:8]}


def _text(value: object) -> str:
    """Returns feedback as text: a list line by line, anything else but text as JSON."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "\n".join(_text(line) for line in value)
    return value if isinstance(value, str) else json.dumps(value)
