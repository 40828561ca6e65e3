"""``speciate contest``: the private score of a finished run. Light until the command runs."""

from speciate.problems.atcoder.command.entry import contest

__all__ = ["contest"]
