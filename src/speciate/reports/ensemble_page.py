"""The report of an ensemble: one Markdown page and its pictures."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from speciate.archives import GridArchive
from speciate.errors import MissingExtraError, RunFolderError
from speciate.files import write_whole
from speciate.records import Axis, Cell, Published
from speciate.reports.canvas import axis_label
from speciate.reports.ensemble import EnsembleSummary, merged_map, missing_words
from speciate.reports.manifest import read_facts
from speciate.reports.markup import Table, as_markdown
from speciate.reports.pictures import draw_archive_map, draw_by_round
from speciate.reports.words import number
from speciate.statistics import Diversity, cell_distributions, diversity, expected_mixtures
from speciate.store import RunHistory

PAGE = "report.md"
MERGED_MAP, SCORES, GENERALITY, CELLS = "merged.png", "champions.png", "generality.png", "cells.png"
PICTURES: Mapping[str, str] = {
    MERGED_MAP: "The merged archive",
    GENERALITY: "Generality of the champions",
    SCORES: "Score of the champions",
    CELLS: "Cells that each node fills after a round, on its own map",
}
"""All that may be drawn, in the order of the page, with what it shows."""

MOST_MIXTURES = 40
"""Mixtures that are predicted at most; of more nodes or proposers there are thousands."""


def write_ensemble_report(
    summary: EnsembleSummary, histories: Mapping[str, RunHistory], out: Path
) -> list[Path]:
    """Writes the report of an ensemble; equal histories give equal files.

    Args:
        summary: how it stands, merged or not.
        histories: of its nodes, by name.
        out: the folder; made if it is not there, and an earlier report in it replaced.

    Returns:
        The page, then the pictures; none of these where matplotlib is not installed.

    Raises:
        RunFolderError: the report cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        pictures, missing = _draw_all(summary, histories, out)
        page = out / PAGE
        write_whole(page, ensemble_page(summary, histories, pictures, missing))
    except OSError as error:
        raise RunFolderError(f"the report cannot be written to {out}: {error.strerror or error}") from error
    return [page, *(out / name for name in pictures)]


def ensemble_page(
    summary: EnsembleSummary,
    histories: Mapping[str, RunHistory],
    pictures: Sequence[str] = (),
    missing: str | None = None,
) -> str:
    """Returns the page in Markdown.

    Args:
        summary: how the ensemble stands.
        histories: of its nodes, by name.
        pictures: names of the pictures beside the page.
        missing: why there are none, or None.
    """
    parts = [f"# {summary.task}: {summary.size}, seed {summary.seed}, {summary.status}"]
    parts += [as_markdown(nodes_table(summary)), *missing_words(summary.missing), _merged_words(summary)]
    parts += [f"![{PICTURES[name]}]({name})" for name in pictures]
    parts += [] if missing is None else [f"No pictures: {missing}."]
    parts += ["## Champions on their way", as_markdown(links_table(summary)), _exchange_words(summary)]
    parts += _diversity_parts(summary, histories)
    return "\n\n".join(parts) + "\n"


def nodes_table(summary: EnsembleSummary) -> Table:
    """Returns the table of the nodes."""
    head = (
        "node", "proposer", "best ", "coverage ", "QD-Score ", "generality ", "η ", "η received ",
        "calls ", "evaluations ", "scored again ", "status",
    )  # fmt: skip
    rows = []
    for node in summary.nodes:
        found, counts = node.quality, node.summary.counts
        best = None if found is None or found.best is None else summary.objective.outward(found.best)
        rows.append(
            (
                node.name,
                ", ".join(node.proposers),
                maybe(best),
                share(None if found is None else found.coverage),
                maybe(None if found is None else found.qd_score),
                share(node.generality),
                maybe(node.novelty),
                maybe(node.opening),
                str(node.calls),
                str(counts.evaluations),
                str(counts.rescored),
                node.summary.status,
            )
        )
    caption = "Best, coverage and QD-Score are those of the common company, in which nodes can be compared."
    return Table(caption, head, tuple(rows))


def links_table(summary: EnsembleSummary) -> Table:
    """Returns the table of the links."""
    head = ("from", "to", "received ", "opened a cell ", "rejected ", "bytes ", "mean age ", "oldest ")
    rows = [
        (
            link.sender,
            link.receiver,
            str(link.received),
            str(link.opened),
            str(link.rejected),
            str(link.size),
            maybe(link.age),
            "–" if link.oldest is None else str(link.oldest),
        )
        for link in summary.links
    ]
    caption = (
        "Age: the receiver's round less the sender's; above 0 the champion is of an earlier round, below 0 "
        "of a later one."
    )
    return Table(caption, head, tuple(rows))


def maybe(value: float | None) -> str:
    """Returns a number with few digits, or a dash for None."""
    return "–" if value is None else number(value, digits=4)


def share(value: float | None) -> str:
    """Returns a share in percent, or a dash for None."""
    return "–" if value is None else f"{value:.1%}"


def _merged_words(summary: EnsembleSummary) -> str:
    merged, found = summary.merged, summary.quality
    if merged is None or found is None:
        return "The archives are not merged yet."
    of = "" if merged.cells is None else f" of {merged.cells}"
    words = (
        f"**Merged:** {found.filled}{of} cells, coverage {share(found.coverage)}, QD-Score "
        f"{maybe(found.qd_score)} (offset {number(summary.offset)}). All elites were scored once more in one "
        f"company of {merged.opponents} opponents: the task's own and each node's last champion. That took "
        f"{merged.evaluations} evaluations, which are no part of the search; {merged.reused} elites were the "
        "same program as another."
    )
    if merged.left_out:
        words += f" There was no room for the champions of {', '.join(merged.left_out)}."
    if sum(merged.invalid.values()):
        words += f" {sum(merged.invalid.values())} elites had no score in this company."
    return words


