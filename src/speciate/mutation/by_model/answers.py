"""From a reply's text to a program."""

from __future__ import annotations

from dataclasses import dataclass

from speciate.mutation.by_model.operator import ModelOperator
from speciate.mutation.by_model.replies import summary_of
from speciate.mutation.display import fenced
from speciate.patches import PatchFailure, checked
from speciate.records import Program
from speciate.tasks import ReadReply, Task

_NOTES_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Answer:
    """What a reply came to.

    Attributes:
        program: the new program.
        summary: one line on it, what was mended included; empty when nothing is known.
    """

    program: Program
    summary: str


def read_answer(
    operator: ModelOperator, program: Program, text: str, task: Task, *, bare: bool
) -> Answer | PatchFailure:
    """Reads a reply.

    Args:
        operator: how the model was asked.
        program: the program that it is carried out on.
        text: the reply.
        task: the task.
        bare: whether a grammar held the model to the text of a whole program.
    """
    if operator.whole and task.read_reply is not None:
        return _read_by_task(task.read_reply, program, text, task)
    made = operator.apply(program, "".join(fenced(text)) if bare and operator.whole else text, task)
    return made if isinstance(made, PatchFailure) else Answer(made, summary_of(text))


def _read_by_task(read: ReadReply, program: Program, text: str, task: Task) -> Answer | PatchFailure:
    try:
        reading = read(text)
    except ValueError as error:
        return PatchFailure("malformed", str(error))
    made = checked(program, program.replace(program.entry, reading.text), task)
    if isinstance(made, PatchFailure):
        return made
    mended = f"[mended: {' '.join(reading.notes)[:_NOTES_CHARACTERS]}]" if reading.notes else ""
    return Answer(made, f"{mended} {reading.summary or summary_of(text)}".strip())
