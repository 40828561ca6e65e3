from speciate.reports import staleness
from speciate.testing.stories import Story


def test_the_lag_counts_what_was_chosen_and_not_in_place() -> None:
    story = Story().begin()
    for seen in (0, 1, 1, 1, 4):
        story.scores(story.choose(seen=seen), 1.0)
    found = staleness(story.history)
    assert found.lags.tolist() == [0, 1, 2, 0]
    assert [found.quantile(share) for share in (0.0, 0.5, 0.75, 1.0)] == [0, 0, 1, 2]


def test_a_run_that_proposed_nothing_has_no_lag() -> None:
    story = Story().begin()
    story.scores(story.choose(), 1.0)
    assert staleness(story.history).quantile(0.5) is None
