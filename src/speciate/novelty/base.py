"""What every novelty filter owes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from speciate.records import NoveltyCheck, Ordinal, Program


@dataclass(frozen=True, slots=True)
class Screening:
    """A program before its evaluation, and what it may be compared with.

    Attributes:
        program: the proposed program.
        ordinal: the candidate whose program it is.
        island: the island on which it would be placed.
        before: only candidates with a smaller ordinal count, the `seen` of the choice in ordinal order.
        random: gives the random stream for a purpose, keyed by run, ordinal, epoch and attempt.
        attempt: which attempt of the candidate it is, from 0.
        parent: the program that was changed, or None.
        origin: ordinal of that program, or None.
        by_model: whether a model proposed it.
    """

    program: Program
    ordinal: Ordinal
    island: int
    before: Ordinal
    random: Callable[[str], np.random.Generator]
    attempt: int = 0
    parent: Program | None = None
    origin: Ordinal | None = None
    by_model: bool = True


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a filter says.

    Attributes:
        novel: whether the program may be evaluated.
        reason: short code of a refusal (``"duplicate"``, ``"no_change"`` ...), empty when novel.
        message: what a model needs to do better, empty when novel.
        nearest: the candidate it is too close to, or None.
        check: how it compared with earlier programs by its embedding, or None if it was not compared.
    """

    novel: bool
    reason: str = ""
    message: str = ""
    nearest: Ordinal | None = None
    check: NoveltyCheck | None = None


NOVEL = Verdict(novel=True)


class NoveltyFilter(ABC):
    """Keeps programs from being evaluated that say nothing new.

    Implementers: read the run's `NoveltyMemory` and keep nothing but caches; a check looks only at candidates
    before `Screening.before`, whatever else has been noted meanwhile, and its cost does not grow with the
    history. A filter that cannot decide must say so in its verdict and never pass for "novel".
    """

    @abstractmethod
    async def check(self, screening: Screening) -> Verdict:
        """Says whether the program is new. Changes nothing; may be called many times at once.

        Raises:
            BudgetExceededError: a model call would pass a cap.
        """
