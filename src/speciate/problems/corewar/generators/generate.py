"""Draws a warrior from priors: source text that always assembles and always fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from speciate.errors import ConfigError, nearest
from speciate.problems.corewar.generators import (
    bombers,
    clears,
    imps,
    random_code,
    replicators,
    scanners,
    vampires,
)
from speciate.problems.corewar.generators.dice import Dice
from speciate.problems.corewar.generators.draft import Draft
from speciate.problems.corewar.generators.extras import dressed, together
from speciate.problems.corewar.generators.priors import STRATEGIES, Priors, Strategy
from speciate.problems.corewar.settings import Settings


def _always(dice: Dice, room: int) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to write a family.

    Attributes:
        shortest: fewest cells it needs.
        build: draws one of at most so many cells.
        possible: whether the rules and priors allow it at all, beside its length.
    """

    shortest: int
    build: Callable[[Dice, int], Draft]
    possible: Callable[[Dice, int], bool] = _always


PLAIN: Final[Mapping[Strategy, tuple[Variant, ...]]] = {
    "imp": (Variant(1, imps.walker), Variant(2, imps.pump), Variant(5, imps.ring, imps.ring_possible)),
    "gate": (Variant(1, imps.turnstile), Variant(2, imps.double), Variant(3, imps.masonry)),
    "bomber": (
        Variant(4, bombers.thrower),
        Variant(5, bombers.crowd),
        Variant(7, bombers.pair),
        Variant(8, bombers.burner),
    ),
    "clear": (
        Variant(3, clears.down),
        Variant(4, clears.crowd_down),
        Variant(5, clears.up),
        Variant(6, clears.twice),
    ),
    "scanner": (
        Variant(4, scanners.eyelet),
        Variant(7, scanners.carpet),
        Variant(11, scanners.flood),
        Variant(13, scanners.comparer),
    ),
    "vampire": (Variant(5, vampires.press_gang), Variant(8, vampires.labour), Variant(10, vampires.pit)),
    "replicator": (
        Variant(5, replicators.nomads),
        Variant(8, replicators.sower),
        Variant(6, replicators.silk, replicators.silk_possible),
    ),
    "random": (Variant(1, random_code.scatter),),
}
"""How each family but ``hybrid`` can be written."""

_HYBRID_PARTS: Final[tuple[Strategy, ...]] = tuple(name for name in PLAIN if name != "random")
_FORK: Final = 2
"""Cells that start the two parts of a hybrid."""


def generate(
    rng: np.random.Generator,
    settings: Settings,
    priors: Priors | None = None,
    *,
    family: Strategy | None = None,
) -> str:
    """Returns the source text of a warrior that assembles under these rules and is not too long.

    Its first ``;strategy`` line names the family. Equal generators, rules and priors give equal text.

    Args:
        rng: where all chance comes from.
        settings: the rules to write for.
        priors: the weights; None takes the defaults.
        family: draws from this family whatever the weights say; None draws the family as well. Families that
            are too long for the rules are left out of that draw.

    Raises:
        ConfigError: there is no such family, or none that may be drawn fits.
    """
    dice = Dice(rng, settings, priors or Priors())
    chosen = family if family is not None else _family(dice)
    draft = dressed(_draft(dice, chosen), dice, settings.max_length)
    return draft.source(settings, f"{chosen} {dice.between(0, 0xFFFFFF):06x}")


def shortest(family: Strategy) -> int:
    """Returns the fewest cells a warrior of the family needs.

    Raises:
        ConfigError: there is no such family.
    """
    if family == "hybrid":
        return _FORK + 2 * min(shortest(part) for part in _HYBRID_PARTS)
    if family not in PLAIN:
        raise ConfigError(f"there is no family {family!r}{nearest(family, STRATEGIES)}")
    return min(variant.shortest for variant in PLAIN[family])


def _family(dice: Dice) -> Strategy:
    weights = {
        name: dice.priors.families.get(name, 0.0)
        for name in STRATEGIES
        if shortest(name) <= dice.settings.max_length
    }
    if not sum(weights.values()) > 0:
        wanted = ", ".join(name for name, weight in dice.priors.families.items() if weight > 0)
        raise ConfigError(
            f"no warrior of {wanted} fits into max_length {dice.settings.max_length}; allow a shorter family"
        )
    return dice.weighted(weights)


def _draft(dice: Dice, family: Strategy) -> Draft:
    room = dice.settings.max_length
    if shortest(family) > room:
        raise ConfigError(f"family {family} needs {shortest(family)} instructions; max_length allows {room}")
    return _hybrid(dice, room) if family == "hybrid" else _plain(dice, family, room)


def _plain(dice: Dice, family: Strategy, room: int) -> Draft:
    fitting = [each for each in PLAIN[family] if each.shortest <= room and each.possible(dice, room)]
    return dice.one(fitting).build(dice, room)


def _hybrid(dice: Dice, room: int) -> Draft:
    """Draws two parts of different families, the second from what the first leaves over."""
    smallest = min(shortest(part) for part in _HYBRID_PARTS)
    first = _part(dice, room - _FORK - smallest, None)
    second = _part(dice, room - _FORK - len(first), first.family)
    return together(first, second)


def _part(dice: Dice, room: int, other: str | None) -> Draft:
    fitting = [part for part in _HYBRID_PARTS if shortest(part) <= room and part != other]
    # Where nothing else is short enough, two of a kind: gates and imps need one cell.
    return _plain(dice, dice.one(fitting or [p for p in _HYBRID_PARTS if shortest(p) <= room]), room)
