"""Prompts as files: one Markdown file each, with a name and a version at its head. Further phrasings of an
operator's prompt lie in a folder of its name."""

from speciate.mutation.prompts.load import (
    brings_own,
    load_phrasing,
    load_prompt,
    prompt_for,
    prompt_identities,
)

__all__ = ["brings_own", "load_phrasing", "load_prompt", "prompt_for", "prompt_identities"]
