"""A proposer that needs no model: it makes warriors, changes them and crosses them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import numpy as np
from typing_extensions import override

from speciate.errors import ConfigError
from speciate.mutation import CROSSOVER, NEW, Assignment, Proposer
from speciate.problems.corewar.generators import Priors, generate
from speciate.problems.corewar.generators.dice import Dice
from speciate.problems.corewar.genome.config import GenomeConfig
from speciate.problems.corewar.genome.crossover import crossed
from speciate.problems.corewar.genome.operators import mutated
from speciate.problems.corewar.genome.scope import Scope
from speciate.problems.corewar.genome.text import genome_of, write
from speciate.problems.corewar.genome.traits import STEP, inherited_step
from speciate.problems.corewar.reading import read
from speciate.problems.corewar.redcode import RedcodeError
from speciate.problems.corewar.settings import Settings
from speciate.records import Entry, Proposal, Rejected

MUTATE: Final = "mutate"

WEIGHTS: Final[Mapping[str, float]] = MappingProxyType({NEW: 0.1, MUTATE: 0.8, CROSSOVER: 0.1})
"""A tenth of the candidates is new, as in Digital Red Queen (Kumar 2026, https://arxiv.org/abs/2601.03335),
which has no crossover."""

Reason: TypeAlias = Literal["no_change", "unparsable", "no_partner"]


class RedcodeProposer(Proposer):
    """Proposes warriors by operators on their assembled code.

    A child is written as a load file under the name, author and strategy of its first parent. It always
    assembles, and is never longer than the rules allow.

    Args:
        settings: the rules of the battle.
        priors: the mind that new warriors, instructions and steps come from.
        config: weights and sizes of the operators.
        weights: how often warriors are new, mutated or crossed.
    """

    operators = (NEW, MUTATE, CROSSOVER)
    inspired = False

    def __init__(
        self,
        settings: Settings,
        priors: Priors | None = None,
        config: GenomeConfig | None = None,
        *,
        weights: Mapping[str, float] = WEIGHTS,
    ) -> None:
        self.name = "redcode"
        self.weights = weights
        self.settings = settings
        self.priors = priors or Priors()
        self.config = config or GenomeConfig()

    @override
    async def propose(self, assignment: Assignment) -> Proposal | Rejected:
        """Makes one attempt; see `Proposer.propose`.

        Returns:
            A proposal, or `Rejected` with the reason ``no_change`` (nothing was found to change),
            ``unparsable`` (a parent is no Redcode) or ``no_partner`` (crossover knows no second parent that
            differs from the first).

        Raises:
            ConfigError: the choice names an operator that this proposer does not have.
        """
        rng = assignment.random("redcode")
        match assignment.choice.operator:
            case "new":
                return self._new(assignment, rng)
            case "mutate":
                return self._bred(assignment, rng, None)
            case "crossover":
                partner = _partner(assignment)
                if partner is None:
                    return _rejected("no_partner", "there is no second parent that differs", assignment)
                return self._bred(assignment, rng, partner)
            case other:
                raise ConfigError(f"the redcode proposer has no operator {other!r}")

    def _new(self, assignment: Assignment, rng: np.random.Generator) -> Proposal:
        program = assignment.task.initial
        made = program.replace(program.entry, generate(rng, self.settings, self.priors))
        return Proposal(made, assignment.attempt, "a new warrior", {STEP: self.config.step})

    def _bred(
        self, assignment: Assignment, rng: np.random.Generator, partner: Entry | None
    ) -> Proposal | Rejected:
        """Mutates the parent or, given a partner, crosses the two."""
        parent = assignment.parents[0]
        step = inherited_step(parent.traits, self.config, self.settings.core_size, rng)
        scope = Scope(Dice(rng, self.settings, self.priors), self.config, step)
        try:
            warrior = read(parent.program.source, self.settings)
            other = None if partner is None else genome_of(read(partner.program.source, self.settings))
        except RedcodeError as error:
            return _rejected("unparsable", f"a parent is no Redcode: {error}", assignment)
        genome = genome_of(warrior)
        change = mutated(genome, scope) if other is None else crossed(genome, other, scope)
        if change is None:
            return _rejected("no_change", "no operator found anything to change", assignment)
        child = parent.program.replace(parent.program.entry, write(change.genome, warrior))
        return Proposal(child, assignment.attempt, change.summary, {STEP: step})


def _partner(assignment: Assignment) -> Entry | None:
    """Returns the first further parent whose program differs from the first one's, or None."""
    own = assignment.parents[0].program.hash
    return next((entry for entry in assignment.parents[1:] if entry.program.hash != own), None)


def _rejected(reason: Reason, message: str, assignment: Assignment) -> Rejected:
    return Rejected("propose", reason, f"{message}.", assignment.attempt)