def _exchange_words(summary: EnsembleSummary) -> str:
    total = summary.champions
    return (
        f"{total.published} champions were published, {total.received} received, {total.opened} opened an "
        f"empty cell, {total.rejected} were rejected."
    )


def _diversity_parts(summary: EnsembleSummary, histories: Mapping[str, RunHistory]) -> list[str]:
    axes = () if summary.merged is None else summary.merged.axes
    if not axes:
        return []
    counts, tries = proposer_cells(histories, axes)
    names, shares = cell_distributions(counts, tries)
    found = diversity(names, shares)
    if found.vendi is None or len(found.names) < 2:
        return []
    words = (
        f"By where their programs fall, these {len(found.names)} proposers count as {found.vendi:.2f} "
        "different ones (Vendi score over Bhattacharyya coefficients). Within an ensemble they build on each "
        "other's champions: solo runs tell them apart better."
    )
    parts = ["## How different the proposers are", words, as_markdown(_pairs_table(found))]
    return parts + _predicted(names, shares, tries)


def _pairs_table(found: Diversity) -> Table:
    rows = []
    for row, one in enumerate(found.names):
        for column in range(row + 1, len(found.names)):
            apart, shared = found.divergence[row, column], found.overlap[row, column]
            rows.append((one, found.names[column], f"{apart:.3f}", f"{shared:.1%}"))
    return Table("Pairs of proposers.", ("one", "other", "divergence, bits ", "overlap "), tuple(rows))


def _predicted(names: Sequence[str], shares: np.ndarray, tries: Mapping[str, int]) -> list[str]:
    """Predicts mixtures of as many nodes as there are proposers, at the mean number of calls."""
    calls = round(sum(tries[name] for name in names) / len(names))
    mixtures = list(expected_mixtures(names, shares, nodes=len(names), calls=calls)) if len(names) < 5 else []
    if not 0 < len(mixtures) <= MOST_MIXTURES:
        return []
    best = sorted(mixtures, key=lambda mixture: (-mixture.cells, mixture.proposers))[:10]
    rows = tuple((", ".join(mixture.proposers), f"{mixture.cells:.1f}") for mixture in best)
    caption = f"Cells that mixtures at {calls} calls a node are expected to fill, by independent draws."
    return [as_markdown(Table(caption, ("proposers", "expected cells "), rows))]


def proposer_cells(
    histories: Mapping[str, RunHistory], axes: Sequence[Axis]
) -> tuple[dict[str, dict[Cell, int]], dict[str, int]]:
    """Counts where the programs of each proposer fell, in whatever company they were first scored.

    Args:
        histories: of runs, by name; one whose axes are others is left out.
        axes: of the map.

    Returns:
        By proposer, programs by cell, and proposals in all.
    """
    grid = GridArchive(axes)
    counts: dict[str, dict[Cell, int]] = {}
    tries: dict[str, int] = {}
    for history in histories.values():
        if [axis.name for axis in read_facts(history.reader).axes] != [axis.name for axis in axes]:
            continue
        for candidate in history.candidates.values():
            if candidate.choice.planted:
                continue
            name = candidate.choice.proposer
            tries[name] = tries.get(name, 0) + 1
            found, outcome = counts.setdefault(name, {}), candidate.outcome_in(candidate.choice.epoch)
            descriptor = None if outcome is None or outcome.result is None else outcome.result.descriptor
            if descriptor is not None:
                cell = grid.locate(descriptor)
                found[cell] = found.get(cell, 0) + 1
    return counts, tries


def _draw_all(
    summary: EnsembleSummary, histories: Mapping[str, RunHistory], out: Path
) -> tuple[list[str], str | None]:
    """Draws what there is to draw; returns the names, and why none could be drawn or None."""
    for name in PICTURES:  # one of an earlier report must not stand beside the new page
        (out / name).unlink(missing_ok=True)
    drawn = _pictures(summary, histories)
    try:
        for name, draw in drawn.items():
            draw(out / name)
    except MissingExtraError as error:
        return [], str(error)
    return [name for name in PICTURES if name in drawn], None


def _pictures(
    summary: EnsembleSummary, histories: Mapping[str, RunHistory]
) -> dict[str, Callable[[Path], None]]:
    drawn: dict[str, Callable[[Path], None]] = {}
    objective, task = summary.objective, summary.task
    cells = None if summary.merged is None else merged_map(summary.merged, objective)
    if cells is not None and cells.filled:
        drawn[MERGED_MAP] = lambda path: draw_archive_map(cells, objective, f"{task}: merged archive", path)
    rounds = {node.name: node.summary.rounds for node in summary.nodes}
    scores = {name: [one.score for one in played] for name, played in rounds.items()}
    shares = {name: [one.generality for one in played] for name, played in rounds.items()}
    filled = {name: _filled(history) for name, history in histories.items()}
    curves = {
        SCORES: (scores, f"in its own company: {axis_label(objective)}"),
        GENERALITY: (shares, "share of held-out opponents beaten or tied"),
        CELLS: (filled, "filled cells"),
    }
    for name, (values, label) in curves.items():
        if any(value is not None for line in values.values() for value in line):
            drawn[name] = partial(draw_by_round, values, label, f"{task}: {PICTURES[name].lower()}")
    return drawn


def _filled(history: RunHistory) -> list[float | None]:
    """Returns how many cells a node said it fills, after each round; None where it named none."""
    heads = [event.announcement.text for event in history.exchange if isinstance(event, Published)]
    cells = [json.loads(history.reader.text(head)).get("cells") for head in heads]
    return [float(len(named)) if named else None for named in cells]
