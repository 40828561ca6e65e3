"""Settings of the population, and the population they describe."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from speciate.archives.base import Archive
from speciate.archives.cvt import CVTArchive, spread
from speciate.archives.elites import EliteList
from speciate.archives.grid import GridArchive
from speciate.archives.islands import Population
from speciate.archives.pareto import ParetoArchive
from speciate.errors import ConfigError
from speciate.records import Axis

ArchiveKind = Literal["elites", "grid", "cvt", "pareto"]


class ArchiveConfig(BaseModel):
    """The inner archive of each island.

    Attributes:
        kind: ``elites`` (the best, fixed size), ``grid`` or ``cvt`` (the best of each cell of behaviour
            space), ``pareto`` (non-dominated fronts, fixed size).
        size: places of kinds elites and pareto.
        elite_share: share of the places of kind elites that equal newcomers cannot take.
        cells: number of cells of kind cvt. Spreading 10,000 takes some seconds, when a run starts or resumes.
        cvt_seed: names the cells of kind cvt; equal seeds give equal maps.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: ArchiveKind = "elites"
    size: int = Field(default=40, ge=1, le=100_000)
    elite_share: float = Field(default=0.3, ge=0, le=1)
    cells: int = Field(default=256, ge=1, le=10_000)
    cvt_seed: int = 0


class IslandConfig(BaseModel):
    """What makes one island different from the others.

    Attributes:
        initial: file of its own initial program, or folder with the task's files; None begins with the
            task's.
        notes: advice to models for every candidate of this island.
        proposers: shares of the proposers here, by name, instead of the bandit's choice; one that is not
            named has none. Empty leaves the choice to the bandit. Results teach the bandit all the same.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    initial: Path | None = None
    notes: str = ""
    proposers: Mapping[str, float] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _shares_make_sense(self) -> Self:
        shares = self.proposers.values()
        if shares and not (all(math.isfinite(s) and s >= 0 for s in shares) and any(shares)):
            raise ValueError(f"shares are finite, at least 0 and not all 0, got {dict(self.proposers)}")
        return self


class DynamicConfig(BaseModel):
    """Islands that open when the search stagnates.

    Attributes:
        stagnation: one more island opens after so many placed candidates without a new best, and as many
            after the last one opened; None never opens any.
        most: most islands, those of the beginning included.
        seed: who is copied to a new island: the ``initial`` program, the ``best``, or a ``random`` occupant.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    stagnation: int | None = Field(default=None, ge=1)
    most: int = Field(default=8, ge=1, le=10_000)
    seed: Literal["initial", "best", "random"] = "initial"


class PopulationConfig(BaseModel):
    """The islands.

    Attributes:
        islands: how many there are in the beginning.
        archive: what each of them holds.
        migration_interval: members migrate after so many placed candidates.
        migration_fraction: share of each island's members, but for its best, that migrate; 0 is off.
        dynamic: whether more of them open.
        island: what makes single islands different, by number from 0; there may be fewer than islands.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    islands: int = Field(default=1, ge=1, le=10_000)
    archive: ArchiveConfig = ArchiveConfig()
    migration_interval: int = Field(default=10, ge=1)
    migration_fraction: float = Field(default=0.0, ge=0, le=1)
    dynamic: DynamicConfig = DynamicConfig()
    island: tuple[IslandConfig, ...] = ()

    @model_validator(mode="after")
    def _islands_exist(self) -> Self:
        if len(self.island) > self.islands:
            raise ValueError(f"{len(self.island)} islands are described, and there are {self.islands}")
        return self

    def on(self, island: int) -> IslandConfig:
        """Returns what makes an island different; an empty config for one that nobody described."""
        return self.island[island] if island < len(self.island) else IslandConfig()


def build_population(config: PopulationConfig, axes: Sequence[Axis], objectives: int) -> Population:
    """Returns an empty population as configured.

    Args:
        config: the settings.
        axes: the task's axes of behaviour space, may be empty.
        objectives: number of the task's objectives.

    Raises:
        ConfigError: the kind of archive does not fit the task.
    """
    first = _build_archive(config.archive, axes, objectives)
    return Population([first, *(first.emptied() for _ in range(config.islands - 1))])


def _build_archive(config: ArchiveConfig, axes: Sequence[Axis], objectives: int) -> Archive:
    match config.kind:
        case "elites":
            return EliteList(config.size, elite_share=config.elite_share)
        case "grid":
            return GridArchive(_needed(axes, config.kind))
        case "cvt":
            ranges = [_range(axis) for axis in _needed(axes, config.kind)]
            return CVTArchive(ranges, spread(config.cells, len(ranges), config.cvt_seed))
        case "pareto":
            if objectives < 2:
                raise ConfigError(
                    "archive kind 'pareto' needs a task with two or more objectives, this one has "
                    f"{objectives}: use kind 'elites'"
                )
            return ParetoArchive(config.size)


def _needed(axes: Sequence[Axis], kind: ArchiveKind) -> Sequence[Axis]:
    if not axes:
        raise ConfigError(
            f"archive kind {kind!r} needs descriptors, and the task names none: "
            "add [[descriptors]] to task.toml or use kind 'elites'"
        )
    return axes


def _range(axis: Axis) -> tuple[float, float]:
    if axis.range is None:
        raise ConfigError(
            f"archive kind 'cvt' needs a range of descriptor {axis.name!r}, which has edges only: "
            "give it range = [low, high] or use kind 'grid'"
        )
    return axis.range
