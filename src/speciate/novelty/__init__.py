"""Screens that keep programs from being evaluated that say nothing new."""

from speciate.novelty.base import NOVEL, NoveltyFilter, Screening, Verdict
from speciate.novelty.behaviour import Behaviour, BehaviourIndex, behaviour, same_behaviour
from speciate.novelty.chain import NoveltyChain, Surroundings, build_novelty
from speciate.novelty.config import HASH, HASH_THRESHOLD, PAPER_THRESHOLD, BehaviourConfig, NoveltyConfig
from speciate.novelty.embedding import Embedder, embed
from speciate.novelty.fingerprint import FingerprintFilter, fingerprint
from speciate.novelty.hashing import Vector, cosine
from speciate.novelty.index import Neighbour, VectorIndex
from speciate.novelty.judge import PURPOSE as JUDGE
from speciate.novelty.judge import Judge, Judgement, judge_prompt, read_judgement
from speciate.novelty.memory import Fingerprint, NoveltyMemory
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
    "Behaviour",
    "BehaviourConfig",
    "BehaviourIndex",
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
    "Screening",
    "SimilarityFilter",
    "Surroundings",
    "Vector",
    "VectorIndex",
    "Vectors",
    "Verdict",
    "behaviour",
    "build_novelty",
    "cosine",
    "embed",
    "fingerprint",
    "judge_prompt",
    "read_judgement",
    "same_behaviour",
]
