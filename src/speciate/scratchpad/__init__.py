"""Advice drawn from the run so far."""

from speciate.scratchpad.base import NoScratchpad, Scratchpad

__all__ = ["NoScratchpad", "Scratchpad"]
