"""What the ways of asking a model for a program have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from speciate.mutation.prompts import load_phrasing, prompt_for
from speciate.patches import PatchFailure
from speciate.records import Program
from speciate.tasks import Task

Apply: TypeAlias = Callable[[Program, str, Task], Program | PatchFailure]
"""Reads a reply and carries out what it says on a program."""

BARE = "the program's text alone: no other word before or after it, and no fence around it"
"""The words for an answer to which a grammar holds the model."""


@dataclass(frozen=True, slots=True)
class ModelOperator:
    """One way of asking a model for a new program.

    Attributes:
        name: the operator's name, of its prompt file, and key of the task's notes.
        apply: reads the reply.
        answer: says in a few words, as the object of "give", what the answer must hold.
        whole: whether the answer holds the program as a whole, so that a task's grammar fits it.
        partner: whether it needs a second parent.
        fresh: whether it makes a program from nothing; it is then carried out on the initial program, whose
            immutable text it keeps.
        rules: further rules of its form of answer, one line each.
    """

    name: str
    apply: Apply
    answer: Callable[[Task], str]
    whole: bool = True
    partner: bool = False
    fresh: bool = False
    rules: Callable[[Task], list[str]] = lambda task: []

    def form(self, task: Task, *, bare: bool) -> str:
        """Returns what the answer must hold; `bare` if a grammar holds the model to the text alone."""
        return BARE if bare and self.whole else self.answer(task)

    def instruction(
        self, task: Task, *, variant: str = "", bare: bool = False, phrasing: str = "default"
    ) -> str:
        """Returns the last part of a prompt: what to answer, its form, and the task's notes.

        Args:
            task: the task.
            variant: the variant of prompts to use, or an empty string.
            bare: whether a grammar holds the model to the program's text alone.
            phrasing: which of the operator's phrasings to use.

        Raises:
            ConfigError: there is no such phrasing.
        """
        if phrasing == "default":
            prompt = prompt_for(task, self.name, variant)
        else:
            prompt = load_phrasing(self.name, phrasing)
        rules = [f"- {rule}" for rule in (*task_rules(task, fresh=self.fresh), *self.rules(task))]
        text = prompt.render({"rules": "\n".join(rules), "answer": self.form(task, bare=bare)})
        notes = [task.spec.notes[key].strip() for key in ("all", self.name) if task.spec.notes.get(key)]
        return "\n\n".join(["# Notes", *notes, text] if notes else [text]) + "\n"


def task_rules(task: Task, *, fresh: bool = False) -> list[str]:
    """Returns what every answer must keep to, one sentence or two each; `fresh` if no program is shown."""
    rules = (
        ["The result must be a complete program."]
        if fresh
        else ["The result must be a complete program that differs from the current one in what it does."]
    )
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
