"""What is said about an ensemble: the merged map, the table of nodes, the files, and all of it in JSON."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from speciate.cli.heat_map import heat_map
from speciate.cli.output import Output, columns
from speciate.cli.programs import BEST, write_best, write_champions, write_program
from speciate.cli.views import View
from speciate.engine import RunConfig
from speciate.ensembles import (
    Ensemble,
    check_nodes,
    elites_of,
    merge_nodes,
    missing_nodes,
    node_folder,
    open_histories,
    read_ensemble,
    read_merged,
    write_merged,
)
from speciate.errors import MissingExtraError, RunFolderError, TaskError, UsageError
from speciate.records import Merged, NodeElites, Program
from speciate.reports import (
    EnsembleSummary,
    dollars,
    draw_archive_map,
    merged_map,
    missing_words,
    number,
    summarise_ensemble,
    write_ensemble_report,
)
from speciate.store import RunHistory
from speciate.tasks import Task, load_task

ELITES = "elites"
"""Folder within an ensemble's folder that holds the programs of the merged archive."""

PICTURE = "merged.png"
"""File in an ensemble's folder that shows the merged archive."""


def finish_ensemble(ensemble: Ensemble, task: Task, folder: Path, output: Output) -> None:
    """Merges what the nodes of a session came to, writes the programs and tells how it went."""
    for end in ensemble.nodes:
        if end.error is not None:
            output.say(f"NODE {end.name} FAILED: {end.error}")
    failed = {end.name: str(end.error) for end in ensemble.nodes if end.error is not None}
    with open_histories(folder, ensemble.config) as histories:
        for name, history in histories.items():
            write_best(history, node_folder(folder, name))
            write_champions(history, node_folder(folder, name))
        merged = _known(folder, elites_of(histories), output)
        if merged is None:
            merged = _merge(folder, ensemble.config, task, histories, output)
        summary = _summary(folder, ensemble.config, histories, merged)
    output.say(*describe_ensemble(summary), *_files(merged, summary, folder, output))
    output.say("", *_next(summary, folder))
    output.result({**summary.as_json(), "failed": failed})


def show_ensemble(folder: Path, view: View, output: Output) -> None:
    """Shows how an ensemble stands, also while it goes on, or its best program. Evaluates nothing.

    Raises:
        UsageError: the folder holds no ensemble that has begun, or others than its own nodes; there is no
            best program yet, or something is asked for that only a single node can tell.
        StoreError: a history cannot be read.
    """
    view.check()
    source, config = read_ensemble(folder)
    check_nodes(folder, source, config)
    if replace(view, best=False, write=None) != View():
        raise UsageError(f"that is asked of one node: `speciate show {node_folder(folder, 'NAME')} …`")
    with open_histories(folder, config) as histories:
        merged = _known(folder, elites_of(histories), output)
        summary = _summary(folder, config, histories, merged)
    if not view.best:
        output.say(*describe_ensemble(summary), "", *_next(summary, folder))
        output.result(summary.as_json())
        return
    found = None if merged is None else merged.best
    if found is None:
        raise UsageError(f"the archives are not merged as they stand: `speciate report {folder}` does that")
    if view.write is not None:
        output.remark(f"Written: {write_program(found.program, view.write)}")
    output.say(found.program.source)
    output.result({"node": found.node, "ordinal": found.ordinal, "files": dict(found.program.files)})


def report_ensemble(folder: Path, out: Path | None, output: Output) -> None:
    """Writes the report of an ensemble; merges the archives first unless that is done.

    Raises:
        UsageError: the folder holds no ensemble that has begun, or others than its own nodes; or its task is
            not there any more.
        StoreError: a history cannot be read.
    """
    source, config = read_ensemble(folder)
    check_nodes(folder, source, config)
    with open_histories(folder, config) as histories:
        merged = _known(folder, elites_of(histories), output)
        if merged is None:
            merged = _merge(folder, config, _task(source, config), histories, output)
        summary = _summary(folder, config, histories, merged)
        files = write_ensemble_report(summary, histories, folder / "report" if out is None else out)
    for line in missing_words(summary.missing):
        output.remark(line)
    output.say(*map(str, files))
    if len(files) == 1:
        output.remark("Without pictures; the page says why")
    output.result({**summary.as_json(), "files": files})


def _task(source: str | None, config: RunConfig) -> Task:
    if source is None:
        raise TaskError("this ensemble's task was built in Python: call merge_nodes of speciate.ensembles")
    return load_task(source, config.task.parameters)


def _known(folder: Path, nodes: Sequence[NodeElites], output: Output) -> Merged | None:
    """Returns the merged archive that is kept, or None; a damaged one is told, and is as good as none."""
    try:
        return read_merged(folder, nodes)
    except RunFolderError as error:
        output.remark(f"{error}: the archives count as not merged")
        return None


def _merge(
    folder: Path, config: RunConfig, task: Task, histories: Mapping[str, RunHistory], output: Output
) -> Merged:
    nodes = elites_of(histories)
    output.remark(f"Scoring {sum(len(node.elites) for node in nodes)} elites in one company")
    merged = merge_nodes(task, config, nodes)
    write_merged(merged, folder)
    return merged


