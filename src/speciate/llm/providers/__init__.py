"""Models behind HTTP servers. Their libraries are imported on first use."""

from speciate.llm.providers.openai import open_local, open_openai

__all__ = ["open_local", "open_openai"]
