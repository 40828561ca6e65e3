"""The scratchpad beside the run: who gets advice, who goes without, and how an update is made."""

from __future__ import annotations

from typing_extensions import override

from speciate.engine.chore import Chore
from speciate.engine.run import Decide, Run
from speciate.engine.told import entry_of, stories
from speciate.mutation import Proposer
from speciate.records import WITHOUT_ADVICE, Aside, Choice
from speciate.reflection import Agenda, Job
from speciate.scratchpad import decide_notes
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


class ScratchpadChore(Chore):
    """Keeps the scratchpad."""

    about: Aside = "scratchpad"

    @override
    def agenda(self, run: Run) -> Agenda | None:
        return run.state.pad

    @override
    def interval(self, run: Run) -> int:
        return run.config.scratchpad.interval

    @override
    async def draft(self, run: Run, job: Job) -> Decide:
        pad, keeper, most = run.state.pad, run.keeper, run.config.scratchpad.recommendations
        assert pad is not None  # a job comes from a pad
        assert keeper is not None  # and a pad has a keeper
        best = None if job.best is None else entry_of(run, job.best)
        drafted = await keeper.draft(job, pad, stories(run, job.batch), best)
        return lambda: decide_notes(job, pad, drafted, most)
