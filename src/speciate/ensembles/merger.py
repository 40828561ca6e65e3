"""Merging an ensemble that lies in a folder, and what is kept of it there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from speciate.engine import RunConfig
from speciate.ensembles.folders import node_folder
from speciate.ensembles.members import members_of
from speciate.ensembles.merge import Memo, merge, node_elites
from speciate.errors import RunFolderError
from speciate.evaluators import Evaluator, build_evaluator
from speciate.files import write_whole
from speciate.records import Axis, Cell, Context, Merged, MergedElite, NodeElites, Ordinal, Score, source_of
from speciate.store import RunHistory, holds_run, open_reader
from speciate.tasks import Task

MERGED = "merged.json"
"""File in an ensemble's folder that holds the merged archive."""


@contextmanager
def open_histories(
    folder: Path, config: RunConfig, *, none: bool = False
) -> Iterator[Mapping[str, RunHistory]]:
    """Opens the histories of an ensemble's nodes, by name in their order; who has not begun is absent.

    Args:
        folder: the ensemble's.
        config: its settings.
        none: whether it is all right that no node has begun.

    Raises:
        RunFolderError: it is not.
        StoreError: a history cannot be read.
    """
    names = [member.name for member in members_of(config)]
    with ExitStack() as opened:
        histories: dict[str, RunHistory] = {}
        for name in names:
            own = node_folder(folder, name)
            if holds_run(own):
                reader = open_reader(own)
                opened.callback(reader.close)
                histories[name] = RunHistory(reader)
        if not (histories or none):
            raise RunFolderError(f"no node of the ensemble in {folder} has begun: `speciate resume {folder}`")
        yield histories


def elites_of(histories: Mapping[str, RunHistory]) -> list[NodeElites]:
    """Returns what each node brings to a merger."""
    return [node_elites(name, history) for name, history in histories.items()]


def merge_nodes(
    task: Task,
    config: RunConfig,
    nodes: Sequence[NodeElites],
    *,
    evaluator: Evaluator | None = None,
    pool: Context | None = None,
    memo: Memo | None = None,
) -> Merged:
    """Scores what nodes bring in one company; see `merge`.

    Args:
        task: the ensemble's task.
        config: the ensemble's settings, for how to evaluate.
        nodes: see `elites_of`.
        evaluator: one that is not started; None builds the one the task asks for, with its sandbox.
        pool: see `merge`.
        memo: see `merge`.

    Raises:
        SandboxError: the sandbox cannot be set up, or broke.
        ScoreError: the task's own code broke.
    """
    scorer = evaluator or build_evaluator(task, config.evaluation)

    async def run() -> Merged:
        try:
            await scorer.start()
            return await merge(task, nodes, scorer, pool=pool, memo=memo)
        finally:
            await scorer.close()

    return asyncio.run(run())


class _Kept(BaseModel):
    """The merged archive as it is written: programs are in the nodes' own histories."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pool: str
    opponents: int
    left_out: tuple[str, ...]
    axes: tuple[Axis, ...]
    cells: int | None
    nodes: dict[str, list[tuple[Cell, Score]]]
    elites: list[tuple[Cell, str, Ordinal, Score]]
    invalid: dict[str, int]
    evaluations: int
    reused: int
    source: str


def write_merged(merged: Merged, folder: Path) -> Path:
    """Keeps a merged archive in an ensemble's folder; equal archives give equal files.

    Raises:
        RunFolderError: it cannot be written.
    """
    kept = _Kept(
        pool=merged.pool,
        opponents=merged.opponents,
        left_out=merged.left_out,
        axes=merged.axes,
        cells=merged.cells,
        nodes={name: sorted(scores.items()) for name, scores in merged.nodes.items()},
        elites=[(one.cell, one.node, one.ordinal, one.score) for one in merged.elites],
        invalid=dict(merged.invalid),
        evaluations=merged.evaluations,
        reused=merged.reused,
        source=merged.source,
    )
    path = folder / MERGED
    try:
        write_whole(path, json.dumps(kept.model_dump(), indent=1) + "\n")
    except OSError as error:
        raise RunFolderError(f"{path} cannot be written: {error.strerror or error}") from error
    return path


def read_merged(folder: Path, nodes: Sequence[NodeElites]) -> Merged | None:
    """Returns the merged archive kept in a folder, or None if there is none of these nodes as they are now.

    Raises:
        RunFolderError: the file is there and cannot be understood; all in it can be computed again.
    """
    kept = _read_kept(folder)
    if kept is None or kept.source != source_of(nodes):
        return None
    programs = {(one.node, one.ordinal): one.program for node in nodes for one in node.elites}
    if not all((node, ordinal) in programs for _, node, ordinal, _ in kept.elites):
        raise RunFolderError(f"{folder / MERGED} is damaged: it names elites that no node has")
    return Merged(
        pool=kept.pool,
        opponents=kept.opponents,
        left_out=kept.left_out,
        axes=kept.axes,
        cells=kept.cells,
        nodes={name: dict(scores) for name, scores in kept.nodes.items()},
        elites=tuple(
            MergedElite(cell, node, ordinal, score, programs[node, ordinal])
            for cell, node, ordinal, score in kept.elites
        ),
        invalid=kept.invalid,
        evaluations=kept.evaluations,
        reused=kept.reused,
        source=kept.source,
    )


def merged_names(folder: Path) -> frozenset[str]:
    """Returns the nodes that took part in the merger kept in a folder; none if nothing of it can be read."""
    try:
        kept = _read_kept(folder)
    except RunFolderError:
        return frozenset()
    return frozenset() if kept is None else frozenset(kept.nodes)


def _read_kept(folder: Path) -> _Kept | None:
    path = folder / MERGED
    try:
        return _Kept.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RunFolderError(f"{path} cannot be read: {error.strerror or error}") from error
    except ValidationError as error:
        raise RunFolderError(f"{path} is damaged") from error
