"""Novelty by degree: is this program too much like an earlier one?"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from typing_extensions import override

from speciate.novelty.base import NOVEL, NoveltyFilter, Screening, Verdict
from speciate.novelty.config import NoveltyConfig
from speciate.novelty.hashing import cosine
from speciate.novelty.index import Neighbour, VectorIndex
from speciate.novelty.judge import Judge, Judgement
from speciate.novelty.memory import NoveltyMemory
from speciate.novelty.vectors import Position, Vectors
from speciate.records import NoveltyCheck, NoveltyVerdict

AUDIT = "novelty audit"
"""Purpose of the chance by which a refused program is evaluated all the same."""

_REFUSALS: Mapping[NoveltyVerdict, str] = {
    "similar": "It is almost the same as one that was tried before. Change the approach, not a detail of it.",
    "not_novel": "It computes the same as one that was tried before. Change what it computes.",
    "undecided": "It could not be told whether it is new: it is much like one that was tried before. Make a "
    "change that shows.",
}


class SimilarityFilter(NoveltyFilter):
    """Refuses what is too much like an earlier program of the island, unless a judge sees something new.

    Args:
        config: threshold and policies.
        memory: who has lived where.
        vectors: give each program's vector.
        judge: decides on what is above the threshold; None refuses it.
    """

    def __init__(
        self, config: NoveltyConfig, memory: NoveltyMemory, vectors: Vectors, judge: Judge | None
    ) -> None:
        self._config = config
        self._memory = memory
        self._vectors = vectors
        self._judge = judge
        self._islands: defaultdict[int, VectorIndex] = defaultdict(lambda: VectorIndex(vectors.earlier))

    @override
    async def check(self, screening: Screening) -> Verdict:
        if not (screening.by_model or self._config.genetic):
            return NOVEL
        began = time.perf_counter()
        position = await self._vectors.proposed(screening)
        if self._vectors.asks:
            began = time.perf_counter()
        nearest = None if position is None else self._nearest(screening, position)
        check = NoveltyCheck("apart", seconds=time.perf_counter() - began)
        if position is None:
            return self._concluded(screening, replace(check, verdict="undecided"), "it could not be embedded")
        if nearest is None:
            return Verdict(novel=True, check=check)
        check = replace(check, similarity=nearest.similarity, nearest=nearest.ordinal)
        if nearest.similarity <= self._config.bound:
            return Verdict(novel=True, check=check)
        if self._judge is None:
            return self._concluded(screening, replace(check, verdict="similar"))
        judgement = await self._judge.judge(screening, nearest.ordinal)
        return self._concluded(screening, replace(check, verdict=judgement.said), _quoted(judgement))

    def _nearest(self, screening: Screening, position: Position) -> Neighbour | None:
        company = self._memory.company(
            screening.ordinal, screening.island, before=screening.before, recent=self._config.recent
        )
        among = self._vectors.comparable(screening, company)
        nearest = self._islands[screening.island].nearest(position.vector, among)
        if position.parent is None or screening.origin is None:
            return nearest
        parent = Neighbour(screening.origin, cosine(position.vector, position.parent))
        return parent if nearest is None or parent.similarity > nearest.similarity else nearest

    def _concluded(self, screening: Screening, check: NoveltyCheck, why: str = "") -> Verdict:
        """Returns what becomes of a program above the threshold, or of one that has no vector."""
        passes = check.verdict == "novel" or (
            check.verdict == "undecided" and self._config.undecided == "accept"
        )
        if passes:
            return Verdict(novel=True, check=check)
        if self._config.audit and screening.random(AUDIT).random() < self._config.audit:
            return Verdict(novel=True, check=replace(check, audited=True))
        return Verdict(
            novel=False,
            reason=check.verdict,
            message=" ".join(
                filter(None, ("The new program was not evaluated.", _REFUSALS[check.verdict], why))
            ),
            nearest=check.nearest,
            check=check,
        )


def _quoted(judgement: Judgement) -> str:
    if not judgement.reason:
        return ""
    return (
        f"A reviewer says: {judgement.reason}" if judgement.said != "undecided" else f"({judgement.reason})"
    )
