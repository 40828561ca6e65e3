from __future__ import annotations

from typing import get_args

import pytest

from speciate.problems.corewar.descriptors import MEASURES, AxisName, Behaviour
from speciate.problems.corewar.redcode import assemble
from speciate.problems.corewar.settings import PRESETS
from speciate.records import Axis

DRQ = PRESETS["drq"]
INFINITE = float("inf")
PUBLISHED = {
    "tsp": (1, 10, 100, 1000, 10_000, INFINITE),
    "mc": (10, 100, 500, 1000, 4000, INFINITE),
    "uo": (4, 6, 8, 10, 14, INFINITE),
    "pl": (5, 12, 20, 35, 60, INFINITE),
}
"""Edges in the published code of Digital Red Queen."""


def axis(name: AxisName) -> Axis:
    return Axis.from_edges(name, MEASURES[name].edges_for(DRQ))


def first_edge_above(edges: tuple[float, ...], value: float) -> int:
    """The bin as the published code has it: the first edge that the value is below."""
    return next(index for index, edge in enumerate(edges) if value < edge)


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_bins_are_those_of_digital_red_queen_on_and_beside_every_edge(name: AxisName) -> None:
    edges = PUBLISHED[name]
    beside = [value for edge in edges[:-1] for value in (edge - 0.5, edge, edge + 0.5)]
    for value in (0.0, *beside, 1e9):
        assert axis(name).bin(value) == first_edge_above(edges, value)


def test_every_axis_is_measured() -> None:
    warrior = assemble("SPL 0\nMOV 0, 1\nMOV 0, 1\nJMP -2")
    behaviour = Behaviour(warrior, spawned=12.5, covered=300.0, lifetime=1000.0)
    values = {name: MEASURES[name].value(behaviour) for name in get_args(AxisName)}
    assert values == {"tsp": 12.5, "mc": 300.0, "time_space": 4000.0, "uo": 3, "pl": 4}


@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("name", get_args(AxisName))
def test_edges_make_six_bins_under_all_rules(name: AxisName, preset: str) -> None:
    assert Axis.from_edges(name, MEASURES[name].edges_for(PRESETS[preset])).bins == 6


def test_a_small_core_has_its_own_edges_where_the_large_ones_cannot_be_reached() -> None:
    assert MEASURES["mc"].edges_for(PRESETS["tiny"]) == (1, 10, 50, 100, 400)
    assert MEASURES["uo"].edges_for(PRESETS["tiny"]) == MEASURES["uo"].edges_for(DRQ)
