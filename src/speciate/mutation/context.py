"""Assembles a prompt from an assignment, within a budget of tokens.

A prompt is a system message (rules of the game, then the task) and a user message: other programs, the second
parent of a crossover, the current program, advice, earlier attempts, and last what to answer. Where a program
is to be written from nothing, no program is shown, only the text around its regions if there is any.

What does not fit goes in this order: artifacts; inspirations, oldest first, down to one; feedback of
others, then of the current program; code of the last inspiration; that inspiration; advice; earlier
attempts. The task, the parents' code and the instruction always stay, even if they alone pass the budget.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from speciate.mutation.base import Assignment
from speciate.mutation.display import capped, direction, feedback, fenced, program_parts, standing
from speciate.mutation.phrasings import Phrasing, check_weights, one_phrasing
from speciate.mutation.prompts import prompt_for
from speciate.records import Entry, Message, Program, Rejected
from speciate.tasks import Task, program_segments, replace_mutable
from speciate.wordings import WordingsConfig

CHARACTERS_PER_TOKEN = 4
_UNSPOKEN = frozenset({"provider", "refused", "empty"})  # say nothing about the program


class ContextConfig(BaseModel):
    """How prompts are phrased, and bounds on them.

    Attributes:
        full: weight of each phrasing of full rewrites (`Phrasing`); one that is not named is never drawn.
        max_tokens: estimated tokens of a fresh prompt, at 4 characters a token.
        turn_tokens: estimated tokens of the failed turns that a conversation carries; the last always stays.
        feedback_chars: characters of one program's feedback.
        artifact_chars: characters of one program's artifacts together.
        advice_chars: characters of advice.
        earlier: how many earlier attempts are told of.
        evolve: wordings of the system prompt that change as the run goes on.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    full: Mapping[Phrasing, float] = Field(default_factory=one_phrasing)
    max_tokens: int = Field(default=32_000, ge=1)
    turn_tokens: int = Field(default=32_000, ge=1)
    feedback_chars: int = Field(default=4_000, ge=0)
    artifact_chars: int = Field(default=4_000, ge=0)
    advice_chars: int = Field(default=8_000, ge=0)
    earlier: int = Field(default=3, ge=0)
    evolve: WordingsConfig = WordingsConfig()

    @model_validator(mode="after")
    def _usable(self) -> Self:
        check_weights(self.full)
        return self


