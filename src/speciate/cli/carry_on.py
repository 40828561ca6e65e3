"""Goes on with a run that exists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from speciate.cli.output import Output
from speciate.cli.session import check_consent, run_session
from speciate.cli.settings import resumed_settings
from speciate.cli.tally import Tally
from speciate.engine import Approve, Evolution, Observer, RunConfig
from speciate.engine.settings import Layer, compose
from speciate.ensembles import ensemble_of, resume
from speciate.errors import UsageError
from speciate.reports import RunFacts, read_facts
from speciate.store import RunHistory, open_reader


def carry_on(
    folder: Path, options: Sequence[Layer], assignments: Sequence[str], *, approve: bool, output: Output
) -> None:
    """Resumes a run.

    Args:
        folder: the run's folder.
        options: settings that change, for example raised caps.
        assignments: single settings, as ``--set`` takes them.
        approve: whether a person is asked before each evaluation.
        output: where the words go.

    Raises:
        UsageError: the folder holds no run, its task has changed, or a setting cannot change.
        SpeciateError: the run could not go on.
    """
    check_consent(approve)
    if (whole := ensemble_of(folder)) is not None:
        raise UsageError(f"{folder} is a node of an ensemble in one process: `speciate resume {whole}`")
    facts, tally = read_tally(folder)
    override = partial(resumed_settings, options=options, assignments=assignments)
    config: RunConfig = override(compose([facts.config]))
    output.remark(f"Going on with {facts.spec.name} in {folder}, after {max(0, tally.closed - 1)} candidates")

    def evolving(observers: Sequence[Observer], consent: Approve | None) -> Evolution:
        return resume(folder, overrides=override, observers=observers, approve=consent, signals=True)

    run_session(
        evolving,
        folder=folder,
        tally=tally,
        objective=facts.objective,
        config=config,
        output=output,
        approve=approve,
    )


def read_tally(folder: Path) -> tuple[RunFacts, Tally]:
    """Returns what a run is, and a tally that goes on where its history ends.

    Raises:
        RunFolderError: the folder holds no run.
    """
    reader = open_reader(folder)
    try:
        return read_facts(reader), Tally.after(RunHistory(reader))
    finally:
        reader.close()
