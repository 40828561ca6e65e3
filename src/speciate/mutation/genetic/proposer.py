"""A proposer without a model: genetic operators on the text of programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from speciate.errors import ConfigError
from speciate.mutation.base import Assignment, Proposer
from speciate.mutation.genetic.config import GeneticConfig
from speciate.mutation.genetic.edits import Change, Span, pick, pick_weighted, splice
from speciate.mutation.genetic.lines import line_sites
from speciate.mutation.genetic.operators import CROSSINGS, NUMBERS, STRUCTURE
from speciate.mutation.genetic.python_ast import UnparsableError, python_sites
from speciate.mutation.genetic.sites import Sites
from speciate.mutation.genetic.traits import Traits
from speciate.records import Entry, Program, Proposal, Rejected
from speciate.tasks import TaskSpec, compiled
from speciate.tasks.regions import FileSegments, program_segments

Reason: TypeAlias = Literal["no_change", "unparsable", "too_large", "no_partner"]

_WHY: dict[Reason, str] = {
    "no_change": "no operator found anything to change",
    "unparsable": "every change that was tried left a text that does not parse",
    "too_large": "every change that was tried made the program too large",
    "no_partner": "crossover needs a second program that differs from the parent",
}
_MARK = b"EVOLVE-BLOCK-"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a parent with its sites."""

    name: str
    language: str
    sites: Sites

    @property
    def python(self) -> bool:
        """Whether it is a Python module."""
        return self.language == "python"


class GeneticProposer(Proposer):
    """Changes a parent's mutable text by genetic operators: numbers, expressions, statements, crossover.

    Python is changed by its syntax tree, any other language by lines. Untouched text keeps its formatting
    and comments. No operator knows anything about a task.
    """

    name = "genetic"
    operators = ("mutate", "crossover")
    inspired = False

    def __init__(self, config: GeneticConfig | None = None) -> None:
        self.config = config or GeneticConfig()

    async def propose(self, assignment: Assignment) -> Proposal | Rejected:
        """Makes one attempt; see `Proposer.propose`.

        Returns:
            A proposal whose Python compiles and whose immutable text is the parent's; or `Rejected` with
            the reason ``no_change``, ``unparsable``, ``too_large`` or ``no_partner``.

        Raises:
            ConfigError: the choice names an operator that this proposer does not have.
        """
        if assignment.choice.operator not in self.operators:
            raise ConfigError(f"the genetic proposer has no operator {assignment.choice.operator!r}")
        rng = assignment.random("genetic")
        spec, parent = assignment.task.spec, assignment.parents[0]
        try:
            files = self.files(parent.program, spec)
            donor: list[SourceFile] | None = None
            if assignment.choice.operator == "crossover":
                partner = _partner(assignment, rng)
                if partner is None:
                    return self.rejected("no_partner", assignment.attempt)
                donor = self.files(partner.program, spec)
        except UnparsableError as error:
            return Rejected("propose", "unparsable", f"a parent is not Python: {error}", assignment.attempt)
        return self.search(assignment, files, donor, rng)

    def search(
        self,
        assignment: Assignment,
        files: Sequence[SourceFile],
        donor: Sequence[SourceFile] | None,
        rng: np.random.Generator,
    ) -> Proposal | Rejected:
        """Tries operators until one gives a program that passes all checks, or the tries are used up."""
        parent = assignment.parents[0]
        traits = Traits.inherited(parent.traits, self.config).mutated(self.config, rng)
        reason: Reason = "no_change"
        for _ in range(self.config.tries):
            file = pick_weighted(rng, files, [1.0 + len(f.sites.data) for f in files])
            change = self.change(file, donor, traits, rng)
            if change is None:
                continue
            text = splice(file.sites.data, change.edits)
            problem = self.problem(file, text, self.limit(assignment, file.name))
            if problem is None:
                program = parent.program.replace(file.name, text.decode("utf-8", "surrogatepass"))
                return Proposal(program, assignment.attempt, change.summary, traits.record())
            reason = problem
        return self.rejected(reason, assignment.attempt)

    def change(
        self, file: SourceFile, donor: Sequence[SourceFile] | None, traits: Traits, rng: np.random.Generator
    ) -> Change | None:
        """Draws an operator and applies it."""
        if donor is not None:
            other = next((f for f in donor if f.name == file.name), None)
            crossings = [c for c in CROSSINGS if (c.python if file.python else c.lines)]
            crossing = pick_weighted(rng, crossings, [c.weight for c in crossings])
            return crossing.change(file.sites, other.sites, rng) if other else None
        if rng.random() >= self.config.structure:
            return NUMBERS(file.sites, rng, traits.step)
        fitting = [m for m in STRUCTURE if file.python or m.lines]
        return pick_weighted(rng, fitting, [m.weight for m in fitting]).change(file.sites, rng, traits.step)

    def limit(self, assignment: Assignment, name: str) -> int:
        """Returns how many bytes a changed file may have; at least as many as the parent's."""
        parent, initial = (
            len(program.text(name).encode("utf-8", "surrogatepass"))
            for program in (assignment.parents[0].program, assignment.task.initial)
        )
        return max(parent, int(min(self.config.growth * parent + 64, self.config.largest * initial + 512)))

    def files(self, program: Program, spec: TaskSpec) -> list[SourceFile]:
        """Returns the files that have mutable text.

        Raises:
            UnparsableError: one of them is Python by its name and not by its text.
        """
        return [
            SourceFile(part.name, part.language.name, self.sites(part, program.text(part.name)))
            for part in program_segments(program, spec)
            if any(segment.mutable for segment in part.segments)
        ]

    def sites(self, part: FileSegments, text: str) -> Sites:
        """Returns the sites of one file; a subclass may know more languages."""
        if part.language.name == "python":
            return python_sites(text, mutable_spans(part))
        return line_sites(text, mutable_spans(part), part.language)

    def problem(self, file: SourceFile, text: bytes, limit: int) -> Reason | None:
        """Returns what is wrong with a changed file of at most `limit` bytes, or None."""
        if text == file.sites.data or text.count(_MARK) != file.sites.data.count(_MARK):
            return "no_change"
        if len(text) > limit:
            return "too_large"
        if file.python:
            try:
                compiled(text.decode("utf-8", "surrogatepass"))
            except (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError):
                return "unparsable"
        return None

    @staticmethod
    def rejected(reason: Reason, attempt: int) -> Rejected:
        """Returns the rejection for a reason."""
        return Rejected("propose", reason, f"{_WHY[reason]}.", attempt)


def mutable_spans(part: FileSegments) -> tuple[Span, ...]:
    """Returns where a file may change, in bytes of its UTF-8."""
    spans: list[Span] = []
    position = 0
    for segment in part.segments:
        end = position + len(segment.text.encode("utf-8", "surrogatepass"))
        if segment.mutable:
            spans.append((position, end))
        position = end
    return tuple(spans)


def _partner(assignment: Assignment, rng: np.random.Generator) -> Entry | None:
    """Returns the second parent if it differs from the first, else any inspiration that does, or None."""
    own = assignment.parents[0].program.hash
    for group in (assignment.parents[1:], assignment.inspirations):
        different = [entry for entry in group if entry.program.hash != own]
        if different:
            return pick(rng, different)
    return None
