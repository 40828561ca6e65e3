"""Screens that keep programs from being evaluated that say nothing new."""

from speciate.novelty.base import NOVEL, NoveltyFilter, Screening, Verdict
from speciate.novelty.behaviour import Behaviour, BehaviourIndex, behaviour, same_behaviour
from speciate.novelty.calibrate import (
    THRESHOLDS,
    Comparison,
    ThresholdRow,
    compare_again,
    recorded_comparisons,
    threshold_for,
    threshold_rows,
)
from speciate.novelty.chain import NoveltyChain, Surroundings, build_novelty
from speciate.novelty.config import HASH, HASH_THRESHOLD, PAPER_THRESHOLD, BehaviourConfig, NoveltyConfig
from speciate.novelty.embedding import Embedder, embed
from speciate.novelty.fingerprint import FingerprintFilter, fingerprint
from speciate.novelty.hashing import Vector, cosine
from speciate.novelty.index import Neighbour, VectorIndex
from speciate.novelty.judge import PURPOSE as JUDGE
from speciate.novelty.judge import Judge, Judgement, judge_prompt, read_judgement
from speciate.novelty.memory import Fingerprint, NoveltyMemory
from speciate.novelty.reliability import Rate, Reliability, Tape, reliability, tapes_of
from speciate.novelty.similar import SimilarityFilter
from speciate.novelty.vectors import EMBED, EMBED_PARENT, ModelVectors, PathVectors, Position, Vectors

__all__ = [
    "EMBED",
    "EMBED_PARENT",
    "HASH",
    "HASH_THRESHOLD",
    "JUDGE",
    "NOVEL",
    "PAPER_THRESHOLD",
    "THRESHOLDS",
    "Behaviour",
    "BehaviourConfig",
    "BehaviourIndex",
    "Comparison",
    "Embedder",
    "Fingerprint",
    "FingerprintFilter",
    "Judge",
    "Judgement",
    "ModelVectors",
    "Neighbour",
    "NoveltyChain",
    "NoveltyConfig",
    "NoveltyFilter",
    "NoveltyMemory",
    "PathVectors",
    "Position",
    "Rate",
    "Reliability",
    "Screening",
    "SimilarityFilter",
    "Surroundings",
    "Tape",
    "ThresholdRow",
    "Vector",
    "VectorIndex",
    "Vectors",
    "Verdict",
    "behaviour",
    "build_novelty",
    "compare_again",
    "cosine",
    "embed",
    "fingerprint",
    "judge_prompt",
    "read_judgement",
    "recorded_comparisons",
    "reliability",
    "same_behaviour",
    "tapes_of",
    "threshold_for",
    "threshold_rows",
]
