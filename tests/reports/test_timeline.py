from speciate.records import (
    EpochOpened,
    Evaluated,
    Event,
    Outcome,
    Placed,
    Placement,
    PlacementKind,
    Result,
    TextRef,
    text_hash,
)
from speciate.reports import Snapshot, Timeline, timeline
from speciate.reports.timeline import NewBest
from speciate.store import RunHistory
from speciate.testing.stories import Story


def course(history: RunHistory, snapshots: int = 10) -> Timeline:
    return timeline(history, history.events(), snapshots=snapshots)


def told() -> Story:
    """0 and 1 live on; 2 is better than one of two, 3 is the new best and drives 0 out."""
    story = Story().begin()
    story.scores(story.choose(), 1.0)
    story.scores(story.choose(), 3.0)
    story.scores(story.choose(), 2.0)
    story.scores(story.choose(), 4.0, evicted=(0,))
    return story


def test_standings_are_those_of_the_moment() -> None:
    standings = course(told().history).standings
    assert [standings[ordinal].better for ordinal in range(4)] == [0.0, 0.0, 0.5, 0.0]
    assert [standings[ordinal].best for ordinal in range(4)] == [True, True, False, True]


def test_who_was_driven_out_counts_no_more() -> None:
    story = told()
    story.scores(story.choose(), 0.5)
    assert course(story.history).standings[4].better == 1.0
    story.scores(story.choose(), 3.5)
    assert course(story.history).standings[5].better == 0.25


def test_what_failed_has_no_standing_among_the_scores() -> None:
    story = told()
    story.is_rejected(story.choose(), "screen", "duplicate")
    standing = course(story.history).standings[4]
    assert (standing.kept, standing.better) == (False, None)


def test_snapshots_tell_who_lived_when() -> None:
    taken = course(told().history).snapshots
    assert taken == [
        Snapshot(1, 0, (0,)),
        Snapshot(2, 0, (0, 1)),
        Snapshot(3, 0, (0, 1, 2)),
        Snapshot(4, 0, (1, 2, 3)),
    ]


def test_of_a_long_run_a_few_moments_are_looked_at_and_the_last_one_always() -> None:
    story = Story().begin()
    for score in range(30):
        story.scores(story.choose(), float(score))
    story.choose()
    taken = course(story.history, snapshots=4).snapshots
    assert [snapshot.closed for snapshot in taken] == [1, 10, 20, 30]


def rescored(ordinal: int, score: float, *, best: bool) -> list[Event]:
    placement = Placement(PlacementKind.NEW, None, ())
    return [
        Evaluated(ordinal=ordinal, part="pool", epoch=1, outcome=Outcome(Result((score,)))),
        Placed(ordinal=ordinal, part="1", epoch=1, placements=((0, placement),), best=best),
    ]


def test_an_epoch_begins_with_those_that_are_scored_again_and_the_best_of_them() -> None:
    story = told()
    story.write(
        EpochOpened(ordinal=3, part="1", epoch=1, context=TextRef(text_hash("pool"))),
        *rescored(1, 5.0, best=True),
        *rescored(3, 6.0, best=True),
    )
    found = course(story.history)
    assert found.snapshots[-1] == Snapshot(4, 1, (1, 3))
    assert list(found.bests) == [NewBest(1, 0, 0), NewBest(2, 0, 1), NewBest(4, 1, 3)]
    assert not found.standings[1].better


def test_a_run_that_has_only_begun_has_an_empty_archive() -> None:
    assert course(Story().begin().history).snapshots == [Snapshot(0, 0, ())]
