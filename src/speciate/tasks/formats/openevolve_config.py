"""What of an OpenEvolve config.yaml holds here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from speciate.errors import TaskError
from speciate.records import Json
from speciate.tasks.formats.foreign import Wishes
from speciate.tasks.formats.settings_file import (
    FLAG,
    LIST,
    NUMBER,
    TABLE,
    TEXT,
    WHOLE,
    Rule,
    Taken,
    Values,
    read_yaml,
    take,
)
from speciate.tasks.languages import LANGUAGES, language_of

FILES = ("config.yaml", "config.yml")
THRESHOLDS = (0.5, 0.75, 0.9)
"""Of a cascade without any; OpenEvolve's own."""

_STAGES = 3


def _patches(_: Any, values: Values) -> Json:
    """Returns weights of the operators: diffs, or full rewrites, or the share of these that is named."""
    diffs = bool(values.get("diff_based_evolution", True))
    full = float(values.get("full_rewrite_probability", 0.0 if diffs else 1.0)) if diffs else 1.0
    return {"diff": 1.0 - full, "full": full, "crossover": 0.0}


def _places(size: int, values: Values) -> Json:
    return max(1, size // _islands(values))


def _interval(generations: int, values: Values) -> Json:
    """Returns candidates: a generation there is one candidate on each island."""
    return max(1, generations * _islands(values))


def _islands(values: Values) -> int:
    named = values.get("database.num_islands")
    return max(1, named) if isinstance(named, int) else 5  # OpenEvolve's own default


RULES = {
    "max_iterations": Rule(WHOLE, "budget.candidates"),
    "random_seed": Rule(WHOLE, "seed"),
    "diff_based_evolution": Rule(FLAG, "mutation.model", _patches),
    "full_rewrite_probability": Rule(NUMBER, "mutation.model", _patches),
    "target_score": Rule(NUMBER, "success", task=True),
    "language": Rule(TEXT, "language", task=True),
    "file_suffix": Rule(TEXT, "suffix", task=True),
    "llm.temperature": Rule(NUMBER, "sampling.temperatures", lambda value, _: [value]),
    "llm.max_tokens": Rule(WHOLE, "sampling.max_tokens"),
    "llm.timeout": Rule(NUMBER, "llm.timeout"),
    "llm.retries": Rule(WHOLE, "llm.retry.attempts", lambda value, _: value + 1),
    "llm.retry_delay": Rule(NUMBER, "llm.retry.first_wait"),
    "prompt.system_message": Rule(TEXT, "description", task=True),
    "prompt.num_top_programs": Rule(WHOLE, "inspirations.top"),
    "prompt.num_diverse_programs": Rule(WHOLE, "inspirations.random"),
    "prompt.max_artifact_bytes": Rule(
        WHOLE, "prompts.artifact_chars", lambda value, values: _shown(value, values)
    ),
    "prompt.include_artifacts": Rule(
        FLAG, "prompts.artifact_chars", lambda _, values: _shown(20_480, values)
    ),
    "database.num_islands": Rule(WHOLE, "population.islands"),
    "database.archive_size": Rule(WHOLE, "population.archive.size", _places),
    "database.migration_interval": Rule(WHOLE, "population.migration_interval", _interval),
    "database.migration_rate": Rule(NUMBER, "population.migration_fraction"),
    "database.feature_dimensions": Rule(LIST, "feature_dimensions", lambda value, _: list(value), task=True),
    "evaluator.timeout": Rule(NUMBER, "seconds", task=True),
    "evaluator.cascade_evaluation": Rule(FLAG, "cascade", task=True),
    "evaluator.cascade_thresholds": Rule(LIST, "thresholds", lambda value, _: list(value), task=True),
    "evaluator.evaluator_args": Rule(TABLE, "evaluator_args", task=True),
    "evaluator.parallel_evaluations": Rule(WHOLE, "evaluation.slots"),
}

REASONS = {
    "llm": "name models with --model",
    "log_level": "see --quiet",
    "log_dir": "runs write no logs",
    "checkpoint_interval": "every step is stored at once",
    "early_stopping_patience": "runs stop by budget or success",
    "convergence_threshold": "runs stop by budget or success",
    "early_stopping_metric": "runs stop by budget or success",
    "enforce_evolve_blocks": "text outside the markers never changes",
    "prompt": "prompts are ours; see `prompts/` in the documentation of tasks",
    "database": "selection and archives are ours; see `speciate settings`",
    "database.feature_bins": "cells need fixed ranges: descriptors in a task.toml",
    "evaluator.max_retries": "an evaluation that failed fails again",
    "evaluator.use_llm_feedback": "no model judges here",
    "evaluator.llm_feedback_weight": "no model judges here",
    "evaluator.enable_artifacts": "artifacts are always kept",
    "evolution_trace": "the store holds all of it",
}


def _shown(characters: int, values: Values) -> Json:
    shown = values.get("prompt.include_artifacts", True)
    return int(values.get("prompt.max_artifact_bytes", characters)) if shown else 0


def read(folder: Path, *, staged: bool) -> Wishes:
    """Reads the config of a folder, if there is one.

    Args:
        folder: the task's folder.
        staged: whether its evaluator has stages.

    Raises:
        TaskError: it cannot be read, or a value that is used does not fit.
    """
    path = next((folder / name for name in FILES if (folder / name).is_file()), None)
    taken = take(read_yaml(path), RULES, REASONS, path) if path else Taken()
    where = path or folder
    task = taken.task
    thresholds = _thresholds(task, where) if staged and task.get("cascade", True) else ()
    remarks = [*taken.remarks(where.name)]
    if others := sorted({file.name for file in folder.glob("*.y*ml")} - {where.name}):
        remarks.append(f"not read: {', '.join(others)}")
    if thresholds:
        shown = ", ".join(f"{threshold:g}" for threshold in thresholds)
        remarks.append(
            f"evaluate_stage1 and the stages after it are a cascade with thresholds {shown}; a candidate "
            "that stops keeps the score it has, as in OpenEvolve; with --set task.parameters.stopped=fails "
            "it fails"
        )
    return Wishes(
        description=str(task.get("description", "")),
        seconds=_number(task.get("seconds")),
        language=_language(task),
        success=_number(task.get("success")),
        thresholds=thresholds,
        features=tuple(str(name) for name in _list(task.get("feature_dimensions"))),
        arguments=_table(task.get("evaluator_args")),
        defaults=taken.settings,
        remarks=tuple(remarks),
    )


def _thresholds(task: dict[str, Json], where: Path) -> tuple[float, ...]:
    """Returns the thresholds between the stages; what there is beyond them is never compared with."""
    given = _list(task["thresholds"]) if "thresholds" in task else THRESHOLDS
    found = [_number(value) for value in given]
    if None in found:
        raise TaskError(f"{where}: evaluator.cascade_thresholds should be numbers, not {given!r:.60}")
    return tuple(value for value in found if value is not None)[: _STAGES - 1]


def _number(value: Json) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _table(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> Sequence[Json]:
    return value if isinstance(value, list) else ()


def _language(task: dict[str, Json]) -> str | None:
    """Returns the language a config names, if it is one that has a name here; else the suffix decides."""
    named, suffix = str(task.get("language", "")).lower(), str(task.get("suffix", ""))
    known = {name for one in LANGUAGES for name in (one.name, *one.aliases)}
    if named in known:
        return named
    by_suffix = language_of(f"program{suffix}") if suffix else None
    return by_suffix.name if by_suffix else None
