"""Configs that scripts import; they mean nothing inside an evaluation."""

from .absent import Settings


class DatabaseConfig(Settings):
    """Settings of a database that is not here."""
