"""From an evaluator module to an answer."""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from .utils.metrics_utils import fitness, number

Answer: TypeAlias = dict[str, Any]  # Any: JSON
Stage: TypeAlias = Callable[[str], Any]  # Any: whatever the evaluator returns

_STAGES = ("evaluate_stage1", "evaluate_stage2", "evaluate_stage3")
_SCORE = "combined_score"
_MOST = 70_000
"""Characters of one text that go outside, where it is cut to less and the cut is marked."""


class _UnusableError(ValueError):
    """An evaluator's answer is not of the agreed shape."""


@dataclass(slots=True)
class Reached:
    """What a candidate has reached over the stages so far; later stages replace what earlier ones said."""

    metrics: dict[str, Any] = field(default_factory=dict)
    artifacts: dict[str, str] = field(default_factory=dict)

    def add(self, answer: object) -> None:
        """Takes in what a stage returned: a dict of metrics, or an object with metrics and artifacts.

        Raises:
            _UnusableError: it is neither.
        """
        # By attribute: evaluators bring classes of their own for the case that ours cannot be imported.
        metrics = answer if isinstance(answer, Mapping) else getattr(answer, "metrics", None)
        artifacts = {} if isinstance(answer, Mapping) else getattr(answer, "artifacts", None) or {}
        if not isinstance(metrics, Mapping) or not isinstance(artifacts, Mapping):
            raise _UnusableError(
                f"returned a {type(answer).__name__}; a dict or an EvaluationResult was expected"
            )
        self.metrics.update({str(name): value for name, value in metrics.items()})
        self.artifacts.update({str(name): _text(value) for name, value in artifacts.items()})

    @property
    def refused(self) -> str:
        """What the evaluator says against the candidate: a text under ``error``; empty if nothing."""
        said = self.metrics.get("error")
        return said if isinstance(said, str) else ""


def evaluate(script: Path, program: Path, settings: Answer) -> Answer:
    """Has an evaluator module judge a candidate, stage by stage where it has stages.

    Args:
        script: the module.
        program: the candidate.
        settings: ``thresholds`` between stages (none: no cascade); ``stopped``, whether a candidate that
            stops at one ``fails`` or ``scores``; ``features``, metrics that are no part of a mean;
            ``arguments``, by keyword, of ``evaluate``.

    Returns:
        ``score``, ``public``, ``artifacts``, ``extra``; or ``failure``, its kind, with ``message`` and
        ``feedback``.

    Raises:
        BaseException: whatever the evaluator raises.
    """
    module = _load(script)
    cascade = settings["thresholds"] if _STAGES[0] in vars(module) else []
    whole: Stage = partial(module.evaluate, **settings["arguments"])
    stages = _stages(module) if cascade else [("evaluate", whole)]
    reached = Reached()
    try:
        for place, (name, stage) in enumerate(stages, start=1):
            reached.add(_call(stage, program))
            if reached.refused:
                return _failure("invalid", f"{name} says that the candidate failed", reached)
            score = _score(reached, name, settings["features"])
            if place < len(stages) and place <= len(cascade):
                measured = _measured(reached)
                if not measured >= cascade[place - 1]:
                    return _stopped(place, score, measured, cascade[place - 1], reached, settings["stopped"])
    except _UnusableError as error:
        return _failure("malformed", f"{script.name}: {error}", reached)
    return _answer(score, reached)


def _load(script: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("evaluation_module", script)
    if spec is None or spec.loader is None:
        raise ImportError(f"{script.name} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules["evaluation_module"] = module  # functions that are sent to worker processes are found by it
    spec.loader.exec_module(module)
    return module


def _stages(module: ModuleType) -> list[tuple[str, Stage]]:
    """Returns the stages up to the first that is not there."""

    def there() -> Iterator[tuple[str, Stage]]:
        for name in _STAGES:
            if name not in vars(module):
                return
            yield name, vars(module)[name]

    return list(there())


def _call(stage: Stage, program: Path) -> object:
    answer = stage(str(program))

    async def awaited() -> object:
        return await answer

    return asyncio.run(awaited()) if inspect.isawaitable(answer) else answer


def _score(reached: Reached, name: str, features: list[str]) -> float:
    score = fitness(reached.metrics, features)
    if score is None:
        known = ", ".join(sorted(reached.metrics)) or "nothing"
        raise _UnusableError(f"{name} returned no {_SCORE} and no other number; it returned {known}")
    return score


def _measured(reached: Reached) -> float:
    """Returns what a threshold is compared with: the combined score, or the mean of all numbers."""
    return fitness(reached.metrics, ("error",)) or 0.0


def _stopped(
    stage: int, score: float, measured: float, threshold: float, reached: Reached, stopped: str
) -> Answer:
    said = f"stopped after stage {stage}: the score is {measured:.6g} and must be at least {threshold:.6g}"
    if stopped == "scores":
        return {**_answer(score, reached), "feedback": said}
    return _failure("below_threshold", said, reached)


def _answer(score: float, reached: Reached) -> Answer:
    scalars = {name: _scalar(value) for name, value in reached.metrics.items() if name != _SCORE}
    public = {name: value for name, value in scalars.items() if value is not None}
    lost = sorted(set(reached.metrics) - set(public) - {_SCORE})
    extra = {"metrics_left_out": lost} if lost else {}
    return {"score": score, "public": public, "artifacts": reached.artifacts, "extra": extra}


def _scalar(value: object) -> bool | int | float | str | None:
    """Returns a metric that is one value, and None for any other."""
    if isinstance(value, str):
        return value[:_MOST]
    return value if isinstance(value, bool | int) else number(value)


def _failure(kind: str, message: str, reached: Reached) -> Answer:
    said = [reached.refused, *(f"{name}:\n{text}" for name, text in reached.artifacts.items())]
    return {"failure": kind, "message": message, "feedback": "\n".join(filter(None, said))}


def _text(artifact: object) -> str:
    return (
        artifact[:_MOST].decode("utf-8", "replace") if isinstance(artifact, bytes) else str(artifact)[:_MOST]
    )
