"""Archives decide who stays; a population is several of them, its islands."""

from speciate.archives.base import Archive, Columns
from speciate.archives.cells import CellArchive
from speciate.archives.config import (
    ArchiveConfig,
    ArchiveKind,
    DynamicConfig,
    IslandConfig,
    PopulationConfig,
    build_population,
)
from speciate.archives.cvt import CVTArchive, spread
from speciate.archives.descriptors import coverage, qd_score
from speciate.archives.dynamic import decide_settlers, island_due
from speciate.archives.elites import EliteList
from speciate.archives.export import to_pyribs
from speciate.archives.grid import GridArchive
from speciate.archives.islands import Placements, Population
from speciate.archives.migration import apply_moves, decide_migration, migration_due
from speciate.archives.pareto import ParetoArchive

__all__ = [
    "Archive",
    "ArchiveConfig",
    "ArchiveKind",
    "CVTArchive",
    "CellArchive",
    "Columns",
    "DynamicConfig",
    "EliteList",
    "GridArchive",
    "IslandConfig",
    "ParetoArchive",
    "Placements",
    "Population",
    "PopulationConfig",
    "apply_moves",
    "build_population",
    "coverage",
    "decide_migration",
    "decide_settlers",
    "island_due",
    "migration_due",
    "qd_score",
    "spread",
    "to_pyribs",
]
