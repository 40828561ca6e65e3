"""What the keeper of the scratchpad is asked, one Markdown file a question."""

from speciate.scratchpad.prompts.load import load_prompt, scratchpad_identities

__all__ = ["load_prompt", "scratchpad_identities"]
