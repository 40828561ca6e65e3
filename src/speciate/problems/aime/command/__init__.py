"""``speciate transfer``: agents on other years and models. Light until the command runs."""

from speciate.problems.aime.command.entry import transfer

__all__ = ["transfer"]
