import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from speciate.records import Direction, FailureKind, Objective
from speciate.reports import convergence, milestones
from speciate.testing.stories import Story

UP, DOWN = Objective("length"), Objective("length", "minimize")


def run_of(scores: list[float]) -> Story:
    story = Story().begin()
    for score in scores:
        story.scores(story.choose(), score)
    return story


def test_the_curve_tells_scores_and_the_best_so_far() -> None:
    curve = convergence(run_of([1.0, 3.0, 2.0]).history, UP)
    assert curve.ordinals.tolist() == [0, 1, 2]
    assert curve.scores.tolist() == [1.0, 3.0, 2.0]
    assert curve.best.tolist() == [1.0, 3.0, 3.0]
    assert curve.improved.tolist() == [True, True, False]


def test_candidates_without_a_score_leave_a_gap_and_keep_the_best() -> None:
    story = run_of([1.0])
    story.fails(story.choose(), FailureKind.CRASH)
    story.is_rejected(story.choose(), "propose", "no_match")
    story.scores(story.choose(), 2.0)
    curve = convergence(story.history, UP)
    assert np.isnan(curve.scores).tolist() == [False, True, True, False]
    assert curve.best.tolist() == [1.0, 1.0, 1.0, 2.0]
    assert curve.valid.tolist() == [1, 1, 1, 2]


def test_the_curve_of_a_minimised_objective_falls() -> None:
    curve = convergence(run_of([-5.0, -3.0, -4.0]).history, DOWN)
    assert curve.scores.tolist() == [5.0, 3.0, 4.0]
    assert curve.best.tolist() == [5.0, 3.0, 3.0]


def test_milestones_say_when_shares_of_the_gain_were_reached() -> None:
    curve = convergence(run_of([0.0, 4.0, 5.0, 9.0, 10.0]).history, UP)
    reached = milestones(curve, UP, (0.5, 0.9, 1.0))
    assert [(m.share, m.closed, m.score, m.ordinal) for m in reached] == [
        (0.5, 3, 5.0, 2),
        (0.9, 4, 9.0, 3),
        (1.0, 5, 10.0, 4),
    ]


def test_without_any_gain_there_are_no_milestones() -> None:
    assert milestones(convergence(Story().begin().history, UP), UP) == []
    assert milestones(convergence(run_of([3.0, 3.0, 1.0]).history, UP), UP) == []


@given(
    st.lists(st.floats(-1e300, 1e300), min_size=2, max_size=12),
    st.sampled_from(["maximize", "minimize"]),
)
def test_the_last_milestone_is_the_first_candidate_with_the_best_score(
    scores: list[float], direction: Direction
) -> None:
    objective = Objective("length", direction)
    reached = milestones(convergence(run_of(scores).history, objective), objective)
    best = max(scores)
    assert bool(reached) == (best > scores[0])
    if reached:
        assert (reached[-1].ordinal, reached[-1].score) == (scores.index(best), objective.outward(best))
