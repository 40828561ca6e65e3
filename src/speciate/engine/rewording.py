"""Wordings of the system prompt beside the run: who is shown which, and how another one is made."""

from __future__ import annotations

from functools import partial

from typing_extensions import override

from speciate.engine.chore import Chore
from speciate.engine.run import Decide, Run
from speciate.engine.told import stories
from speciate.mutation import Proposer
from speciate.records import Aside, Choice
from speciate.reflection import Agenda, Job
from speciate.seeds import stream
from speciate.wordings import decide_wording


def draw_wording(run: Run, proposer: Proposer) -> int | None:
    """Draws the wording that the next candidate's model is shown; see `Choice.wording`. Changes nothing."""
    wordings, state = run.state.wordings, run.state
    if wordings is None or not proposer.worded:
        return None
    return wordings.draw(stream(run.config.seed, state.issued, "wording", epoch=state.epoch))


def wording_for(run: Run, choice: Choice) -> str:
    """Returns what the system prompt of a candidate begins with; empty for the task's own."""
    wordings = run.state.wordings
    return "" if wordings is None else wordings.text(choice.wording)


class WordingsChore(Chore):
    """Asks for another wording."""

    about: Aside = "wordings"

    @override
    def agenda(self, run: Run) -> Agenda | None:
        return run.state.wordings

    @override
    def interval(self, run: Run) -> int:
        return run.config.prompts.evolve.interval

    @override
    async def draft(self, run: Run, job: Job) -> Decide:
        wordings, reworder = run.state.wordings, run.reworder
        assert wordings is not None  # a job comes from wordings
        assert reworder is not None  # and they have somebody who varies them
        drafted = await reworder.draft(job, wordings, partial(stories, run))
        return lambda: (decide_wording(job, wordings, drafted),)
