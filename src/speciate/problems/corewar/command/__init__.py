"""``speciate battle``: warriors against each other on the command line. Light until the command runs."""

from speciate.problems.corewar.command.entry import battle

__all__ = ["battle"]
