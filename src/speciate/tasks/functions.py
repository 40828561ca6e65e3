"""Tasks made of Python objects instead of a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from speciate.records import Context, Direction, Json, Program
from speciate.tasks.check import check_spec
from speciate.tasks.definition import (
    DescriptorSpec,
    EvaluationSpec,
    ObjectiveSpec,
    ProgramSpec,
    Task,
    TaskSpec,
    TrustedScore,
)
from speciate.tasks.languages import language
from speciate.tasks.regions import Mutable, markers, program_segments


def task_from_functions(
    *,
    name: str,
    initial: str | Program,
    score: TrustedScore,
    objectives: Sequence[str | ObjectiveSpec] = ("score",),
    direction: Direction = "maximize",
    language_name: str = "python",
    mutable: Mutable | None = None,
    description: str = "",
    descriptors: Sequence[DescriptorSpec] = (),
    qd_offset: float = 0.0,
    success: float | None = None,
    stochastic: bool = False,
    parameters: Mapping[str, Json] | None = None,
    opponents: Sequence[Program] = (),
    seeds: Sequence[int] = (),
) -> Task:
    """Returns a task of kind ``trusted``: candidates are data, `score` judges them in this process.

    A candidate's source is never run by speciate here; if `score` runs it, nothing protects this process.

    Args:
        name: the task's name.
        initial: the initial program, or its text.
        score: takes a program and its context, returns a result; raises ValueError for an invalid one.
        objectives: names (all with `direction`) or full objectives; the first one decides `best`.
        direction: direction of the objectives given by name.
        language_name: a name known to `tasks.languages`.
        mutable: what may change; None means the regions if the text has markers, else the whole.
        description: the task message for prompts.
        descriptors: axes of behaviour space.
        qd_offset: offset of the QD-Score, in the first objective's own direction.
        success: value of the first objective at which a run may stop, or None.
        stochastic: whether equal programs may score differently.
        parameters: the task's parameters; they become the context's settings.
        opponents: opponents of epoch 0.
        seeds: seeds of the task's own randomness.

    Raises:
        TaskError: the parts contradict each other, or markers are malformed.
    """
    spoken = language(language_name)
    program = (
        initial if isinstance(initial, Program) else Program.of({f"initial{spoken.suffixes[0]}": initial})
    )
    marked = any(next(markers(text, spoken), None) for _, text in program.files)
    spec = TaskSpec(
        name=name,
        description=description,
        language=spoken.name,
        objectives=tuple(
            ObjectiveSpec(name=one, direction=direction) if isinstance(one, str) else one
            for one in objectives
        ),
        program=ProgramSpec(
            files=tuple(file for file, _ in program.files),
            mutable=mutable or ("regions" if marked else "whole"),
        ),
        evaluation=EvaluationSpec(kind="trusted", stochastic=stochastic),
        descriptors=tuple(descriptors),
        qd_offset=qd_offset,
        success=success,
        parameters=dict(parameters or {}),
    )
    check_spec(spec, f"task {name!r}")
    program_segments(program, spec)
    context = Context(opponents=tuple(opponents), settings=dict(parameters or {}), seeds=tuple(seeds))
    return Task(spec=spec, initial=program, trusted=score, context=context)