def estimated_tokens(messages: Sequence[Message]) -> int:
    """Returns a rough count of tokens: characters by 4, rounded up."""
    return -(-sum(len(part) for message in messages for part in message.parts) // CHARACTERS_PER_TOKEN)


@dataclass(frozen=True, slots=True)
class _Shown:
    """One program and how much of it is shown."""

    entry: Entry
    code: bool = True
    feedback: bool = True
    artifacts: bool = True


@dataclass(frozen=True, slots=True)
class _Layout:
    """What the user message holds. Without a current program it asks for one from nothing."""

    current: _Shown | None
    partner: _Shown | None
    inspirations: tuple[_Shown, ...]
    advice: str
    earlier: tuple[Rejected, ...]


def build_messages(
    assignment: Assignment,
    *,
    instruction: str,
    partner: bool,
    fresh: bool = False,
    variant: str = "",
    earlier: Sequence[Rejected],
    config: ContextConfig,
) -> tuple[Message, ...]:
    """Returns a fresh prompt: a system message and a user message.

    Args:
        assignment: what is to be done.
        instruction: what to answer and in which form; comes last.
        partner: whether the second parent is shown as such (without one it is left out).
        fresh: whether a program is asked for from nothing: no program is shown.
        variant: the variant of prompts to use, or an empty string.
        earlier: rejected attempts to tell of, oldest first.
        config: bounds.
    """
    task = assignment.task
    rules = assignment.wording or prompt_for(task, "system", variant).render({})
    system = Message("system", (rules + "\n\n", _task_message(task)))
    messages: tuple[Message, ...] = (system,)
    full = _full_layout(assignment, partner=partner, fresh=fresh, earlier=earlier, config=config)
    for layout in _layouts(full):
        parts = _user_parts(layout, task, config)
        messages = (system, Message("user", (*parts, instruction)))
        if estimated_tokens(messages) <= config.max_tokens:
            break
    return messages


def _full_layout(
    assignment: Assignment, *, partner: bool, fresh: bool, earlier: Sequence[Rejected], config: ContextConfig
) -> _Layout:
    second = assignment.parents[1] if partner and len(assignment.parents) > 1 else None
    inspirations = () if fresh else assignment.inspirations
    told = [rejection for rejection in earlier if rejection.reason not in _UNSPOKEN]
    return _Layout(
        current=None if fresh else _Shown(assignment.parents[0]),
        partner=_Shown(second) if second else None,
        inspirations=tuple(_Shown(entry) for entry in inspirations),
        advice=capped(assignment.notes, config.advice_chars),
        earlier=tuple(told[max(0, len(told) - config.earlier) :]),
    )


def _layouts(layout: _Layout) -> Iterator[_Layout]:
    """Yields the layout and then ever smaller ones, in the order that the module describes."""
    yield layout
    layout = _without_artifacts(layout)
    yield layout
    while len(layout.inspirations) > 1:
        oldest = min(layout.inspirations, key=lambda shown: shown.entry.ordinal)
        layout = replace(layout, inspirations=tuple(s for s in layout.inspirations if s is not oldest))
        yield layout
    layout = _without_feedback(layout)
    yield layout
    if layout.current:
        layout = replace(layout, current=replace(layout.current, feedback=False))
    yield layout
    layout = replace(layout, inspirations=tuple(replace(s, code=False) for s in layout.inspirations))
    yield layout
    layout = replace(layout, inspirations=())
    yield layout
    layout = replace(layout, advice="")
    yield layout
    yield replace(layout, earlier=())


def _without_artifacts(layout: _Layout) -> _Layout:
    return replace(
        layout,
        current=replace(layout.current, artifacts=False) if layout.current else None,
        partner=replace(layout.partner, artifacts=False) if layout.partner else None,
        inspirations=tuple(replace(shown, artifacts=False) for shown in layout.inspirations),
    )


def _without_feedback(layout: _Layout) -> _Layout:
    return replace(
        layout,
        partner=replace(layout.partner, feedback=False) if layout.partner else None,
        inspirations=tuple(replace(shown, feedback=False) for shown in layout.inspirations),
    )


def _task_message(task: Task) -> str:
    objectives = (f"- {o.name}: {direction(o.direction)}" for o in task.objectives)
    first = ["", "The first one decides which program is best."] if len(task.objectives) > 1 else []
    description = [task.spec.description.strip(), ""] if task.spec.description.strip() else []
    head = [f"# Task: {task.name}", "", *description, f"Language: {task.spec.language}", "", "Objectives:"]
    return "\n".join([*head, *objectives, *first]) + "\n"


def _user_parts(layout: _Layout, task: Task, config: ContextConfig) -> list[str]:
    parts: list[str] = []
    if layout.inspirations:
        parts.append("# Other programs of this search\n\n")
    for shown in layout.inspirations:
        parts += [f"## Program {shown.entry.ordinal}\n\n", *_shown_parts(shown, task, config)]
    if layout.partner:
        parts += ["# Second parent\n\n", *_shown_parts(layout.partner, task, config)]
    if layout.current:
        parts += ["# Current program\n\n", *_shown_parts(layout.current, task, config)]
    elif task.spec.program.mutable == "regions":
        parts += _frame_parts(task)
    if layout.advice:
        parts += ["# Advice\n\n", layout.advice, "\n\n"]
    if layout.earlier:
        parts += _earlier_parts(layout.earlier, config)
    return parts


def _frame_parts(task: Task) -> list[str]:
    """Returns the text that must stay, its regions empty."""
    files = program_segments(task.initial, task.spec)
    emptied = {
        file.name: replace_mutable(file.segments, [""] * sum(part.mutable for part in file.segments))
        for file in files
    }
    head = "# Frame\n\nYour program fills the empty regions of this text.\n\n"
    return [head, *program_parts(Program.of(emptied), task.spec.language), "\n"]


def _shown_parts(shown: _Shown, task: Task, config: ContextConfig) -> list[str]:
    outcome = shown.entry.outcome
    parts = [standing(shown.entry, task)]
    said = capped(feedback(outcome), config.feedback_chars) if shown.feedback else ""
    if said:
        parts += ["Feedback:\n", *fenced(said)]
    if shown.artifacts and outcome.result and outcome.result.artifacts:
        texts = "\n".join(f"{name}:\n{text}" for name, text in outcome.result.artifacts.items())
        parts += ["Artifacts:\n", *fenced(capped(texts, config.artifact_chars))]
    if shown.code:
        parts += ["\n", *program_parts(shown.entry.program, task.spec.language)]
    return [*parts, "\n"]


def _earlier_parts(earlier: Sequence[Rejected], config: ContextConfig) -> list[str]:
    told = "\n".join(f"{rejection.reason}: {rejection.message}" for rejection in earlier)
    head = (
        "# Earlier answers\n\nThese answers of yours were turned away, for the reasons given. Avoid them.\n\n"
    )
    return [head, *fenced(capped(told, config.feedback_chars)), "\n"]
