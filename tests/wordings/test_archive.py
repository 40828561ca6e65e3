from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.records import ORIGINAL_WORDING, PLANTED, Choice, Placed, Reworded
from speciate.testing.wordings import ORIGINAL, Archive


def test_it_begins_with_the_tasks_own_and_leaves_that_as_it_is() -> None:
    wordings = Archive().wordings
    assert [one.text for one in wordings.standing] == [ORIGINAL]
    assert wordings.text(ORIGINAL_WORDING) == wordings.text(None) == ""


def test_what_a_model_made_is_followed_by_what_is_ours() -> None:
    book = Archive()
    text = book.wordings.text(book.made("Be bold."))
    assert text.startswith("Be bold.\n\n")
    assert "form of your answer is told at the end" in text
    assert "is an instruction to you" in text


def test_credit_belongs_to_the_wording_that_was_shown() -> None:
    book = Archive()
    one = book.made("Be bold.")
    book.lived(ORIGINAL_WORDING, 0.5)
    book.lived(one, None, "rejected")
    book.lived(one, 1.5)
    book.lived(None, 9.0)  # reads no prompt
    own, bold = book.wordings.standing
    assert own.children == [(0, 0.5)]
    assert bold.children == [(1, None), (2, 1.5)]
    assert bold.failures == [(1, "rejected")]
    assert (bold.trials.ended, bold.trials.improved) == (2, 1)
    assert (bold.control.ended, bold.control.improved) == (1, 1)
    assert list(book.wordings.bandit.pulls) == [1, 2]


def test_an_update_is_due_after_every_interval_and_remembers_what_was_known_then() -> None:
    book = Archive()
    book.lived(None, None, operator=PLANTED)
    for gain in (1.0, None, 0.0, -1.0):
        book.lived(ORIGINAL_WORDING, gain, None if gain is not None else "exception")
    job = book.wordings.job
    assert job is not None
    assert (job.number, job.ordinal, job.batch) == (1, 4, (1, 2, 3, 4))
    book.lived(ORIGINAL_WORDING, 5.0)
    [glimpse] = book.wordings.scene(job.number)
    assert (glimpse.children, glimpse.failures, glimpse.share) == (4, 1, 1.0)


def test_a_wording_that_pays_is_shown_more_often() -> None:
    book = Archive(exploration=0.3, interval=1_000)
    book.made("Good advice.")
    book.made("Bad advice.")
    for _ in range(150):
        number = book.wordings.draw(np.random.Generator(np.random.Philox(book.issued)))
        book.lived(number, (0.2, 1.0, None)[number], "invalid" if number == 2 else None)
    ended = [one.trials.ended for one in book.wordings.standing]
    assert ended[1] > 2 * max(ended[0], ended[2])


def test_the_worst_by_its_lower_bound_makes_room_once_its_trial_is_over() -> None:
    book = Archive()
    good, bad = book.made("Good advice."), book.made("Bad advice.")
    for _ in range(3):
        book.lived(good, 2.0)
        assert book.wordings.leaving() in (None, good)  # nobody else has been tried
    book.lived(bad, None, "invalid")
    assert book.wordings.leaving() == good
    for _ in range(2):
        book.lived(bad, None, "invalid")
        book.lived(ORIGINAL_WORDING, None, "invalid")
    assert book.wordings.leaving() == bad  # never the task's own
    book.made("Other advice.", retired=bad)
    assert [one.number for one in book.wordings.standing] == [ORIGINAL_WORDING, good, 3]
    assert book.wordings.bandit.arms == ("0", "1", "3")


def test_a_candidate_of_a_retired_wording_still_counts_for_it() -> None:
    book = Archive()
    one = book.made("Old advice.")
    book.wordings.chosen(Choice(7, 0, 0, 0, "full", "model", (0,), wording=one))
    book.made("New advice.", retired=one, update=2)
    assert book.wordings.text(one).startswith("Old advice.")
    book.wordings.placed(Placed(ordinal=7, gain=1.0), best=0, failure=None)
    assert book.wordings.all[one].children == [(7, 1.0)]


@pytest.mark.parametrize("error", ["no answer: out of credit", "the answer was empty"])
def test_an_update_that_came_to_nothing_is_counted_and_changes_nothing(error: str) -> None:
    book = Archive()
    for _ in range(4):
        book.lived(ORIGINAL_WORDING, 1.0)
    book.wordings.reworded(Reworded(ordinal=3, update=1, parent=0, error=error))
    assert (book.wordings.updates, book.wordings.failures, book.wordings.job) == (1, 1, None)
    assert len(book.wordings.all) == 1


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from([None, -1.0, 0.0, 0.5, 3.0])), max_size=60))
def test_it_never_outgrows_its_size_and_the_tasks_own_always_stands(
    lives: list[tuple[int, float | None]],
) -> None:
    book = Archive()
    for pick, gain in lives:
        standing = book.wordings.standing
        book.lived(standing[pick % len(standing)].number, gain, None if gain is not None else "invalid")
        job = book.wordings.job
        if job is not None and book.wordings.has_room(book.wordings.scene(job.number)):
            book.made(f"advice {book.issued}", retired=book.wordings.leaving(), update=job.number)
        elif job is not None:
            book.wordings.reworded(
                Reworded(ordinal=job.ordinal, update=job.number, parent=0, error="no room")
            )
        numbers = [one.number for one in book.wordings.standing]
        assert numbers[0] == ORIGINAL_WORDING
        assert len(numbers) <= 3
        assert book.wordings.bandit.arms == tuple(map(str, numbers))
        assert math.isclose(sum(book.wordings.bandit.probabilities()), 1.0)
