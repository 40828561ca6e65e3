"""What step 1 decides: island, proposer, operator, parents, inspirations and how to ask."""

from __future__ import annotations

import numpy as np

from speciate.engine.advice import draw_advice
from speciate.engine.arms import draw_hand, draw_usable
from speciate.engine.rewording import draw_wording
from speciate.engine.run import Run
from speciate.mutation import CROSSOVER, NEW, Proposer, draw_phrasing
from speciate.records import INITIAL, Choice, Ordinal
from speciate.seeds import stream
from speciate.selection import Occupants, ParentPolicy, draw_inspirations


def decide_choice(run: Run) -> Choice:
    """Says what `choose` would choose now. Changes nothing."""
    state, config = run.state, run.config
    rng = stream(config.seed, state.issued, "choose", epoch=state.epoch)
    island = int(rng.integers(state.population.islands))
    occupants = state.occupants(island)
    proposer, operator = draw_hand(run, island, len(occupants), rng)
    parents = _draw_parents(run.policy, occupants, rng, two=operator == CROSSOVER)
    if operator == CROSSOVER and len(parents) < 2:  # best-of-N knows no second one
        operator = draw_usable(run, proposer, 1, rng)
    if operator == NEW:
        return _choice(run, proposer, NEW, island)
    inspirations = (
        draw_inspirations(occupants, parents, config.inspirations, rng) if proposer.inspired else ()
    )
    return _choice(run, proposer, operator, island, parents, inspirations)


def _choice(
    run: Run,
    proposer: Proposer,
    operator: str,
    island: int,
    parents: tuple[Ordinal, ...] = (),
    inspirations: tuple[Ordinal, ...] = (),
) -> Choice:
    state = run.state
    return Choice(
        ordinal=state.issued,
        epoch=state.epoch,
        seen=state.closed,
        island=island,
        operator=operator,
        proposer=proposer.name,
        parents=parents,
        inspirations=inspirations,
        advice=draw_advice(run, proposer),
        phrasing=_draw_phrasing(run, proposer, operator),
        wording=draw_wording(run, proposer),
    )


def _draw_phrasing(run: Run, proposer: Proposer, operator: str) -> str:
    """Draws how the proposer's model is asked; see `Choice.phrasing`."""
    weights = proposer.phrasings(run.task, operator)
    if not weights:
        return "default"
    state = run.state
    return draw_phrasing(weights, stream(run.config.seed, state.issued, "phrasing", epoch=state.epoch))


def _draw_parents(
    policy: ParentPolicy, occupants: Occupants, rng: np.random.Generator, *, two: bool
) -> tuple[Ordinal, ...]:
    """Draws a parent and, where `two` are wanted, another to cross it with if the policy knows one."""
    if not occupants:
        return (INITIAL,)
    first = policy.draw(occupants, rng)
    if not two or not (others := occupants.without(first)):
        return (first,)
    second = policy.draw(others, rng)
    return (first, second) if second != first else (first,)
