"""Islands: programs of their own, who migrates between them, and new ones where the search stagnates."""

from __future__ import annotations

from pathlib import Path

from speciate.archives import decide_migration, decide_settlers, island_due, migration_due
from speciate.engine.run import Run
from speciate.errors import ConfigError
from speciate.patches import immutable_change
from speciate.records import INITIAL, PLANTED, RECEIVED, SEEDED, Choice, IslandOpened, Move, Ordinal, Program
from speciate.seeds import stream
from speciate.tasks import Task


def seeded_islands(run: Run) -> tuple[int, ...]:
    """Returns the islands that begin with a program of their own."""
    described = run.config.population.island
    return tuple(number for number, island in enumerate(described) if island.initial is not None)


def homes(run: Run, choice: Choice) -> tuple[int, ...]:
    """Returns the islands to which a candidate is offered when it is placed.

    What nobody proposed is offered to all islands; but the initial program leaves those alone that have one
    of their own, which in turn is offered to its island alone.
    """
    if choice.operator == RECEIVED and run.config.ensemble.seeding == "none":
        return ()
    if choice.operator != PLANTED:
        return (choice.island,)
    every = range(run.state.population.islands)
    own = seeded_islands(run) if choice.ordinal == INITIAL else ()
    return tuple(island for island in every if island not in own)


def read_seed(task: Task, path: Path) -> Program:
    """Reads an island's own initial program: a file, or a folder with all files of the task.

    Raises:
        ConfigError: it cannot be read, or differs from the task's in text that must stay as it is.
    """
    names = [name for name, _ in task.initial.files]
    if not path.is_dir() and len(names) > 1:
        raise ConfigError(f"{path} should be a folder with the files {', '.join(names)}")
    try:
        texts = {n: (path / n if path.is_dir() else path).read_text(encoding="utf-8") for n in names}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the initial program of an island cannot be read from {path}: {error}") from error
    program = Program.of(texts)
    if changed := immutable_change(task.initial, program, task):
        raise ConfigError(f"{path} cannot be an island's initial program: {changed}")
    return program


def unplanted(run: Run) -> list[tuple[int, Program]]:
    """Returns what is still to be planted: pairs of (island, program). Nothing once somebody has proposed.

    Raises:
        ConfigError: see `read_seed`.
    """
    if run.state.proposed:
        return []
    described = run.config.population.island
    missing = [island for island in seeded_islands(run) if island not in run.state.seeded]
    paths = [(island, described[island].initial) for island in missing]
    return [(island, read_seed(run.task, path)) for island, path in paths if path is not None]


def seed_choice(run: Run, island: int) -> Choice:
    """Returns the choice of an island's own initial program."""
    state = run.state
    return Choice(
        state.issued, state.epoch, state.closed, island, operator=SEEDED, proposer=SEEDED, parents=()
    )


def decide_opening(run: Run, ordinal: Ordinal) -> IslandOpened | None:
    """Says which island opens once `ordinal` is placed; None unless the search stagnates. Changes nothing."""
    state, config = run.state, run.config.population.dynamic
    if not island_due(config, state.stale, state.population.islands):
        return None
    rng = stream(run.config.seed, ordinal, "island", epoch=state.epoch)
    settlers = decide_settlers(config, state.population, state.initial, rng)
    island = state.population.islands
    copies = state.population.decide_open(settlers)
    return IslandOpened(ordinal=ordinal, part=str(island), island=island, copies=copies)


def decide_moves(run: Run, ordinal: Ordinal) -> tuple[Move, ...]:
    """Says who would migrate once `ordinal` is placed: nobody, unless it is time. Changes nothing."""
    config, state = run.config.population, run.state
    if not migration_due(config, state.closed - 1, state.population.islands):
        return ()
    rng = stream(run.config.seed, ordinal, "migrate", epoch=state.epoch)
    return decide_migration(state.population, config.migration_fraction, rng)
