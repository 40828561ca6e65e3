"""What the ways of asking a model for a program have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from speciate.mutation.prompts import load_prompt
from speciate.patches import PatchFailure
from speciate.records import Program
from speciate.tasks import Task

Apply: TypeAlias = Callable[[Program, str, Task], Program | PatchFailure]
"""Reads a reply and carries out what it says on a program."""


@dataclass(frozen=True, slots=True)
class ModelOperator:
    """One way of asking a model for a new program.

    Attributes:
        name: the operator's name, of its prompt file, and key of the task's notes.
        apply: reads the reply.
        answer: says in a few words, as the object of "give", what the answer must hold.
        partner: whether it needs a second parent.
        rules: further rules of its form of answer, one line each.
    """

    name: str
    apply: Apply
    answer: Callable[[Task], str]
    partner: bool = False
    rules: Callable[[Task], list[str]] = lambda task: []

    def instruction(self, task: Task) -> str:
        """Returns the last part of a prompt: what to answer, its form, and the task's notes."""
        prompt = load_prompt(self.name)
        rules = [f"- {rule}" for rule in (*task_rules(task), *self.rules(task))]
        text = prompt.render({"rules": "\n".join(rules), "answer": self.answer(task)})
        notes = [task.spec.notes[key].strip() for key in ("all", self.name) if task.spec.notes.get(key)]
        return "\n\n".join(["# Notes", *notes, text] if notes else [text]) + "\n"


def task_rules(task: Task) -> list[str]:
    """Returns what every answer must keep to, one sentence or two each."""
    rules = ["The result must be a complete program that differs from the current one in what it does."]
    if task.spec.program.mutable == "regions":
        rules.append(
            "Only what lies between a line EVOLVE-BLOCK-START and its EVOLVE-BLOCK-END may change. All other "
            "text, these lines included, must stay exactly as it is."
        )
    if task.spec.imports_allowed is not None:
        allowed = ", ".join(task.spec.imports_allowed) or "nothing"
        rules.append(f"It may import these modules and no others: {allowed}.")
    return rules


def whole_program(task: Task) -> str:
    """Returns the words for an answer that holds the program as a whole."""
    language, names = task.spec.language, task.spec.program.files
    if len(names) == 1:
        return f"the whole file in one fenced code block that begins with ```{language}"
    return (
        f"every file you change, whole, in a fenced code block of its own that begins with ```{language}, "
        f"under a line `file: NAME` (the files are {', '.join(names)})"
    )
