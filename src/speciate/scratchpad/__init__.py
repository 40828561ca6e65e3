"""Advice drawn from the run so far, and what it is worth."""

from speciate.scratchpad.config import ScratchpadConfig
from speciate.scratchpad.lift import Lift, Trials, chance_above, lift, wilson
from speciate.scratchpad.pad import Job, Pad, Recommendation, Standing
from speciate.scratchpad.prompts import load_prompt, scratchpad_identities
from speciate.scratchpad.stories import Story
from speciate.scratchpad.update import Draft, Keeper, decide_notes

__all__ = [
    "Draft",
    "Job",
    "Keeper",
    "Lift",
    "Pad",
    "Recommendation",
    "ScratchpadConfig",
    "Standing",
    "Story",
    "Trials",
    "chance_above",
    "decide_notes",
    "lift",
    "load_prompt",
    "scratchpad_identities",
    "wilson",
]
