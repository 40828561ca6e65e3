from speciate.records import (
    EpochOpened,
    Evaluated,
    FailureKind,
    Objective,
    Outcome,
    Placed,
    Result,
    TextRef,
    text_hash,
)
from speciate.reports import lineage, operators_along, path_to
from speciate.testing.stories import Story

UP = Objective("length")


def family() -> Story:
    """0 → 1 → 3 (best), 0 → 2 which is evicted, and 4, a failed child of 3."""
    story = Story().begin()
    story.scores(story.choose(), 1.0, summary="initial program")
    story.scores(story.choose(parents=(0,), operator="full"), 2.0)
    story.scores(story.choose(parents=(0,), operator="diff"), 0.5)
    story.scores(story.choose(parents=(1, 2), operator="crossover"), 5.0, evicted=(2,), summary="joined both")
    story.fails(story.choose(parents=(3,)), FailureKind.CRASH)
    return story


def test_the_tree_holds_the_valid_candidates_with_their_generations() -> None:
    tree = lineage(family().history, UP)
    assert tree.ordinals.tolist() == [0, 1, 2, 3]
    assert tree.parents.tolist() == [-1, 0, 0, 1]
    assert tree.generations.tolist() == [0, 1, 1, 2]
    assert tree.scores.tolist() == [1.0, 2.0, 0.5, 5.0]


def test_the_path_and_what_still_lives_are_marked() -> None:
    tree = lineage(family().history, UP)
    assert tree.on_path.tolist() == [True, True, False, True]
    assert tree.living.tolist() == [True, True, False, True]


def test_an_empty_run_has_an_empty_tree() -> None:
    tree = lineage(Story().begin().history, UP)
    assert tree.ordinals.shape == tree.living.shape == (0,)


def test_the_path_tells_operators_scores_gains_and_summaries() -> None:
    path = path_to(family().history, 3, UP)
    told = [(s.ordinal, s.generation, s.operator, s.score, s.gain, s.summary) for s in path]
    assert told == [
        (0, 0, "initial", 1.0, None, "initial program"),
        (1, 1, "full", 2.0, 1.0, ""),
        (3, 2, "crossover", 5.0, 3.0, "joined both"),
    ]
    assert path[-1].parents == (1, 2)


def test_a_gain_is_positive_for_the_better_when_the_objective_is_minimised() -> None:
    story = Story().begin(direction="minimize")
    story.scores(story.choose(), -8.0)
    story.scores(story.choose(), -6.0)
    step = path_to(story.history, 1, Objective("length", "minimize"))[-1]
    assert (step.score, step.gain) == (6.0, 2.0)


def test_a_path_over_epochs_compares_parent_and_child_in_the_childs_own() -> None:
    story = family()
    again = Outcome(Result((0.25,)))
    story.write(
        EpochOpened(ordinal=4, part="1", epoch=1, context=TextRef(text_hash("pool"))),
        Evaluated(ordinal=3, part="pool", epoch=1, outcome=again),
        Placed(ordinal=3, part="1", epoch=1),
    )
    before, last = path_to(story.history, 3, UP)[-2:]
    assert (before.epoch, before.score) == (0, 2.0)
    assert (last.epoch, last.score, last.gain) == (1, 0.25, 3.0)


def test_operators_share_the_gain_of_the_path() -> None:
    shares = operators_along(path_to(family().history, 3, UP))
    assert {name: (share.steps, share.gain) for name, share in shares.items()} == {
        "full": (1, 1.0),
        "crossover": (1, 3.0),
    }
