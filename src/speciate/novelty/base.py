"""What every novelty filter owes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from speciate.records import Ordinal, Program


@dataclass(frozen=True, slots=True)
class Screening:
    """A program before its evaluation, and what it may be compared with.

    Attributes:
        program: the proposed program.
        island: the island on which it would be placed.
        before: only candidates with a smaller ordinal count, the `seen` of the choice in ordinal order.
        parent: the program that was changed, or None.
    """

    program: Program
    island: int
    before: Ordinal
    parent: Program | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a filter says.

    Attributes:
        novel: whether the program may be evaluated.
        reason: short code of a refusal (``"duplicate"``, ``"no_change"`` ...), empty when novel.
        message: what a model needs to do better, empty when novel.
        nearest: the candidate it is too close to, or None.
    """

    novel: bool
    reason: str = ""
    message: str = ""
    nearest: Ordinal | None = None


NOVEL = Verdict(novel=True)


class NoveltyFilter(ABC):
    """Keeps programs from being evaluated that say nothing new.

    Implementers: read the run's `NoveltyMemory` and keep no state; a check looks only at candidates before
    `Screening.before`, whatever else has been noted meanwhile, and its cost does not grow with the history.
    A filter that cannot decide must say so in its verdict and never pass for "novel".
    """

    @abstractmethod
    async def check(self, screening: Screening) -> Verdict:
        """Says whether the program is new. Changes nothing; may be called many times at once."""
