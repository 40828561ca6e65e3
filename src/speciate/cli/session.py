"""What `run` and `resume` share: a session that shows its progress and ends in a summary."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import typer

from speciate.cli.answers import Answers
from speciate.cli.approval import Approval
from speciate.cli.ending import finish
from speciate.cli.failures import BROKEN, resumable
from speciate.cli.output import Output
from speciate.cli.progress import StopNotice, shown
from speciate.cli.tally import Tally
from speciate.engine import INTERRUPTED, Approve, Evolution, Observer, RunConfig, is_model
from speciate.errors import UsageError
from speciate.records import Json, Objective

Evolving = Callable[[Sequence[Observer], Approve | None], Evolution]
"""Runs the engine with these observers and this consent, until the run ends."""


def run_session(
    evolving: Evolving,
    *,
    folder: Path,
    tally: Tally,
    objective: Objective,
    config: RunConfig,
    output: Output,
    approve: bool,
    also: Callable[[], Mapping[str, Json]] = dict,
) -> None:
    """Runs one session of a run and tells how it ended.

    `also` says in the end what belongs to its JSON besides.

    Raises:
        typer.Exit: the run came to an end, nobody but models was to propose, and no model ever answered.
    """
    consent = Approval(folder) if approve else None
    answers = Answers()
    observers: list[Observer] = [tally, answers, StopNotice()]
    with resumable(folder):
        if output.quiet or approve:  # a redrawn line would overwrite the question
            evolution = evolving(observers, consent)
        else:
            with shown(tally, objective, config, live=sys.stderr.isatty()):
                evolution = evolving(observers, consent)
        for line in answers.silent():
            output.say(line)
        finish(output, folder, needed=evolution.needed, also=also())
    interrupted = evolution.stop_reason == INTERRUPTED
    if answers.none and not interrupted and all(map(is_model, evolution.config.models)):
        raise typer.Exit(BROKEN)


def check_consent(approve: bool) -> None:
    """Raises UsageError when consent is wanted and there is nobody to ask."""
    if approve and not sys.stdin.isatty():
        raise UsageError("--approve asks on a terminal, and stdin is none: leave it out or run on a terminal")