def _summary(
    folder: Path, config: RunConfig, histories: Mapping[str, RunHistory], merged: Merged | None
) -> EnsembleSummary:
    folders = {name: node_folder(folder, name) for name in histories}
    missing = missing_nodes(folder, config, histories)
    return summarise_ensemble(
        histories, merged, seed=config.seed, folder=folder, folders=folders, missing=missing
    )


def describe_ensemble(summary: EnsembleSummary) -> list[str]:
    """Returns a summary in words, a line an item."""
    counts = [node.summary.counts for node in summary.nodes]
    proposed, seconds = sum(one.proposed for one in counts), summary.seconds
    lines = [
        f"{summary.task}, {summary.size}, seed {summary.seed}: {summary.status}",
        f"{proposed} candidates, {sum(node.calls for node in summary.nodes)} calls, {dollars(summary.cost)}, "
        f"{seconds:.0f} s wall time",
        *columns(_rows(summary)),
        *missing_words(summary.missing),
        _merged_line(summary),
        _exchange_line(summary),
    ]
    cells = None if summary.merged is None else merged_map(summary.merged, summary.objective)
    return lines if cells is None else [*lines, "", *heat_map(cells, "Merged archive")]


def _rows(summary: EnsembleSummary) -> list[Sequence[str]]:
    head = ("node", "proposer", "best", "coverage", "QD-Score", "generality", "η", "calls", "")
    rows: list[Sequence[str]] = [head]
    for node in summary.nodes:
        found = node.quality
        best = None if found is None or found.best is None else summary.objective.outward(found.best)
        rows.append(
            (
                node.name,
                ", ".join(node.proposers),
                number(best),
                _share(None if found is None else found.coverage),
                number(None if found is None else found.qd_score),
                _share(node.generality),
                number(node.novelty, digits=3),
                str(node.calls),
                "" if node.summary.status == "finished" else node.summary.status,
            )
        )
    return rows


def _merged_line(summary: EnsembleSummary) -> str:
    merged, found = summary.merged, summary.quality
    if merged is None or found is None:
        return "The archives as they stand are not merged yet: scores of different nodes cannot be compared."
    of = "" if merged.cells is None else f" of {merged.cells}"
    company = f"against {merged.opponents} common opponents" if merged.opponents else "in the common company"
    words = (
        f"Merged: {found.filled}{of} cells, coverage {_share(found.coverage)}, QD-Score "
        f"{number(found.qd_score)} (offset {number(summary.offset)}); all scored once more {company} "
        f"({merged.evaluations} evaluations)"
    )
    return (
        words
        if not merged.left_out
        else f"{words}; no room for the champions of {', '.join(merged.left_out)}"
    )


def _exchange_line(summary: EnsembleSummary) -> str:
    total = summary.champions
    return (
        f"Champions: {total.published} published, {total.received} received, {total.opened} opened an empty "
        f"cell, {total.rejected} rejected"
    )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def _files(merged: Merged, summary: EnsembleSummary, folder: Path, output: Output) -> list[str]:
    """Writes the programs of the merged archive and its picture; returns what is said of them."""
    lines = [""]
    if merged.best is not None:
        lines.append(f"Best: {write_program(merged.best.program, folder / BEST)}")
        lines.append(f"Elites: {write_elites(merged, folder)}, the best first")
    cells = merged_map(merged, summary.objective)
    if cells is None or not cells.filled:
        return lines
    try:
        draw_archive_map(cells, summary.objective, f"{summary.task}: merged archive", folder / PICTURE)
    except MissingExtraError as error:
        output.remark(f"No picture: {error}")
        return lines
    except OSError as error:
        raise RunFolderError(f"{folder / PICTURE} cannot be written: {error.strerror or error}") from error
    return [*lines, f"Picture: {folder / PICTURE}"]


def write_elites(merged: Merged, folder: Path) -> Path:
    """Writes the programs of the merged archive, named by rank, node and number; replaces earlier ones."""
    place = folder / ELITES
    shutil.rmtree(place, ignore_errors=True)
    ranked = sorted(merged.elites, key=lambda elite: (-elite.score, elite.cell))
    for rank, elite in enumerate(ranked, 1):
        program, name = elite.program, f"{rank:03}-{elite.node}-{elite.ordinal}"
        if len(program.files) > 1:
            write_program(program, place / name)
        else:
            whole = Program(((name + PurePath(program.entry).suffix, program.source),))
            write_program(whole, place)
    return place


def _next(summary: EnsembleSummary, folder: Path) -> list[str]:
    where = shlex.quote(str(folder))
    node = shlex.quote(str(node_folder(folder, summary.nodes[0].name)))
    rows = [
        (f"speciate report {where}", "merged map, curves, exchange of champions"),
        (f"speciate show {where} --best", "the best program"),
        (f"speciate show {node}", "one node, which is a run like any other"),
    ]
    if summary.status in ("interrupted", "killed", "stopped"):
        rows.append((f"speciate resume {where}", "go on"))
    return ["Next:", *columns(rows)]
