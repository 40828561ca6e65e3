"""Clients of models that scripts import: nothing in the sandbox reaches a model."""

from .absent import Runner


class LLMClient(Runner):
    """A client that cannot be made here."""
