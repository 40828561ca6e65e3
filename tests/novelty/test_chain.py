from __future__ import annotations

import asyncio

from typing_extensions import override

from speciate.novelty import (
    NOVEL,
    NoveltyChain,
    NoveltyConfig,
    NoveltyFilter,
    NoveltyMemory,
    Screening,
    Verdict,
    build_novelty,
    fingerprint,
)
from speciate.records import Program

SCREENING = Screening(Program.of({"a.py": "x = 1"}), island=0, before=10)


class Fixed(NoveltyFilter):
    """Always says the same and counts how often it was asked."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self.asked = 0

    @override
    async def check(self, screening: Screening) -> Verdict:
        self.asked += 1
        return self.verdict


def test_the_first_refusal_stands_and_ends_the_chain() -> None:
    first, second = Fixed(Verdict(novel=False, reason="near")), Fixed(Verdict(novel=False, reason="far"))
    assert asyncio.run(NoveltyChain([Fixed(NOVEL), first, second]).check(SCREENING)).reason == "near"
    assert (first.asked, second.asked) == (1, 0)


def test_everything_is_novel_without_filters() -> None:
    memory = NoveltyMemory()
    memory.note(0, 0, fingerprint(SCREENING.program, "python"))
    chain = build_novelty(NoveltyConfig(fingerprint=False), memory, "python")
    assert asyncio.run(chain.check(SCREENING)) == NOVEL


def test_the_default_chain_refuses_duplicates() -> None:
    memory = NoveltyMemory()
    memory.note(0, 0, fingerprint(SCREENING.program, "python"))
    chain = build_novelty(NoveltyConfig(), memory, "python")
    assert asyncio.run(chain.check(SCREENING)).reason == "duplicate"
