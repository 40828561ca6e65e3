from __future__ import annotations

import pytest

from speciate.records import PLANTED, WITHOUT_ADVICE, Choice, Noted, Placed
from speciate.reflection import Job
from speciate.scratchpad import Pad, ScratchpadConfig


class Notebook:
    """A pad and candidates that are placed as soon as they are chosen."""

    def __init__(self, **settings: object) -> None:
        self.pad = Pad(ScratchpadConfig.model_validate({"enabled": True, "interval": 3, **settings}))
        self.issued = 0

    def lived(self, advice: int | None, gain: float | None, *, operator: str = "diff") -> None:
        choice = Choice(self.issued, 0, 0, 0, operator, "model", (0,), advice=advice)
        self.pad.chosen(choice)
        self.pad.placed(Placed(ordinal=self.issued, gain=gain), best=0)
        self.issued += 1

    def advised(self, *texts: str, update: int = 1, dropped: tuple[int, ...] = ()) -> None:
        lines = tuple(enumerate(texts, start=self.pad.next_number()))
        kind = "recommendations"
        self.pad.noted(
            Noted(ordinal=1, part=kind, update=update, kind="recommendations", lines=lines, dropped=dropped)
        )


def test_an_update_is_due_after_every_interval_and_knows_its_candidates() -> None:
    book = Notebook()
    book.lived(None, None, operator=PLANTED)
    for _ in range(7):
        book.lived(None, 0.5)
    assert book.pad.job == Job(1, ordinal=3, batch=(1, 2, 3), since=3, best=0)
    assert book.pad.due(4) == book.pad.job
    assert book.pad.due(5) is None
    book.advised("x")
    assert book.pad.job == Job(2, ordinal=6, batch=(4, 5, 6), since=6, best=0)
    assert book.pad.tail == (7,)


def test_a_prompt_gets_the_insights_and_one_recommendation() -> None:
    book = Notebook()
    book.advised("sort by size", "sort by age")
    book.pad.noted(
        Noted(ordinal=1, part="insights", update=2, kind="insights", lines=((1, "sorting helps"),))
    )
    text = book.pad.text(2)
    assert "sorting helps" in text
    assert "sort by age" in text
    assert "sort by size" not in text
    assert book.pad.text(None) == book.pad.text(WITHOUT_ADVICE) == book.pad.text(9) == ""


def test_each_recommendation_carries_its_children_and_what_became_of_them() -> None:
    book = Notebook()
    book.advised("a", "b")
    for advice, gain in ((1, 0.5), (2, None), (1, -1.0), (WITHOUT_ADVICE, 0.25), (1, 0.0)):
        book.lived(advice, gain)
    first, second = book.pad.everything()
    assert first.children == [(0, 0.5), (2, -1.0), (4, 0.0)]
    assert (first.trials.ended, first.trials.improved) == (3, 1)
    assert second.children == [(1, None)]
    assert (book.pad.advised.ended, book.pad.advised.improved) == (4, 1)
    assert (book.pad.control.ended, book.pad.control.improved) == (1, 1)


def test_it_is_compared_with_candidates_of_its_own_time() -> None:
    book = Notebook()
    book.advised("old")
    for _ in range(5):
        book.lived(WITHOUT_ADVICE, 1.0)
    book.advised("new", update=2)
    book.lived(WITHOUT_ADVICE, None)
    old, new = book.pad.everything()
    assert (old.control.ended, new.control.ended) == (6, 1)
    assert new.control.improved == 0


def test_none_is_dropped_before_eight_children() -> None:
    book = Notebook()
    book.advised("useless")
    for _ in range(20):
        book.lived(WITHOUT_ADVICE, 1.0)
    for _ in range(7):
        book.lived(1, None)
        assert book.pad.leaving() == ()
        assert book.pad.standing[1].standing == "young"
    book.lived(1, None)
    assert book.pad.leaving() == (1,)
    book.advised(dropped=(1,), update=2)
    assert [one.standing for one in book.pad.gone] == ["dropped"]
    assert not book.pad.standing


def test_what_is_no_worse_stays_unproven_until_its_time_is_over() -> None:
    book = Notebook(retire=12)
    book.advised("as good as nothing")
    for _ in range(11):
        book.lived(WITHOUT_ADVICE, 1.0)
        book.lived(1, 1.0)
    assert book.pad.standing[1].standing == "unproven"
    assert book.pad.leaving() == ()
    book.lived(1, 1.0)
    assert book.pad.leaving() == (1,)
    book.advised("next", dropped=(1,), update=2)
    assert [one.standing for one in book.pad.everything()] == ["retired", "young"]
    assert list(book.pad.standing) == [2]


def test_without_a_control_nothing_is_dropped() -> None:
    book = Notebook()
    book.advised("who knows")
    for _ in range(20):
        book.lived(1, None)
    assert book.pad.leaving() == ()
    assert book.pad.lift is None


@pytest.mark.parametrize("kind", ["summaries", "insights", "recommendations"])
def test_an_update_that_came_to_nothing_changes_nothing_and_is_counted(kind: str) -> None:
    book = Notebook()
    for _ in range(3):
        book.lived(None, None)
    book.pad.noted(
        Noted(ordinal=2, part=kind, update=1, kind=kind, error="no answer")  # type: ignore[arg-type]  # a NoteKind
    )
    assert (book.pad.updates, book.pad.failures) == (1, 1)
    assert book.pad.job is None
    assert not book.pad.standing


def test_length_contradictions_and_surplus_are_counted() -> None:
    book = Notebook()
    kind = "recommendations"
    book.pad.noted(
        Noted(
            ordinal=1,
            part=kind,
            update=1,
            kind="recommendations",
            lines=((1, "abc"), (2, "defg")),
            contradictions=((2, 1),),
            surplus=3,
        )
    )
    assert (book.pad.characters, book.pad.contradictions, book.pad.surplus) == (7, 1, 3)
