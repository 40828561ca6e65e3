"""Programs that behave like an occupant of the archive: told apart, and kept if settings say so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from speciate.novelty import BehaviourIndex
from speciate.records import Choice, Ordinal, Outcome, Placed, PlacementKind, Result

if TYPE_CHECKING:
    from speciate.engine.config import RunConfig
    from speciate.engine.library import Library
    from speciate.engine.run import Run
    from speciate.engine.state import State


def build_behaviour(config: RunConfig, state: State, library: Library) -> BehaviourIndex:
    """Builds what finds occupants that behave like a newcomer."""

    def result(ordinal: Ordinal) -> Result | None:
        if state.company_of(ordinal).hash != state.context_hash:  # it did that against others
            return None
        entry = library.find(ordinal, state.context_hash)
        return None if entry is None else entry.outcome.result

    return BehaviourIndex(config.novelty.behaviour, result)


def beside_twin(run: Run, choice: Choice, outcome: Outcome | None, placed: Placed) -> Placed:
    """Returns a placement with the occupant of the candidate's island that behaves the same, if there is one.

    Changes nothing. Where settings do not keep such programs, it lands nowhere, unless it scores higher than
    the one that it behaves like or is the best of all.
    """
    if choice.planted or outcome is None or outcome.result is None:
        return placed
    state, result = run.state, outcome.result
    twin = run.behaviour.twin(result, state.population.columns(choice.island).ordinals, state.context_hash)
    if twin is None:
        return placed
    member = state.population.member(twin)
    better = placed.best or member is None or result.objectives[0] > member.fitness[0]
    if run.behaviour.config.keep or better:
        return replace(placed, twin=twin)
    nowhere = tuple(
        (island, replace(placement, kind=PlacementKind.NOT_KEPT, evicted=()))
        for island, placement in placed.placements
    )
    return replace(placed, twin=twin, placements=nowhere)
