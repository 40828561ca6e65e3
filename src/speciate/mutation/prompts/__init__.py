"""Prompts as files: one Markdown file each, with a name and a version at its head."""

from speciate.mutation.prompts.load import PROMPTS, Prompt, load_prompt, parse_prompt, prompt_versions

__all__ = ["PROMPTS", "Prompt", "load_prompt", "parse_prompt", "prompt_versions"]
