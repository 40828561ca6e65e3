"""Advice drawn from the run so far, and what it is worth."""

from speciate.scratchpad.config import ScratchpadConfig
from speciate.scratchpad.pad import Pad, Recommendation, Standing
from speciate.scratchpad.prompts import load_prompt, scratchpad_identities
from speciate.scratchpad.update import Draft, Keeper, decide_notes

__all__ = [
    "Draft",
    "Keeper",
    "Pad",
    "Recommendation",
    "ScratchpadConfig",
    "Standing",
    "decide_notes",
    "load_prompt",
    "scratchpad_identities",
]
