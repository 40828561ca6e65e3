"""Champions: who was best when a round ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from speciate.engine import Run
from speciate.records import Ordinal, RoundEnded


def decide_end(run: Run) -> RoundEnded | None:
    """Says how the present round ends now and who its champion is, or None while it goes on.

    The champion is the best of all archives on the first objective, c = argmax f(w) over w in A (Kumar 2026,
    https://arxiv.org/abs/2601.03335); of equals the smaller ordinal. f is the score by which w stands: where
    archives keep old scores (`EnsembleConfig.rescore` false) it may be of an earlier round, and so may the
    champion: it is never measured anew.
    """
    ended = _unmeasured(run)
    measuring = _measuring(run, ended)
    return ended if ended is None or measuring is None else replace(ended, generality=measuring())


async def end_round(run: Run) -> RoundEnded | None:
    """Says the same of a round that is being played.

    Where the task is scored in threads its champion is measured in one, too: other nodes of this process
    would have to wait otherwise.
    """
    ended = _unmeasured(run)
    measuring = _measuring(run, ended)
    if ended is None or measuring is None:
        return ended
    threads = run.config.evaluation.trusted_threads
    return replace(ended, generality=await asyncio.to_thread(measuring) if threads else measuring())


def _unmeasured(run: Run) -> RoundEnded | None:
    state, reason = run.state, run.round_over()
    if reason is None or state.open:
        return None
    best = state.population.best()
    return RoundEnded(
        ordinal=state.issued - 1,
        part=str(state.round),
        round=state.round,
        epoch=state.epoch,
        champion=None if best is None else best.ordinal,
        fitness=None if best is None else best.fitness[0],
        reason=reason,
        scored_in=None if best is None else _earlier(run, best.ordinal),
    )


def _measuring(run: Run, ended: RoundEnded | None) -> Callable[[], float] | None:
    """Returns what measures the champion's generality, or None if there is nothing to measure."""
    measure = run.task.generality
    if ended is None or ended.champion is None or measure is None:
        return None
    return partial(measure, run.library.program(ended.champion))


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
