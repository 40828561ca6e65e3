"""Opponents: whom the candidates of a round meet."""

from __future__ import annotations

from dataclasses import replace

from speciate.engine import Run, RunConfig
from speciate.errors import ConfigError
from speciate.records import Context, Ordinal, Program, Received
from speciate.tasks import Task


def decide_company(run: Run) -> Context:
    """Says in which company the candidates of the present round are scored.

    The task's own opponents come first, then the champions of the last rounds, oldest first: of each round
    the own one, then those taken from peers after it. If they are too many, the oldest champions stay out.
    One who was champion twice is there twice, as in Digital Red Queen and DEI.
    """
    rules, own = run.config.ensemble.opponents, run.task.context
    champions = _champions(run, rules.champions)
    places = max(0, rules.max - len(own.opponents))
    chosen = champions[max(0, len(champions) - places) :]
    programs = (_program(run, champion) for champion in chosen)
    return replace(own, opponents=(*own.opponents, *programs))


def _champions(run: Run, last: int) -> list[Ordinal | Received]:
    """Returns the champions of the last rounds, oldest first: of each round the own one, then the peers'."""
    state = run.state
    first = max(0, state.round - last)
    found: list[Ordinal | Received] = []
    for number in range(first, state.round):
        champion = state.champions[number]
        found += [] if champion is None else [champion]
        found += state.peers.taken_after(number)
    return found


def _program(run: Run, champion: Ordinal | Received) -> Program:
    if isinstance(champion, Received):
        return run.journal.read_program(champion.program)
    return run.library.program(champion)


def check_opponents(task: Task, config: RunConfig) -> None:
    """Refuses settings that a late round could not keep.

    Raises:
        ConfigError: champions are wanted and none could ever join, there will be more opponents than a
            candidate can meet, or archives that begin empty are to keep old scores.
    """
    rules, own = config.ensemble.opponents, len(task.context.opponents)
    if not task.spec.evaluation.company:
        return
    if config.ensemble.archives == "round" and not config.ensemble.rescore:
        raise ConfigError(
            "ensemble.rescore=false leaves occupants their old scores, and archives of a round begin empty: "
            "set ensemble.archives=persistent, or leave ensemble.rescore as it is"
        )
    if rules.champions and own >= rules.max:
        raise ConfigError(
            f"ensemble.opponents.max is {rules.max}, and {task.name} has {own} opponents of its own: no "
            "champion could join them; raise it, or set ensemble.opponents.champions=0"
        )
    joining = min(rules.champions, config.ensemble.rounds - 1, rules.max - own)
    if task.room is not None and joining > 0 and own + joining > task.room:
        raise ConfigError(
            f"a candidate of {task.name} can meet {task.room} opponents at most, and round "
            f"{max(1, task.room - own + 2)} would have {task.room + 1}, champions among them; set "
            f"ensemble.opponents.max={task.room} or less, or fewer ensemble.opponents.champions or rounds"
        )
