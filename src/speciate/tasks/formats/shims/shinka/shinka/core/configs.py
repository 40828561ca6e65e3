"""What belongs to a search, not to an evaluation."""

from ..absent import Runner, Settings  # noqa: TID252 (inside, this package has another name)


class EvolutionConfig(Settings):
    """Settings of a search."""


class EvolutionRunner(Runner):
    """Would start a search."""


class ShinkaEvolveRunner(Runner):
    """Would start a search."""
