import pytest

from speciate.reports import proposer_shares
from speciate.testing.stories import Story


def test_shares_follow_who_was_chosen() -> None:
    story = Story().begin()
    story.choose()
    for proposer in "aabbbbbbbb":
        story.choose(proposer=proposer)
    found = proposer_shares(story.history, parts=5)
    assert found.proposers == ("a", "b")
    assert found.ends.tolist() == [2, 4, 6, 8, 10]
    assert found.shares.tolist() == [[1, 0], [0, 1], [0, 1], [0, 1], [0, 1]]


def test_short_runs_have_fewer_parts_that_add_up_to_one() -> None:
    story = Story().begin()
    story.choose()
    for proposer in "aba":
        story.choose(proposer=proposer)
    found = proposer_shares(story.history, parts=5)
    assert found.ends.tolist() == [1, 2, 3]
    assert found.shares.sum(axis=1).tolist() == pytest.approx([1, 1, 1])


def test_nobody_was_chosen_yet() -> None:
    assert proposer_shares(Story().begin().history).shares.shape == (0, 0)
