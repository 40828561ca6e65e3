"""Screens that keep programs from being evaluated twice."""

from speciate.novelty.base import NOVEL, NoveltyFilter, Screening, Verdict
from speciate.novelty.chain import NoveltyChain, NoveltyConfig, build_novelty
from speciate.novelty.fingerprint import FingerprintFilter, fingerprint
from speciate.novelty.memory import Fingerprint, NoveltyMemory

__all__ = [
    "NOVEL",
    "Fingerprint",
    "FingerprintFilter",
    "NoveltyChain",
    "NoveltyConfig",
    "NoveltyFilter",
    "NoveltyMemory",
    "Screening",
    "Verdict",
    "build_novelty",
    "fingerprint",
]
