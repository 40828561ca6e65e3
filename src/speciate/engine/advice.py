"""The scratchpad beside the run: when it is updated, who gets advice, and who goes without.

An update becomes due with the placement of every T-th candidate and is drafted in the background, under the
ordinal of that candidate. What it changes is noted in its turn, `lag` placements later, waiting for
the model if need be. So the advice that a candidate gets depends on how many were placed before it, not on
how fast anybody answered, and a driver that overlaps candidates seldom waits.
"""

from __future__ import annotations

from collections.abc import Iterator

from speciate.engine.run import Run
from speciate.errors import BudgetExceededError
from speciate.mutation import Proposer
from speciate.records import (
    WITHOUT_ADVICE,
    Choice,
    Chosen,
    Entry,
    Evaluated,
    Noted,
    Ordinal,
    Outcome,
    Patched,
    Placed,
    Program,
    RejectedEvent,
)
from speciate.reflection import Job, Story
from speciate.scratchpad import Draft, decide_notes
from speciate.seeds import stream


def draw_advice(run: Run, proposer: Proposer) -> int | None:
    """Draws the recommendation for the next candidate; see `Choice.advice`. Changes nothing."""
    pad, state = run.state.pad, run.state
    if pad is None or not proposer.advised or not pad.standing:
        return None
    rng = stream(run.config.seed, state.issued, "advice", epoch=state.epoch)
    if rng.random() < run.config.scratchpad.without:
        return WITHOUT_ADVICE
    numbers = list(pad.standing)
    return numbers[int(rng.integers(len(numbers)))]


def advice_for(run: Run, choice: Choice) -> str:
    """Returns what the prompt of an open candidate says: its island's notes and the scratchpad's advice."""
    notes = run.config.population.on(choice.island).notes.strip()
    return "\n\n".join(text for text in (notes, run.state.open[choice.ordinal].advice) if text)


def lag(run: Run) -> int:
    """Returns how many placements lie between the beginning of an update and its notes.

    At most one interval, so that there is one update at a time and each knows the one before.
    """
    if run.config.driver == "sequential":
        return 0
    return min(run.window, run.config.scratchpad.interval)


def owes_notes(run: Run) -> bool:
    """Whether an update must be noted before anything else is chosen or placed."""
    return run.state.pad is not None and run.state.pad.due(lag(run)) is not None


async def keep_notes(run: Run) -> None:
    """Notes the updates that must be noted now, and begins to draft what has become due.

    Where a cap forbids the model calls, the run is asked to stop and the notes stay owed.
    """
    while owes_notes(run):
        if not await _note(run):
            return
    _begin(run)


async def end_notes(run: Run, *, interrupted: bool) -> None:
    """Ends with the run: what the last candidates taught is noted, too, unless the run will go on."""
    if not interrupted:
        while run.state.pad is not None and run.state.pad.job and await _note(run):
            pass
    if run.drafting is not None:
        await run.drafting  # its replies are paid for and recorded


def _begin(run: Run) -> None:
    pad = run.state.pad
    if pad is None or pad.job is None or run.drafting is not None:
        return
    assert run.tasks is not None  # a run lives within a task group
    run.drafting = run.tasks.create_task(_draft(run, pad.job), name=f"scratchpad {pad.job.number}")


async def _note(run: Run) -> bool:
    """Notes the next update; returns whether that was possible."""
    pad = run.state.pad
    _begin(run)
    if pad is None or pad.job is None or run.drafting is None:
        return False
    drafted = await run.drafting
    run.drafting = None
    if drafted is None:
        return False
    for note in decide_notes(pad.job, pad, drafted, run.config.scratchpad.recommendations):
        run.journal.note(note)
    return True


async def _draft(run: Run, job: Job) -> Draft | None:
    """Drafts an update; None if a cap forbids it."""
    try:
        await run.journal.flush()  # what is told of candidates is read from the history
        return await draft(run, job)
    except BudgetExceededError as error:
        run.stopping = run.stopping or error.cap
        return None


async def draft(run: Run, job: Job) -> Draft:
    """Asks the keeper about the candidates of an update. Recorded replies are not asked for again.

    Raises:
        BudgetExceededError: a call would pass a cap.
    """
    pad, keeper = run.state.pad, run.keeper
    assert pad is not None  # a job comes from a pad
    assert keeper is not None  # and a pad has a keeper
    best = None if job.best is None else _best(run, job.best)
    return await keeper.draft(job, pad, list(_stories(run, job)), best)


async def decide_update(run: Run, job: Job) -> tuple[Noted, ...]:
    """Says what an update changes, from its recorded replies. Changes nothing."""
    pad = run.state.pad
    assert pad is not None
    return decide_notes(job, pad, await draft(run, job), run.config.scratchpad.recommendations)


def _best(run: Run, ordinal: Ordinal) -> Entry:
    told = _Told(run, ordinal)
    assert told.program is not None  # it has a score
    outcome = told.outcomes[max(told.outcomes)]
    return Entry(ordinal, told.program, outcome)


def _stories(run: Run, job: Job) -> Iterator[Story]:
    for ordinal in job.batch:
        told = _Told(run, ordinal)
        chosen = told.chosen
        assert chosen is not None
        parent = chosen.parents[0] if chosen.parents else None
        origin = None if parent is None else _Told(run, parent)
        yield Story(
            ordinal=ordinal,
            operator=chosen.operator,
            parent=parent,
            parent_score=None if origin is None else origin.score(chosen.epoch),
            summary=told.summary,
            program=told.program,
            origin=None if origin is None else origin.program,
            outcome=told.outcomes.get(chosen.epoch),
            rejection=told.rejection,
            gain=told.gain,
        )


class _Told:
    """What the history tells of one candidate."""

    def __init__(self, run: Run, ordinal: Ordinal) -> None:
        self.chosen: Chosen | None = None
        self.program: Program | None = None
        self.summary = ""
        self.rejection = ""
        self.gain: float | None = None
        self.outcomes: dict[int, Outcome] = {}
        for stored in run.store.events(ordinal=ordinal):
            match stored.event:
                case Chosen() as event:
                    self.chosen = event
                case Patched() as event:
                    self.program, self.summary = run.journal.program(event), event.summary
                case RejectedEvent() as event:
                    self.rejection = f"{event.reason}: {event.message}"
                case Evaluated() as event:
                    self.outcomes[event.epoch] = event.outcome
                case Placed(part="") as event:
                    self.gain = event.gain
                case _:
                    pass

    def score(self, epoch: int) -> float | None:
        """The first objective in an epoch, or None."""
        outcome = self.outcomes.get(epoch)
        return outcome.fitness[0] if outcome and outcome.fitness else None
