from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.reports import Branches, branches, effective_number, timeline
from speciate.store import RunHistory
from speciate.testing.stories import Story


def found(history: RunHistory) -> Branches:
    return branches(history, timeline(history, history.events()))


def family(parents: Sequence[int | None], evicted: dict[int, Sequence[int]] | None = None) -> Branches:
    """A run whose candidates have these first parents; None is a program made from nothing."""
    story = Story().begin()
    for ordinal, parent in enumerate([None, *parents]):
        story.choose(
            parents=() if parent is None else (parent,), operator="genetic" if ordinal else "initial"
        )
        story.scores(ordinal, float(ordinal), evicted=(evicted or {}).get(ordinal, ()))
    return found(story.history)


def test_a_branch_is_a_child_of_the_initial_program_with_its_descendants() -> None:
    last = family([0, 0, 1, 3, 2])
    assert last.alive[-1] == 3  # the initial program, 1 with 3 and 4, 2 with 5
    assert last.occupants[-1] == 6
    assert (last.founders[-1], last.largest[-1]) == (1, 0.5)
    assert last.ancestors[-1] == 0


def test_a_collapse_shows_in_all_numbers() -> None:
    last = family([0, 0, 1, 3, 3], evicted={5: (0, 1, 2, 3)})
    assert (last.alive[-1], last.effective[-1], last.largest[-1]) == (1, 1.0, 1.0)
    assert (last.ancestors[-1], last.ages[-1]) == (3, 2)  # 4 and 5 were closed since
    assert last.heads[-1] == 5  # half of two


def test_programs_from_nothing_have_no_common_ancestor() -> None:
    last = family([None], evicted={})
    assert last.alive[-1] == 2
    assert last.ancestors[-1] == -1
    assert np.isnan(last.ages[-1])


def test_an_empty_archive_has_no_numbers() -> None:
    last = found(Story().begin().history)
    assert (last.alive[-1], last.founders[-1], last.ancestors[-1], last.heads[-1]) == (0, -1, -1, -1)
    assert np.isnan(last.effective[-1])


@given(st.lists(st.integers(min_value=1, max_value=1000), min_size=1, max_size=20))
def test_the_effective_number_lies_between_one_and_the_number_of_parts(counts: list[int]) -> None:
    shares = [count / sum(counts) for count in counts]
    assert 1 - 1e-9 <= effective_number(shares) <= len(counts) + 1e-9


def test_equal_parts_are_all_effective() -> None:
    assert effective_number([0.25] * 4) == pytest.approx(4)


@given(st.data())
def test_the_common_ancestor_is_on_the_line_of_every_occupant(data: st.DataObject) -> None:
    parents = [data.draw(st.integers(min_value=0, max_value=n)) for n in range(8)]
    last = family(parents, evicted={8: data.draw(st.lists(st.integers(0, 7), unique=True))})
    lines = []
    for ordinal in set(range(9)):
        line = {ordinal}
        while ordinal:
            ordinal = parents[ordinal - 1]
            line.add(ordinal)
        lines.append(line)
    assert last.ancestors[-1] in lines[8]
    assert 0 <= last.ancestors[-1] <= last.heads[-1] <= 8
    assert last.ancestors[-1] in lines[int(last.heads[-1])]
