from __future__ import annotations

import asyncio

from typing_extensions import override

from speciate.novelty import (
    NOVEL,
    NoveltyChain,
    NoveltyConfig,
    NoveltyFilter,
    Screening,
    Verdict,
    build_novelty,
)
from speciate.testing.screenings import Past, screening

SCREENING = screening("x = 1", ordinal=20, before=10)


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
    chain = build_novelty(NoveltyConfig(fingerprint=False), Past({0: "x = 1"}).around)
    assert asyncio.run(chain.check(SCREENING)) == NOVEL


def test_the_default_chain_refuses_duplicates() -> None:
    chain = build_novelty(NoveltyConfig(), Past({0: "x = 1"}).around)
    assert asyncio.run(chain.check(SCREENING)).reason == "duplicate"
