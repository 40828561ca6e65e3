"""Whether the nodes in an ensemble's folder are those that its manifest names: all of them, and no others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from speciate.engine import RunConfig
from speciate.ensembles.folders import MANIFEST, NODES, located, node_folder
from speciate.ensembles.members import Member, members_of
from speciate.ensembles.merger import MERGED, merged_names, open_histories
from speciate.errors import RunFolderError
from speciate.records import INITIAL, Joined, Received
from speciate.store import RunHistory, StoreReader, holds_run, open_reader


def missing_nodes(
    folder: Path, config: RunConfig, histories: Mapping[str, RunHistory]
) -> Mapping[str, tuple[str, ...]]:
    """Returns the nodes that hold no run, and who knows of each all the same.

    Args:
        folder: the ensemble's.
        config: its settings.
        histories: of the nodes that hold one, see `open_histories`.

    Returns:
        By node: the nodes that have something of it, and ``merged.json`` if it names it. Whom nobody
        knows has not begun yet; the others are lost.
    """
    absent = [member.name for member in members_of(config) if member.name not in histories]
    if not absent:
        return {}
    met = {name: _senders(history) for name, history in histories.items()}
    met[MERGED] = merged_names(folder)
    return {name: tuple(who for who, senders in met.items() if name in senders) for name in absent}


def _senders(history: RunHistory) -> frozenset[str]:
    return frozenset(event.node for event in history.exchange if isinstance(event, Received))


def check_lost(folder: Path, config: RunConfig) -> None:
    """Refuses to begin a node again of which others know.

    Args:
        folder: the ensemble's.
        config: its settings.

    Raises:
        RunFolderError: there is such a node; it says what to do.
        StoreError: a history cannot be read.
    """
    if all(holds_run(node_folder(folder, member.name)) for member in members_of(config)):
        return
    with open_histories(folder, config, none=True) as histories:
        missing = missing_nodes(folder, config, histories)
    for name, known_by in missing.items():
        if known_by:
            raise RunFolderError(
                f"{node_folder(folder, name)} is lost: it holds no run and had one, as {', '.join(known_by)} "
                "can tell. Put it back from a copy, or let the node begin anew and pay for its calls again: "
                f"`speciate resume {folder} --anew`"
            )


def check_nodes(folder: Path, source: str | None, config: RunConfig) -> None:
    """Refuses an ensemble that holds others than its own nodes.

    Args:
        folder: the ensemble's.
        source: its task, as `read_ensemble` returns it.
        config: its settings.

    Raises:
        RunFolderError: see `wrong_nodes`; the first that is wrong.
        StoreError: a history cannot be read.
    """
    wrong = wrong_nodes(folder, source, config)
    if wrong:
        more = f" (and {len(wrong) - 1} more: `speciate doctor {folder}`)" if len(wrong) > 1 else ""
        raise RunFolderError(f"{wrong[0]}{more}")


def wrong_nodes(folder: Path, source: str | None, config: RunConfig) -> list[str]:
    """Returns what is wrong with the runs in an ensemble's folder, a sentence a node.

    A node may hold the history of another, or of another task or seed; and there may be nodes that the
    manifest does not name: all that befalls who copies files from one ensemble into another.

    Args:
        folder: the ensemble's.
        source: its task, as `read_ensemble` returns it.
        config: its settings.

    Raises:
        StoreError: a history cannot be read.
    """
    members = {member.name: member for member in members_of(config)}
    found: list[str] = []
    for own in sorted((folder / NODES).glob("*")):
        if not holds_run(own):
            continue
        if own.name not in members:
            found.append(f"{own} holds a run that {MANIFEST} does not name: it is from another ensemble")
            continue
        with closing(open_reader(own)) as reader:
            reason = next(_differences(reader, source, members[own.name], config), None)
        if reason is not None:
            found.append(f"{own} {reason}: put back what belongs here from a copy")
    return found


def _differences(reader: StoreReader, source: str | None, member: Member, config: RunConfig) -> Iterator[str]:
    """Yields how a run differs from the member that should be there."""
    manifest = reader.manifest()
    for stored in reader.events(ordinal=INITIAL):
        match stored.event:
            case Joined() as joined if joined.node != member.name:
                yield f"holds the history of the node {joined.node}"
            case Joined() as joined if joined.ensemble != config.ensemble.name:
                other = config.ensemble.name
                yield f"was a node of the ensemble {joined.ensemble}, and {MANIFEST} is of {other}"
            case _:
                pass
    task = manifest.get("task")
    evolves = task.get("source") if isinstance(task, dict) else None
    if evolves is not None and source is not None and located(str(evolves)) != located(source):
        yield f"evolves {evolves}, and {MANIFEST} says {source}"
    if manifest.get("seed") != member.config.seed:
        yield f"has the seed {manifest.get('seed')}, and {MANIFEST} gives it {member.config.seed}"
