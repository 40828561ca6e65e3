"""What a proposer and a filter may look at: the run as one candidate sees it."""

from __future__ import annotations

from functools import partial

from speciate.engine.advice import advice_for
from speciate.engine.proposers import is_model
from speciate.engine.rewording import wording_for
from speciate.engine.run import Run
from speciate.mutation import Assignment
from speciate.novelty import Screening
from speciate.records import INITIAL, Choice, Program, Proposal, Rejected
from speciate.seeds import stream


def assignment(run: Run, choice: Choice, tried: tuple[Rejected, ...]) -> Assignment:
    """Returns all that a proposer may look at for its next attempt."""
    attempt = len(tried)
    return Assignment(
        task=run.task,
        choice=choice,
        parents=tuple(run.standing(ordinal) for ordinal in choice.parents or (INITIAL,)),
        inspirations=tuple(run.standing(ordinal) for ordinal in choice.inspirations),
        attempt=attempt,
        rejections=tried,
        gateway=run.gateway,
        notes=advice_for(run, choice),
        wording=wording_for(run, choice),
        random=partial(stream, run.config.seed, choice.ordinal, epoch=choice.epoch, attempt=attempt),
    )


def screening(run: Run, choice: Choice, proposal: Proposal) -> Screening:
    """Returns what decides whether a program is new."""
    return Screening(
        proposal.program,
        ordinal=choice.ordinal,
        island=choice.island,
        before=run.horizon(choice),
        random=partial(stream, run.config.seed, choice.ordinal, epoch=choice.epoch, attempt=proposal.attempt),
        attempt=proposal.attempt,
        parent=original(run, choice),
        origin=choice.parents[0] if choice.parents else None,
        by_model=is_model(choice.proposer),
    )


def original(run: Run, choice: Choice) -> Program:
    """Returns the program that was to be changed."""
    if not choice.parents:
        return run.task.initial
    return run.standing(choice.parents[0]).program
