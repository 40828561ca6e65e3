"""Shows how a run goes on while it goes on: one live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from speciate.cli.tally import Tally
from speciate.cli.words import clock_time
from speciate.engine import BudgetConfig, Observer, RunConfig
from speciate.records import Objective, Seconds
from speciate.reports import dollars, number

PLAIN_SECONDS: Seconds = 5.0
REDRAWS_PER_SECOND = 4
STOPPING = "Stopping: finishing what has begun (Ctrl-C or SIGTERM again: at once)"


class StopNotice(Observer):
    """Tells the user what Ctrl-C and SIGTERM do, the first time one comes."""

    def __init__(self) -> None:
        self._told = False

    def on_stop(self, reason: str) -> None:
        """Says it."""
        if not self._told:
            print(f"\n{STOPPING}", file=sys.stderr, flush=True)
        self._told = True


def progress_line(tally: Tally, objective: Objective, config: RunConfig) -> str:
    """Returns the state of a run in one line."""
    best = "none yet"
    if tally.best is not None:
        best = f"{number(objective.outward(tally.best), digits=7)} (#{tally.best_ordinal})"
    share = tally.valid_share
    rounds = config.ensemble.rounds
    parts = [
        f"round {min(tally.round + 1, rounds)}/{rounds}" if rounds else "",
        f"best {best}",
        f"valid {'-' if share is None else f'{share:.0%}'}",
        f"rejected {tally.rejected}",
        f"{tally.rate:.1f}/s",
        dollars(tally.usage.cost),
        clock_time(tally.seconds),
        _bar(tally, _caps(config)),
    ]
    return "  ".join(part for part in parts if part)


def node_line(tally: Tally, objective: Objective, config: RunConfig) -> str:
    """Returns the state of a node among several in one short line: four of them fit a small terminal."""
    best = "none yet" if tally.best is None else number(objective.outward(tally.best), digits=7)
    share = f"{min(tally.round + 1, config.ensemble.rounds)}/{config.ensemble.rounds}"
    parts = [f"round {share}", f"best {best:<9}", _bar(tally, _caps(config)), f"{tally.rate:.1f}/s"]
    return "  ".join([*parts, dollars(tally.usage.cost)] if tally.usage.calls else parts)


def _caps(config: RunConfig) -> BudgetConfig:
    """Returns the caps of a run; its rounds are one, if they propose fewer candidates."""
    rules, budget = config.ensemble, config.budget
    if not rules.rounds:
        return budget
    fresh = rules.initial * (rules.rounds if rules.archives == "round" else 1)
    planned = rules.rounds * rules.iterations * rules.children + fresh
    candidates = planned if budget.candidates is None else min(planned, budget.candidates)
    return budget.model_copy(update={"candidates": candidates})


def _bar(tally: Tally, budget: BudgetConfig, *, width: int = 10) -> str:
    """Returns the candidates so far, and how much of the cap that is nearest is used up."""
    done = max(0, tally.closed - 1)
    cap = "" if budget.candidates is None else f"/{budget.candidates}"
    spent = tally.spent(budget)
    if spent is None:
        return f"{done}{cap}"
    full = round(spent * width)
    return f"{done}{cap} [{'#' * full}{'.' * (width - full)}] {spent:.0%}"


@contextmanager
def shown(tally: Tally, objective: Objective, config: RunConfig, *, live: bool) -> Iterator[None]:
    """Shows a tally on stderr as long as the block lasts.

    Args:
        tally: what is counted.
        objective: gives the best score its direction back.
        config: rounds and caps, for the bar.
        live: whether one line is redrawn in place; else a line is printed now and then.
    """
    with shown_lines(lambda: [progress_line(tally, objective, config)], live=live):
        yield


@contextmanager
def shown_lines(lines: Callable[[], Sequence[str]], *, live: bool) -> Iterator[None]:
    """Shows lines on stderr as long as the block lasts: redrawn in place, or else printed now and then."""
    with _live(lines) if live else _plain(lines):
        yield


@contextmanager
def _live(lines: Callable[[], Sequence[str]]) -> Iterator[None]:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    def drawn() -> Text:
        told = lines()
        return Text("\n".join(told), no_wrap=len(told) > 1, overflow="ellipsis")

    with Live(
        get_renderable=drawn,
        console=Console(stderr=True),
        refresh_per_second=REDRAWS_PER_SECOND,
        transient=True,
        redirect_stdout=False,
    ):
        yield


@contextmanager
def _plain(lines: Callable[[], Sequence[str]]) -> Iterator[None]:
    ended = threading.Event()

    def tell() -> None:
        while not ended.wait(PLAIN_SECONDS):
            print(*lines(), sep="\n", file=sys.stderr, flush=True)

    thread = threading.Thread(target=tell, name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
