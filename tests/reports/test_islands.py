from speciate.records import IslandOpened, Migrated, Move, Objective, Placement, PlacementKind
from speciate.reports import island_rows
from speciate.testing.stories import Story

NEW = Placement(PlacementKind.NEW)
UP = Objective("length")


def test_migrants_and_openings_are_told_by_island() -> None:
    story = Story().begin()
    story.scores(story.choose(), 1.0)
    story.scores(story.choose(), 2.0)
    story.write(
        IslandOpened(ordinal=1, part="1", island=1, copies=((0, NEW),)),
        Migrated(
            ordinal=1,
            moves=(Move(1, 0, 1, NEW), Move(0, 0, 1, Placement(PlacementKind.NOT_KEPT))),
        ),
    )
    first, second = island_rows(story.history, story.history.events(), UP)
    assert (first.opened, first.occupants, first.came, first.left) == (None, 1, 0, 1)
    assert (first.candidates, first.valid, first.new_bests) == (1, 1, 1)
    assert (second.opened, second.occupants, second.came, second.left) == (1, 2, 1, 0)
    assert (second.best, second.best_ordinal, second.candidates) == (2.0, 1, 0)


def test_an_island_without_occupants_has_no_best() -> None:
    story = Story().begin()
    story.choose()
    story.choose()
    (only,) = island_rows(story.history, story.history.events(), UP)
    assert (only.occupants, only.best, only.best_ordinal) == (0, None, None)
