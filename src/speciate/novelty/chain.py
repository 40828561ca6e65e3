"""Novelty filters one after another, cheapest first."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict
from typing_extensions import override

from speciate.novelty.base import NOVEL, NoveltyFilter, Screening, Verdict
from speciate.novelty.fingerprint import FingerprintFilter
from speciate.novelty.memory import NoveltyMemory


class NoveltyConfig(BaseModel):
    """Which filters a program must pass before it is evaluated.

    Attributes:
        fingerprint: refuse programs that an earlier candidate already was.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    fingerprint: bool = True


class NoveltyChain(NoveltyFilter):
    """Asks filters in order; the first refusal stands. Without filters everything is novel."""

    def __init__(self, filters: Sequence[NoveltyFilter]) -> None:
        """Chains `filters`, the cheapest first."""
        self.filters = tuple(filters)

    @override
    async def check(self, screening: Screening) -> Verdict:
        for step in self.filters:
            verdict = await step.check(screening)
            if not verdict.novel:
                return verdict
        return NOVEL


def build_novelty(config: NoveltyConfig, memory: NoveltyMemory, language: str) -> NoveltyChain:
    """Builds the chain that `config` describes.

    Args:
        config: which filters.
        memory: the run's memory.
        language: the task's language.
    """
    return NoveltyChain([FingerprintFilter(memory, language)] if config.fingerprint else [])
