"""Configs that scripts import; they mean nothing inside an evaluation."""

from .absent import Settings


class LocalJobConfig(Settings):
    """Settings of a launcher that is not here."""


class SlurmCondaJobConfig(Settings):
    """Settings of a launcher that is not here."""


class SlurmDockerJobConfig(Settings):
    """Settings of a launcher that is not here."""
