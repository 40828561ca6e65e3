"""Priors with a character: the minds of an ensemble that needs no model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from speciate.errors import ConfigError, nearest
from speciate.problems.corewar.generators.priors import STRATEGIES, CodePrior, ExtraPrior, Priors
from speciate.problems.corewar.instructions import Mode, Modifier, Opcode

UNIFORM: Final = CodePrior(
    opcodes=dict.fromkeys((op.name for op in Opcode if op not in (Opcode.LDP, Opcode.STP)), 1.0),
    modifiers=dict.fromkeys(Modifier.__members__, 1.0),
    modes=dict.fromkeys(Mode.__members__, 1.0),
    near=0.0,
    median=20.0,
)
"""Nothing known at all: every opcode, modifier, mode and number is as likely as any other."""

MINDS: Final[Mapping[str, Priors]] = {
    "mixed": Priors(),
    **{strategy: Priors(families={strategy: 1.0}) for strategy in STRATEGIES},
    "imp_clear": Priors(families={"imp": 1.0, "clear": 1.0}),
    "uniform": Priors(
        families={"random": 1.0}, code=UNIFORM, extras=ExtraPrior(boot=0, quickscan=0, decoys=0)
    ),
}
"""Priors by name: one mind a family, ``mixed`` of all of them, ``imp_clear`` of two that get along with few
instructions, and ``uniform``, which knows nothing."""


def diluted(priors: Priors, purity: float) -> Priors:
    """Returns priors whose families are mixed with those of ``mixed``: minds made more alike.

    Args:
        priors: the mind.
        purity: share of what it draws from its own families; 1 leaves it as it is, 0 draws all alike.
    """
    own, all_families = _shares(priors), _shares(MINDS["mixed"])
    names = [name for name in STRATEGIES if name in own or name in all_families]
    families = {
        name: purity * own.get(name, 0.0) + (1 - purity) * all_families.get(name, 0.0) for name in names
    }
    return priors.model_copy(update={"families": families})


def _shares(priors: Priors) -> Mapping[str, float]:
    total = sum(priors.families.values())
    return {name: weight / total for name, weight in priors.families.items()}


def mind(name: str) -> Priors:
    """Returns the priors of that name.

    Raises:
        ConfigError: there are none.
    """
    try:
        return MINDS[name]
    except KeyError:
        raise ConfigError(
            f"there are no priors {name!r}{nearest(name, MINDS)} (known: {', '.join(MINDS)})"
        ) from None
