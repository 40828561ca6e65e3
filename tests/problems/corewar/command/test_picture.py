from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.problems.corewar.command.picture import NOBODY, OUTSIDE, picture
from speciate.problems.corewar.mars import Glance


def glance(owners: list[int], *processes: tuple[int, ...], died: tuple[int | None, ...] = ()) -> Glance:
    return Glance(7, tuple(owners), processes, died or (None,) * len(processes))


def test_a_character_belongs_to_whom_most_of_its_cells_belong_to() -> None:
    seen = picture(glance([0, 1, 1, -1, -1, -1, -1, 0, 1], (0,), (8,)), columns=3, rows=1)
    assert seen.cells == 3
    assert seen.owners.tolist() == [[1, NOBODY, 0]]
    assert seen.shares.tolist() == [[2 / 3, 0, 1 / 3]]


def test_processes_are_seen_whoever_owns_the_cells() -> None:
    seen = picture(glance([0, 0, 0, 0, -1, -1], (4,), (0, 0, 3)), columns=2, rows=2)
    assert seen.owners.tolist() == [[0, 0], [NOBODY, OUTSIDE]]
    assert seen.busy.tolist() == [[1, 1], [0, NOBODY]]


def test_a_small_core_takes_no_more_room_than_it_needs() -> None:
    seen = picture(glance([-1], (0,)), columns=80, rows=20)
    assert seen.owners.shape == (1, 1)
    assert (seen.cells, seen.cycle) == (1, 7)


def test_standings_count_processes_and_cells() -> None:
    seen = picture(glance([0, 1, 1, -1], (), (2, 3), died=(5, None)), columns=4, rows=1)
    dead, alive = seen.standings
    assert (dead.processes, dead.cells, dead.died) == (0, 1, 5)
    assert (alive.processes, alive.cells, alive.died) == (2, 2, None)


def test_a_core_in_which_all_are_dead() -> None:
    seen = picture(glance([0, 1], (), (), died=(1, 1)), columns=2, rows=1)
    assert set(seen.busy.ravel().tolist()) == {NOBODY}


@given(st.integers(1, 5000), st.integers(1, 200), st.integers(1, 60), st.integers(1, 4))
def test_every_core_fits_every_window(size: int, columns: int, rows: int, seats: int) -> None:
    rng = np.random.default_rng(size * columns + rows)
    owners = rng.integers(-1, seats, size)
    processes = tuple(tuple(rng.integers(0, size, 5).tolist()) for _ in range(seats))
    seen = picture(Glance(0, tuple(owners.tolist()), processes, (None,) * seats), columns, rows)
    tall, wide = seen.owners.shape
    assert tall <= rows
    assert wide <= columns
    inside = int((seen.owners != OUTSIDE).sum())
    assert (inside - 1) * seen.cells < size <= inside * seen.cells
    assert sum(standing.cells for standing in seen.standings) == int((owners >= 0).sum())
    for queue in processes:
        assert all(seen.busy.ravel()[at // seen.cells] != NOBODY for at in queue)


@pytest.mark.parametrize("size", [1, 8000, 65536])
def test_a_larger_window_shows_more(size: int) -> None:
    small, large = (picture(glance([0] * size, (0,)), *window).cells for window in ((20, 5), (200, 50)))
    assert large <= small
