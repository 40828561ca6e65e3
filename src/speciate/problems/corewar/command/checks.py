"""What `speciate doctor` is told about the simulator."""

from __future__ import annotations


def simulator() -> list[str]:
    """Returns which simulator fights Core War here, and why none of the faster ones does, in one line.

    Raises:
        UsageError: the environment names a simulator that is not here.
    """
    from speciate.problems.corewar.mars import describe

    return [f"Core War, {describe()}"]
