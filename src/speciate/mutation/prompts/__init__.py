"""Prompts as files: one Markdown file each, with a name and a version at its head."""

from speciate.mutation.prompts.load import load_prompt, prompt_for, prompt_identities

__all__ = ["load_prompt", "prompt_for", "prompt_identities"]
