"""Novelty filters one after another, cheapest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from typing_extensions import override

from speciate.novelty.base import NOVEL, NoveltyFilter, Screening, Verdict
from speciate.novelty.config import NoveltyConfig
from speciate.novelty.fingerprint import FingerprintFilter
from speciate.novelty.judge import Judge
from speciate.novelty.memory import NoveltyMemory
from speciate.novelty.similar import SimilarityFilter
from speciate.novelty.vectors import ModelVectors, PathVectors, Vectors
from speciate.records import ModelGateway, Ordinal, Program, TextHash
from speciate.tasks import Canonical, TaskSpec


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What filters may look at and whom they may ask.

    Attributes:
        spec: the task's.
        memory: the run's memory.
        gateway: asks models.
        program: returns an earlier candidate's program.
        text: returns a text of the history.
        canonical: the task's own reading of its programs, or None (see `Task.canonical`).
    """

    spec: TaskSpec
    memory: NoveltyMemory
    gateway: ModelGateway
    program: Callable[[Ordinal], Program]
    text: Callable[[TextHash], str]
    canonical: Canonical | None = None


class NoveltyChain(NoveltyFilter):
    """Asks filters in order; the first refusal stands. Without filters everything is novel."""

    def __init__(self, filters: Sequence[NoveltyFilter]) -> None:
        """Chains `filters`, the cheapest first."""
        self.filters = tuple(filters)

    @override
    async def check(self, screening: Screening) -> Verdict:
        verdict = NOVEL
        for step in self.filters:
            verdict = await step.check(screening)
            if not verdict.novel:
                break
        return verdict


def build_novelty(config: NoveltyConfig, around: Surroundings) -> NoveltyChain:
    """Builds the chain that `config` describes.

    Args:
        config: which filters.
        around: the run's memory and models.
    """
    filters: list[NoveltyFilter] = []
    if config.fingerprint:
        filters.append(FingerprintFilter(around.memory, around.spec.language, around.canonical))
    if config.embeds:
        filters.append(
            SimilarityFilter(config, around.memory, _vectors(config, around), _judge(config, around))
        )
    return NoveltyChain(filters)


def _vectors(config: NoveltyConfig, around: Surroundings) -> Vectors:
    model = config.embedding_model
    if model is None:
        return PathVectors(around.program, around.spec)
    return ModelVectors(model, around.gateway, around.memory, around.text, around.spec)


def _judge(config: NoveltyConfig, around: Surroundings) -> Judge | None:
    if config.judge is None:
        return None
    return Judge(
        config.judge,
        around.gateway,
        around.program,
        around.spec,
        tokens=config.judge_tokens,
        chars=config.judge_chars,
    )
