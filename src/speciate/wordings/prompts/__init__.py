"""What whoever varies the system prompt is asked, and what every wording ends with."""

from speciate.wordings.prompts.load import load_prompt, wording_identities

__all__ = ["load_prompt", "wording_identities"]
