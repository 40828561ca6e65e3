from speciate.records import FailureKind, RejectedEvent
from speciate.reports import failures, rejections
from speciate.testing.stories import Story


def test_failures_are_crossed_by_kind_operator_and_proposer() -> None:
    story = Story().begin()
    story.scores(story.choose(), 1.0)
    story.fails(story.choose(proposer="a", operator="diff"), FailureKind.CRASH, seconds=1.0)
    story.fails(story.choose(proposer="b", operator="diff"), FailureKind.CRASH)
    story.fails(story.choose(proposer="a", operator="diff"), FailureKind.CRASH, seconds=2.0)
    story.fails(story.choose(proposer="a", operator="diff"), FailureKind.SYNTAX)
    rows = failures(story.history)
    assert [(r.kind, r.operator, r.proposer, r.count, r.seconds, r.example) for r in rows] == [
        (FailureKind.CRASH, "diff", "a", 2, 3.0, 1),
        (FailureKind.CRASH, "diff", "b", 1, 0.5, 2),
        (FailureKind.SYNTAX, "diff", "a", 1, 0.5, 4),
    ]
    assert rows[0].message == "it broke"


def test_rejections_count_attempts_and_the_candidates_they_closed() -> None:
    story = Story().begin()
    story.scores(story.choose(), 1.0)
    ordinal = story.choose()
    story.write(RejectedEvent(ordinal=ordinal, at="screen", reason="duplicate", message="known"))
    story.scores(ordinal, 2.0)
    story.is_rejected(story.choose(), "screen", "duplicate")
    story.is_rejected(story.choose(), "propose", "no_match")
    rows = rejections(story.history)
    assert [(r.step, r.reason, r.attempts, r.final, r.example, r.message) for r in rows] == [
        ("screen", "duplicate", 2, 1, 1, "known"),
        ("propose", "no_match", 1, 1, 3, "No."),
    ]


def test_a_clean_run_has_neither() -> None:
    story = Story().begin()
    story.scores(story.choose(), 1.0)
    assert failures(story.history) == []
    assert rejections(story.history) == []
