"""Rounds: a search in one company, a champion, and the next round against it."""

from __future__ import annotations

from speciate.engine import Course, Homes, Run, decide_rescored, in_order, open_epoch, plant, plant_received
from speciate.ensembles.champions import decide_end, end_round, past_champions
from speciate.ensembles.exchange import Exchange
from speciate.ensembles.opponents import check_opponents, decide_company
from speciate.ensembles.transport import Halted
from speciate.records import Context, RoundEnded

LAST_ROUND = "rounds"
"""Stop reason of a run whose rounds are all played."""


class RedQueenRounds:
    """Plays the rounds of one node: Digital Red Queen (Kumar 2026, https://arxiv.org/abs/2601.03335).

    A task without company has rounds too: they end in champions and nobody is scored again. With an exchange
    the node is one of several, as in DEI (arXiv 2605.27130): after each round it publishes its champion, and
    the champions it takes from others join its opponents and are sown into its archive.

    Args:
        exchange: how it exchanges champions with other nodes, or None if it is alone.
    """

    def __init__(self, exchange: Exchange | None = None) -> None:
        self._exchange = exchange

    async def play(self, run: Run, course: Course) -> str:
        """See `speciate.engine.Rounds.play`."""
        check_opponents(run.task, run.config)
        if self._exchange is not None:
            await self._exchange.open(run)
        while await self._caught_up(run) and run.state.round < run.config.ensemble.rounds:
            await self._begin(run)
            if run.stopping is not None:  # perhaps while the archives were scored again
                return run.stopping
            reason = await course(run)
            ended = await end_round(run)
            if ended is None:  # the run was stopped within the round
                return reason
            await run.journal.write(ended)
        if run.stopping is None:
            await plant_received(run)
        return run.stopping or LAST_ROUND

    async def _caught_up(self, run: Run) -> bool:
        """Exchanges champions after the round that ended last, unless that is done.

        Returns:
            False if the run was asked to stop meanwhile; it will drain when it goes on.
        """
        last = run.state.round - 1
        if self._exchange is not None and run.state.peers.drained <= last:
            try:
                await self._exchange.after_round(run, last)
            except Halted:
                return False
        return True

    async def _begin(self, run: Run) -> None:
        """Brings the round to where its first candidate can be chosen; goes on where a crash ended it."""
        if not run.task.spec.evaluation.company:
            await plant_received(run)
            return
        if run.state.epoch < run.state.round:
            homes = self.decide_homes(run)
            await open_epoch(run, self.decide_company(run), homes, kept=homes is None)
        if run.state.round == 0 and run.config.ensemble.archives == "round":
            await _plant_opponents(run)
        if run.stopping is None:
            await plant_received(run)

    def decide_end(self, run: Run) -> RoundEnded | None:
        """See `speciate.engine.Rounds.decide_end`."""
        return decide_end(run)

    def decide_company(self, run: Run) -> Context:
        """See `speciate.engine.Rounds.decide_company`."""
        return decide_company(run)

    def decide_homes(self, run: Run) -> Homes | None:
        """See `speciate.engine.Rounds.decide_homes`.

        Persistent archives keep whoever lives in them, with `EnsembleConfig.rescore` or without. Others
        begin with what was planted and the champions of the last rounds, on every island.
        """
        rules, islands = run.config.ensemble, range(run.state.population.islands)
        if rules.archives == "persistent":
            return decide_rescored(run) if rules.rescore else None
        last = rules.opponents.champions
        warm = {*range(_planted(run)), *past_champions(run, last)}
        return in_order((island, ordinal) for island in islands for ordinal in warm)


def _planted(run: Run) -> int:
    """Returns how many programs were planted: the first so many ordinals are theirs."""
    return run.state.issued - run.state.proposed - run.state.peers.sown


async def _plant_opponents(run: Run) -> None:
    """Lets the task's own opponents be candidates of the first round, before anybody proposes."""
    if run.state.proposed:
        return
    waiting = [program for program in run.task.context.opponents if program.hash != run.task.initial.hash]
    done = _planted(run) - 1 - len(run.state.seeded)
    for number, program in enumerate(waiting[done:], start=done + 1):
        await plant(run, program, f"opponent {number} of the first round")
