"""What a task's definition must keep to beyond the types of its keys."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from speciate.errors import TaskError
from speciate.tasks.definition import DescriptorSpec, TaskSpec
from speciate.tasks.gateway import gateway_problems
from speciate.tasks.languages import language


def check_spec(spec: TaskSpec, where: str) -> None:
    """Checks a definition as far as that needs no file.

    Raises:
        TaskError: the definition contradicts itself; one sentence a problem, starting with `where`.
    """
    language(spec.language)
    problems = [*_names(spec), *_files(spec), *_evaluation(spec), *_numbers(spec), *gateway_problems(spec)]
    for descriptor in spec.descriptors:
        problems += _descriptor(descriptor)
    if len(problems) == 1:
        raise TaskError(f"{where}: {problems[0]}")
    if problems:
        raise TaskError(f"{where} has {len(problems)} problems:" + "".join(f"\n  - {p}" for p in problems))


def _twice(names: Sequence[str]) -> Iterator[str]:
    """Yields the names that occur more than once."""
    yield from (name for name in dict.fromkeys(names) if names.count(name) > 1)


def _names(spec: TaskSpec) -> Iterator[str]:
    if not spec.name.strip():
        yield "name is empty"
    for name in _twice([objective.name for objective in spec.objectives]):
        yield f"two objectives are called {name!r}"
    for name in _twice([descriptor.name for descriptor in spec.descriptors]):
        yield f"two descriptors are called {name!r}"


def _files(spec: TaskSpec) -> Iterator[str]:
    evaluation = spec.evaluation
    if not spec.program.files:
        yield "program.files is empty; name at least the entry file"
    for name in _twice(spec.program.files):
        yield f"program.files names {name!r} twice"
    own = {"split": {evaluation.run, evaluation.score}, "command": set()}.get(
        evaluation.kind, {evaluation.evaluate}
    )
    for name in sorted(own & set(spec.program.files)):
        yield f"{name!r} is part of the program and of its evaluation; evaluation files are never evolved"
    for name in sorted(set(spec.sandbox.files) & set(spec.program.files)):
        yield f"sandbox.files names {name!r}, which is part of the program already"
    if evaluation.kind == "split" and evaluation.score in spec.sandbox.files:
        yield f"sandbox.files names {evaluation.score!r}, which candidates must never see"
    if evaluation.kind == "split" and evaluation.run == evaluation.score:
        yield "evaluation.run and evaluation.score are the same file; one is inside the sandbox, one outside"


def _evaluation(spec: TaskSpec) -> Iterator[str]:
    evaluation = spec.evaluation
    if evaluation.kind == "command" and not evaluation.command:
        yield 'evaluation.command is missing; for example command = ["python3", "{program}"]'
    if evaluation.kind != "command" and evaluation.command:
        yield f'evaluation.command is for kind = "command", not for {evaluation.kind!r}'
    if evaluation.thresholds and evaluation.kind not in ("split", "openevolve"):
        yield (
            'evaluation.thresholds need stages, which only kind = "split" and kind = "openevolve" have, '
            f"not {evaluation.kind!r}"
        )
    if evaluation.stopped != "fails" and evaluation.kind != "openevolve":
        yield f'evaluation.stopped = "scores" is for kind = "openevolve", not for {evaluation.kind!r}'
    if spec.imports_allowed is not None and language(spec.language).name != "python":
        yield f"imports_allowed is for Python programs, not for {spec.language}"


def _numbers(spec: TaskSpec) -> Iterator[str]:
    if not math.isfinite(spec.qd_offset):
        yield f"qd_offset must be finite, not {spec.qd_offset}"
    if spec.success is not None and not math.isfinite(spec.success):
        yield f"success must be finite, not {spec.success}; leave it out to never stop early"
    for threshold in spec.evaluation.thresholds:
        if not math.isfinite(threshold):
            yield f"evaluation.thresholds must be finite, not {threshold}"
    for name in ("cpu_seconds", "wall_seconds", "output_mb", "score_seconds"):
        value: float = spec.limits.model_dump()[name]
        if not math.isfinite(value):
            yield f"limits.{name} must be finite, not {value}"


def _descriptor(axis: DescriptorSpec) -> Iterator[str]:
    name = f"descriptor {axis.name!r}"
    if (axis.edges is None) == (axis.range is None):
        yield f"{name} needs either edges or range, and not both"
    if axis.edges is not None:
        if "bins" in axis.model_fields_set:
            yield f"{name} has edges, which fix its bins; leave bins out"
        if not axis.edges or not all(map(math.isfinite, axis.edges)):
            yield f"{name} needs one or more finite edges"
        elif any(low >= high for low, high in pairwise(axis.edges)):
            yield f"{name} needs increasing edges, not {list(axis.edges)}"
    if axis.range is not None and not (all(map(math.isfinite, axis.range)) and axis.range[0] < axis.range[1]):
        yield f"{name} needs a finite range [low, high] with low < high, not {list(axis.range)}"
