"""Turning replies into programs, without ever touching text that must not change."""

from speciate.patches.blocks import Block, parse_blocks, write_block
from speciate.patches.distance import common_length, distance, unified_diff
from speciate.patches.fences import Fence, fences
from speciate.patches.full_text import apply_full_text
from speciate.patches.result import PatchFailure, Reason
from speciate.patches.search_replace import apply_search_replace
from speciate.patches.validate import checked, immutable_change, marker_injection
from speciate.patches.write import write_search_replace

__all__ = [
    "Block",
    "Fence",
    "PatchFailure",
    "Reason",
    "apply_full_text",
    "apply_search_replace",
    "checked",
    "common_length",
    "distance",
    "fences",
    "immutable_change",
    "marker_injection",
    "parse_blocks",
    "unified_diff",
    "write_block",
    "write_search_replace",
]
