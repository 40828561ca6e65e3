from speciate.records import Objective
from speciate.reports import Rank, RankRow, SteppingStones, stepping_stones, timeline
from speciate.store import RunHistory
from speciate.testing.stories import Story

UP = Objective("length")


def stones(history: RunHistory) -> SteppingStones:
    return stepping_stones(history, timeline(history, history.events()), UP)


def detour() -> Story:
    """The best, 5, descends from 4, which was worse than two of three when it was placed."""
    story = Story().begin()
    story.scores(story.choose(), 3.0)
    story.scores(story.choose(parents=(0,)), 5.0)
    story.scores(story.choose(parents=(1,)), 4.0)
    story.is_rejected(story.choose(parents=(1,)), "screen", "duplicate")
    story.scores(story.choose(parents=(0, 2)), 1.0)
    story.scores(story.choose(parents=(4,)), 9.0)
    return story


def test_each_rank_is_told_with_what_came_of_it() -> None:
    rows = {row.rank: row for row in stones(detour().history).rows}
    assert rows == {
        Rank.PLANTED: RankRow(Rank.PLANTED, 1, 1, 2, 2, 1, 1),
        Rank.BEST: RankRow(Rank.BEST, 2, 1, 2, 1, 0, 1),
        Rank.UPPER: RankRow(Rank.UPPER, 1, 0, 0, 0, 0, 0),
        Rank.LOWER: RankRow(Rank.LOWER, 1, 1, 1, 1, 1, 1),
    }


def test_a_detour_over_a_mediocre_program_is_seen() -> None:
    found = stones(detour().history)
    assert (found.ancestors, found.never_best, found.mediocre, found.mediocre_share) == (1, 1, 1, 1.0)
    assert (found.new_bests, found.from_others, found.from_mediocre) == (2, 1, 1)


def test_uses_are_counted_by_what_they_were_for() -> None:
    found = stones(detour().history)
    first = found.most_used[0]
    assert (first.ordinal, first.children, first.joined, first.on_path) == (0, 2, 0, True)
    assert [(use.ordinal, use.children, use.joined) for use in found.most_used] == [
        (0, 2, 0),
        (1, 2, 0),
        (4, 1, 0),
    ]
    assert found.unused == 0.4


def test_scores_of_minimised_objectives_are_told_as_the_user_wrote_them() -> None:
    story = Story().begin(direction="minimize")
    story.scores(story.choose(), -8.0)
    story.scores(story.choose(), -6.0)
    course = timeline(story.history, story.history.events())
    (use,) = stepping_stones(story.history, course, Objective("length", "minimize")).most_used
    assert (use.ordinal, use.score) == (0, 8.0)


def test_a_run_without_anything_valid_has_no_stones() -> None:
    found = stones(Story().begin().history)
    assert (found.rows, found.ancestors, found.new_bests, found.unused) == ([], 0, 0, None)
    assert found.mediocre_share is None
