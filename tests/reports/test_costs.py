import pytest

from speciate.records import FailureKind
from speciate.reports import by_operator, by_proposer, timing
from speciate.testing.stories import Story


def two_proposers() -> Story:
    story = Story().begin()
    story.scores(story.choose(), 1.0, seconds=1.0)
    first = story.choose(proposer="a", operator="diff")
    story.asks(first)
    story.replies(first, cost=0.25, seconds=3.0)
    story.scores(first, 2.0, seconds=0.5)
    story.fails(story.choose(proposer="a", operator="full"), FailureKind.CRASH, seconds=4.0)
    story.is_rejected(story.choose(proposer="b", operator="diff"), "propose", "no_match")
    story.choose(proposer="b", operator="diff")
    return story


def test_work_is_told_by_proposer_without_the_initial_program() -> None:
    works = by_proposer(two_proposers().history)
    assert list(works) == ["a", "b"]
    a, b = works["a"], works["b"]
    assert (a.assigned, a.finished, a.valid, a.failed, a.rejected, a.improved) == (2, 2, 1, 1, 0, 1)
    assert (a.cost, a.model_seconds, a.evaluation_seconds) == (0.25, 3.0, 4.5)
    assert (b.assigned, b.finished, b.rejected, b.valid_share) == (2, 1, 1, 0.0)


def test_work_is_told_by_operator() -> None:
    works = by_operator(two_proposers().history)
    assert {name: (work.assigned, work.valid) for name, work in works.items()} == {
        "diff": (3, 1),
        "full": (1, 0),
    }


def test_proposers_agree_with_the_totals_of_the_store() -> None:
    history = two_proposers().history
    for name, tally in history.proposers().items():
        work = by_proposer(history)[name]
        assert (work.assigned, work.finished, work.valid, work.improved, work.usage, work.model_seconds) == (
            tally.assigned,
            tally.finished,
            tally.valid,
            tally.improved,
            tally.usage,
            tally.seconds,
        )


def test_one_unknown_price_makes_the_cost_unknown() -> None:
    story = two_proposers()
    ordinal = story.choose(proposer="a")
    story.asks(ordinal, reserved=None)
    story.replies(ordinal, cost=None)
    works = by_proposer(story.history)
    assert works["a"].cost is None
    assert works["b"].cost == 0.0


def test_time_is_told_by_where_it_went() -> None:
    story = two_proposers()
    for seconds in (3.0, 1.25):
        story.store.update_session(story.store.open_session({}), seconds=seconds, stop_reason="candidates")
    spent = timing(story.history)
    assert (spent.wall, spent.models, spent.evaluations) == (4.25, 3.0, 5.5)
    assert spent.busy == pytest.approx(2.0)


def test_without_a_session_nothing_can_be_said_about_overlap() -> None:
    assert timing(Story().begin().history).busy is None
