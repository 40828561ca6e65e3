from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from speciate.novelty import NoveltyMemory
from speciate.records import text_hash

steps = st.lists(
    st.tuples(st.integers(0, 200), st.integers(0, 2)), max_size=60, unique_by=lambda step: step[0]
)


@given(steps, st.integers(0, 210), st.integers(1, 20))
def test_company_does_not_depend_on_the_order_of_notes(
    programs: list[tuple[int, int]], before: int, recent: int
) -> None:
    there, back = NoveltyMemory(), NoveltyMemory()
    for ordinal, island in programs:
        there.note(ordinal, island, "")
    for ordinal, island in reversed(programs):
        back.note(ordinal, island, "")
    for island in range(3):
        expected = sorted(o for o, home in programs if home == island and o < before)[-recent:]
        for memory in (there, back):
            assert memory.company(999, island, before=before, recent=recent).tolist() == expected


def test_the_archive_counts_as_it_was_when_the_candidate_was_chosen() -> None:
    memory = NoveltyMemory()
    for ordinal in range(10):
        memory.note(ordinal, 0, "")
    memory.chosen(10, np.array([8, 1]))
    memory.chosen(11, np.array([2]))
    assert memory.company(10, 0, before=9, recent=2).tolist() == [1, 7, 8]
    assert memory.company(11, 0, before=9, recent=2).tolist() == [2, 7, 8]
    memory.closed(10)
    assert memory.company(10, 0, before=9, recent=2).tolist() == [7, 8]


def test_nobody_is_compared_with_himself() -> None:
    memory = NoveltyMemory()
    memory.note(3, 0, "")
    assert memory.company(3, 0, before=10**9, recent=5).tolist() == []


@given(st.permutations([(5, "first"), (7, "second"), (9, "third")]))
def test_the_vector_that_counts_is_the_first_candidates_whoever_was_faster(
    order: list[tuple[int, str]],
) -> None:
    memory = NoveltyMemory()
    for told_by, text in order:
        memory.note_vector(1, text_hash(text), told_by=told_by)
    assert memory.vector_text(1, before=5) is None
    assert memory.vector_text(1, before=6) == memory.vector_text(1, before=100) == text_hash("first")
