"""Who proposes, and by which operator: the bandit within what an island and the moment allow."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from speciate.bandits import Arms, arm_name
from speciate.engine.config import RunConfig
from speciate.engine.run import Run
from speciate.errors import ConfigError, nearest
from speciate.mutation import CROSSOVER, FIX, NEW, Proposer, draw_operator
from speciate.records import ArmsChanged
from speciate.seeds import draw_index


def arms_of(config: RunConfig, proposers: Mapping[str, Proposer]) -> Arms:
    """Returns the arms of a run. ``fix`` is none: the situation decides when it is needed.

    Raises:
        ConfigError: an island names somebody who does not propose.
    """
    for number, island in enumerate(config.population.island):
        for name in island.proposers:
            if name not in proposers:
                raise ConfigError(
                    f"population.island.{number}.proposers: there is no proposer {name!r}"
                    f"{nearest(name, proposers)}"
                )
    return Arms(config.bandit.arms, {name: _drawn(config, one) for name, one in proposers.items()})


def _drawn(config: RunConfig, proposer: Proposer) -> list[str]:
    """Returns the operators of a proposer that are ever drawn."""
    table = config.mutation.weights(proposer.operators, proposer.weights)
    usual = [name for name in proposer.operators if name != FIX and table.get(name, 0.0) > 0]
    return usual or [name for name in proposer.operators if name != FIX]


def draw_hand(run: Run, island: int, parents: int, rng: np.random.Generator) -> tuple[Proposer, str]:
    """Draws who proposes for an island and by which operator.

    Args:
        run: the run.
        island: where the candidate will live.
        parents: how many programs live there.
        rng: stream of the choice.
    """
    mix = run.config.population.on(island).proposers
    if run.config.bandit.arms == "proposers":
        proposer = _by_shares(run, mix, rng) if mix else run.proposers[run.state.bandit.pick(rng)]
        return proposer, draw_usable(run, proposer, parents, rng)
    able = [_by_shares(run, mix, rng)] if mix else list(run.proposers.values())
    return _by_arm(run, able, parents, rng)


def draw_usable(run: Run, proposer: Proposer, parents: int, rng: np.random.Generator) -> str:
    """Draws an operator; the first candidates of a round are made from nothing where that is possible."""
    if run.state.begun < run.fresh and NEW in proposer.operators:
        return NEW
    return draw_operator(
        run.config.mutation,
        proposer.operators,
        parents=parents,
        valid_parent=parents > 0,
        rng=rng,
        brought=proposer.weights,
    )


def _by_shares(run: Run, mix: Mapping[str, float], rng: np.random.Generator) -> Proposer:
    """Draws by the shares that an island gives to its proposers."""
    names = [name for name in run.proposers if mix.get(name, 0.0) > 0]
    return run.proposers[names[draw_index([mix[name] for name in names], rng)]]


def _by_arm(run: Run, able: list[Proposer], parents: int, rng: np.random.Generator) -> tuple[Proposer, str]:
    """Lets the bandit draw the operator, alone or with its proposer.

    Where the moment leaves it no choice (nothing valid to change, or a round that begins from nothing), the
    proposer is drawn evenly and the operator as ever.
    """
    kind, bandit = run.config.bandit.arms, run.state.bandit
    hands: dict[str, list[tuple[Proposer, str]]] = {}
    for proposer in able:
        for operator in _usable(run, proposer, parents):
            hands.setdefault(arm_name(kind, proposer.name, operator), []).append((proposer, operator))
    among = [arm for arm in bandit.arms if arm in hands]
    if run.state.begun < run.fresh or not among:
        proposer = able[int(rng.integers(len(able)))]
        return proposer, draw_usable(run, proposer, parents, rng)
    drawn = hands[bandit.pick(rng, among)]
    return drawn[int(rng.integers(len(drawn)))]


def _usable(run: Run, proposer: Proposer, parents: int) -> list[str]:
    """Returns the operators that can be used on an island with so many programs."""
    if not parents:
        return []
    return [name for name in _drawn(run.config, proposer) if name != CROSSOVER or parents > 1]


def decide_arms(run: Run) -> ArmsChanged | None:
    """Says how the arms of a folded run change as it goes on, or None if they do not. Changes nothing."""
    state, arms, proposers = run.state, run.arms.names, tuple(run.proposers)
    if (arms, proposers) == (state.bandit.arms, state.proposers) or not state.issued:
        return None
    return ArmsChanged(
        ordinal=state.issued - 1,
        part=str(state.rearmed + 1),
        proposers=proposers,
        arms=arms,
        kept=run.keeper is not None,
        reworded=run.reworder is not None,
    )
