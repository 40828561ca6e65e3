"""Settings of the population and what is built from them."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from speciate.archives import (
    Archive,
    ArchiveConfig,
    ArchiveKind,
    CVTArchive,
    EliteList,
    GridArchive,
    ParetoArchive,
    PopulationConfig,
    build_population,
)
from speciate.errors import ConfigError
from speciate.records import Axis, Member

AXES = (Axis.uniform("a", 0, 1, 5), Axis.uniform("b", 0, 1, 4))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("elites", EliteList), ("grid", GridArchive), ("cvt", CVTArchive), ("pareto", ParetoArchive)],
)
def test_each_kind_is_built_on_each_island(kind: ArchiveKind, expected: type[Archive]) -> None:
    population = build_population(PopulationConfig(islands=3, archive=ArchiveConfig(kind=kind)), AXES, 2)
    archives = [population.archive(island) for island in range(3)]
    assert all(type(archive) is expected for archive in archives)
    assert len({id(archive) for archive in archives}) == 3


def test_all_islands_share_one_map() -> None:
    config = PopulationConfig(islands=2, archive=ArchiveConfig(kind="cvt", cells=30))
    population = build_population(config, AXES, 1)
    placements = population.decide(Member(0, (1.0,), (0.3, 0.7)), (0, 1))
    assert placements[0][1] == placements[1][1]
    assert population.archive(0).cells == 30


def test_settings_reach_the_archive() -> None:
    config = PopulationConfig(archive=ArchiveConfig(size=10, elite_share=0.5))
    archive = build_population(config, (), 1).archive(0)
    assert isinstance(archive, EliteList)
    assert archive.elites == 5
    seeded = [ArchiveConfig(kind="cvt", cells=10, cvt_seed=seed) for seed in (0, 1)]
    maps = [build_population(PopulationConfig(archive=c), AXES, 1).archive(0) for c in seeded]
    assert isinstance(maps[0], CVTArchive)
    assert isinstance(maps[1], CVTArchive)
    assert (maps[0].centroids != maps[1].centroids).any()


@pytest.mark.parametrize("kind", ["grid", "cvt"])
def test_cells_need_descriptors(kind: ArchiveKind) -> None:
    with pytest.raises(ConfigError, match=r"\[\[descriptors\]\]"):
        build_population(PopulationConfig(archive=ArchiveConfig(kind=kind)), (), 1)


def test_cvt_needs_ranges() -> None:
    axes = (AXES[0], Axis.from_edges("depth", [1, 2]))
    with pytest.raises(ConfigError, match="range of descriptor 'depth'"):
        build_population(PopulationConfig(archive=ArchiveConfig(kind="cvt")), axes, 1)


def test_pareto_needs_two_objectives() -> None:
    with pytest.raises(ConfigError, match="two or more objectives, this one has 1"):
        build_population(PopulationConfig(archive=ArchiveConfig(kind="pareto")), (), 1)


@pytest.mark.parametrize(
    "settings",
    [
        {"islands": 0},
        {"islands": 1_000_000_000},
        {"migration_fraction": 1.5},
        {"migration_interval": 0},
        {"archive": {"size": 0}},
        {"archive": {"kind": "cvt", "cells": 100_000}},
        {"isles": 2},
    ],
)
def test_impossible_and_unknown_settings_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        PopulationConfig.model_validate(settings)
