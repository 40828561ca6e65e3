"""Models behind HTTP servers. Their libraries are imported on first use."""

from speciate.llm.providers.anthropic import open_anthropic
from speciate.llm.providers.azure import open_azure
from speciate.llm.providers.bedrock import open_bedrock
from speciate.llm.providers.deepseek import open_deepseek
from speciate.llm.providers.google import open_google
from speciate.llm.providers.installed import is_installed
from speciate.llm.providers.local import open_local
from speciate.llm.providers.openai import open_openai
from speciate.llm.providers.openrouter import open_openrouter

__all__ = [
    "is_installed",
    "open_anthropic",
    "open_azure",
    "open_bedrock",
    "open_deepseek",
    "open_google",
    "open_local",
    "open_openai",
    "open_openrouter",
]
