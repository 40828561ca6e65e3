"""Champions: who was best when a round ended."""

from __future__ import annotations

from collections.abc import Sequence

from speciate.engine import Run
from speciate.records import Ordinal, RoundEnded


def decide_end(run: Run) -> RoundEnded | None:
    """Says how the present round ends now and who its champion is, or None while it goes on.

    The champion is the best of all archives on the first objective, c = argmax f(w) over w in A (Kumar 2026,
    https://arxiv.org/abs/2601.03335); of equals the smaller ordinal. f is the score by which w stands: where
    archives keep old scores (`EnsembleConfig.rescore` false) it may be of an earlier round, and so may the
    champion: it is never measured anew.
    """
    state, reason = run.state, run.round_over()
    if reason is None or state.open:
        return None
    best, measure = state.population.best(), run.task.generality
    return RoundEnded(
        ordinal=state.issued - 1,
        part=str(state.round),
        round=state.round,
        epoch=state.epoch,
        champion=None if best is None else best.ordinal,
        fitness=None if best is None else best.fitness[0],
        reason=reason,
        scored_in=None if best is None else _earlier(run, best.ordinal),
        generality=None if best is None or measure is None else measure(run.library.program(best.ordinal)),
    )


def _earlier(run: Run, ordinal: Ordinal) -> int | None:
    """Returns the epoch of a candidate's score, or None if that is the present one."""
    scored = run.state.company_of(ordinal).epoch
    return None if scored == run.state.epoch else scored


def past_champions(run: Run, last: int | None = None) -> Sequence[Ordinal]:
    """Returns the champions of the rounds before the present one, oldest first; repeats stay.

    Args:
        run: whose.
        last: only those of so many rounds before, or None for all.
    """
    champions = run.state.champions
    recent = champions if last is None else champions[len(champions) - min(last, len(champions)) :]
    return [ordinal for ordinal in recent if ordinal is not None]
