"""Reading warriors, each of them once."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from speciate.problems.corewar.redcode import assemble
from speciate.problems.corewar.settings import Settings
from speciate.problems.corewar.warrior import Warrior

REMEMBERED: Final = 1024
"""How many warriors are kept. A candidate is read when its syntax is checked, when it fights, and whenever it
is a parent; an opponent by every candidate."""


@lru_cache(maxsize=REMEMBERED)
def read(source: str, settings: Settings) -> Warrior:
    """Returns the warrior of a source, strictly: what is left out or guessed changes what is evolved.

    Where a model's reply needs mending, `prompts.warrior_reader` has done that, and says so.

    Raises:
        RedcodeError: it cannot be assembled.
    """
    return assemble(source, settings)
