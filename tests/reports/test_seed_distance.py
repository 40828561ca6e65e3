from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.records import Program
from speciate.reports import SeedDistances, distance_rows, read_facts, seed_distances, timeline
from speciate.reports.seed_distance import token_distance, tokens
from speciate.testing.stories import Story

TOKENS = st.lists(st.sampled_from("abcd"), max_size=12)


@given(TOKENS, TOKENS)
def test_the_distance_is_symmetric_and_zero_only_for_equal_programs(a: list[str], b: list[str]) -> None:
    assert 0 <= token_distance(a, b) <= 1
    assert token_distance(a, b) == token_distance(b, a)
    assert (token_distance(a, b) == 0) == (a == b)


def test_one_of_four_tokens_changed_is_a_quarter() -> None:
    assert token_distance("abcd", "abxd") == 0.25
    assert token_distance("ab", "xy") == 1.0


def test_comments_layout_and_what_may_not_change_make_no_difference() -> None:
    spec = read_facts(Story().begin().history.reader).spec
    marked = "import os\n# EVOLVE-BLOCK-START\nx = 1.5  # a\n# EVOLVE-BLOCK-END\n"
    other = "import sys\n# EVOLVE-BLOCK-START\nx   =   1.5\n# EVOLVE-BLOCK-END\n"
    for text in (marked, other):
        assert tokens(Program.of({"initial.py": text}), spec) == ["x", "=", "1.5"]


def test_malformed_markers_are_text() -> None:
    spec = read_facts(Story().begin().history.reader).spec
    assert "x" in tokens(Program.of({"initial.py": "# EVOLVE-BLOCK-END\nx = 1\n"}), spec)


def measured(story: Story, most: int = 1000) -> SeedDistances:
    history = story.history
    course = timeline(history, history.events())
    return seed_distances(history, read_facts(history.reader), course, most=most)


def grown(many: int) -> Story:
    """Programs ``program 0`` to ``program n``, each one better than the one before."""
    story = Story().begin()
    for score in range(many):
        story.scores(story.choose(), float(score))
    return story


def test_kept_programs_and_the_best_are_measured() -> None:
    story = grown(3)
    story.is_rejected(story.choose(), "screen", "duplicate")
    found = measured(story)
    assert found.ordinals.tolist() == [0, 1, 2]
    assert found.closed.tolist() == [1, 2, 3]
    assert found.distances.tolist() == [0.0, 0.5, 0.5]  # one of two tokens
    assert [best.ordinal for best in found.bests] == [0, 1, 2]
    assert found.kept == 3


def test_of_many_programs_some_are_measured_evenly_over_the_run() -> None:
    found = measured(grown(120), most=10)
    assert len(found.ordinals) == 50
    assert (found.ordinals[0], found.ordinals[-1]) == (0, 119)
    assert found.kept == 120


def test_the_parts_of_a_run_cover_it() -> None:
    rows = distance_rows(measured(grown(10)), 10)
    assert [(row.start, row.end, row.measured) for row in rows] == [
        (0, 2, 2),
        (2, 4, 2),
        (4, 6, 2),
        (6, 8, 2),
        (8, 10, 2),
    ]
    assert rows[0].median == pytest.approx(0.25)
    assert rows[-1].best == 0.5


def test_a_run_that_has_only_begun_has_no_distances() -> None:
    found = measured(Story().begin())
    assert found.kept == 0
    assert list(distance_rows(found, 0)) == []
