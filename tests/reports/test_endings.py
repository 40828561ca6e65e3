import pytest

from speciate.records import FailureKind
from speciate.reports import endings
from speciate.reports.endings import columns
from speciate.testing.stories import Story


def told() -> Story:
    story = Story().begin()
    story.scores(story.choose(), 1.0)
    valid = story.choose(proposer="a", operator="diff")
    story.asks(valid)
    story.replies(valid, seconds=3.0)
    story.scores(valid, 2.0, seconds=1.0)
    story.fails(story.choose(proposer="a", operator="diff"), FailureKind.CRASH, seconds=4.0)
    story.is_rejected(story.choose(proposer="a", operator="diff"), "propose", "no_match")
    story.is_rejected(story.choose(proposer="b", operator="full"), "screen", "duplicate")
    story.choose(proposer="b", operator="full")
    return story


def test_endings_are_crossed_with_operator_and_proposer_and_carry_their_time() -> None:
    first, second = endings(told().history)
    assert (first.operator, first.proposer, first.total.candidates) == ("diff", "a", 3)
    assert {name: (ended.candidates, ended.seconds) for name, ended in first.endings.items()} == {
        "valid": (1, 4.0),
        "crash": (1, 4.0),
        "propose no_match": (1, 0.0),
    }
    assert first.endings["valid"].cost == 0.25
    assert first.lost == pytest.approx(0.5)
    assert (list(second.endings), second.lost) == (["screen duplicate"], None)


def test_valid_ones_come_first_then_failures_then_what_was_turned_away() -> None:
    assert columns(endings(told().history)) == ["valid", "crash", "propose no_match", "screen duplicate"]


def test_planted_and_open_candidates_are_left_out() -> None:
    story = Story().begin()
    story.scores(story.choose(), 1.0)
    story.choose()
    assert endings(story.history) == []
