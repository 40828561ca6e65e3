"""What models do for the run as a whole, beside the candidates: now and then, in the background.

An update becomes due with the placement of every T-th candidate and is drafted in the background, under the
ordinal of that candidate. What it changes is noted in its turn, `lag` placements later, waiting for
the model if need be. So what a candidate is given depends on how many were placed before it, not on
how fast anybody answered, and a driver that overlaps candidates seldom waits.
"""

from __future__ import annotations

from speciate.engine.advice import ScratchpadChore
from speciate.engine.chore import Chore
from speciate.engine.rewording import WordingsChore
from speciate.engine.run import Decide, Run
from speciate.errors import BudgetExceededError
from speciate.records import Noted, Reworded
from speciate.reflection import Job

SCRATCHPAD, WORDINGS = ScratchpadChore(), WordingsChore()

CHORES: tuple[Chore, ...] = (SCRATCHPAD, WORDINGS)
"""All chores, in the order in which they are noted where several are due."""


def chore_of(event: Noted | Reworded) -> Chore:
    """Returns the chore that an event is an update of."""
    return SCRATCHPAD if isinstance(event, Noted) else WORDINGS


def lag(run: Run, chore: Chore) -> int:
    """Returns how many placements lie between the beginning of an update and its notes.

    At most one interval, so that there is one update of a chore at a time and each knows the one before.
    """
    return 0 if run.config.driver == "sequential" else min(run.window, chore.interval(run))


def owes_notes(run: Run) -> bool:
    """Whether an update must be noted before anything else is chosen or placed."""
    return any(_owed(run, chore) for chore in CHORES)


def _owed(run: Run, chore: Chore) -> bool:
    agenda = chore.agenda(run)
    return agenda is not None and agenda.due(lag(run, chore)) is not None


async def keep_notes(run: Run) -> None:
    """Notes the updates that must be noted now, and begins to draft what has become due.

    Where a cap forbids the model calls, the run is asked to stop and the notes stay owed.
    """
    for chore in CHORES:
        while _owed(run, chore):
            if not await _note(run, chore):
                return
    for chore in CHORES:
        _begin(run, chore)


async def end_notes(run: Run, *, interrupted: bool) -> None:
    """Ends with the run: what the last candidates taught is noted, too, unless the run will go on."""
    for chore in CHORES:
        while not interrupted and _job(run, chore) is not None and await _note(run, chore):
            pass
    for drafting in run.drafting.values():
        await drafting  # its replies are paid for and recorded


def _job(run: Run, chore: Chore) -> Job | None:
    agenda = chore.agenda(run)
    return None if agenda is None else agenda.job


def _begin(run: Run, chore: Chore) -> None:
    job = _job(run, chore)
    if job is None or chore.about in run.drafting:
        return
    assert run.tasks is not None  # a run lives within a task group
    name = f"{chore.about} {job.number}"
    run.drafting[chore.about] = run.tasks.create_task(_draft(run, chore, job), name=name)


async def _note(run: Run, chore: Chore) -> bool:
    """Notes the next update; returns whether that was possible."""
    _begin(run, chore)
    drafting = run.drafting.get(chore.about)
    if drafting is None:
        return False
    decide = await drafting
    del run.drafting[chore.about]
    if decide is None:
        return False
    for note in decide():
        run.journal.note(note)
    return True


async def _draft(run: Run, chore: Chore, job: Job) -> Decide | None:
    """Drafts an update; None if a cap forbids it."""
    try:
        await run.journal.flush()  # what is told of candidates is read from the history
        return await chore.draft(run, job)
    except BudgetExceededError as error:
        run.stopping = run.stopping or error.cap
        return None
