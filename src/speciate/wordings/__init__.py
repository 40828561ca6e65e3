"""Wordings of the system prompt: an archive that evolves with the run, and what each of them was worth."""

from speciate.wordings.archive import Wording, Wordings
from speciate.wordings.config import WordingsConfig
from speciate.wordings.prompts import wording_identities
from speciate.wordings.update import Draft, Reworder, decide_wording

__all__ = [
    "Draft",
    "Reworder",
    "Wording",
    "Wordings",
    "WordingsConfig",
    "decide_wording",
    "wording_identities",
]
