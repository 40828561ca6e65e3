from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from speciate.records import Failure, FailureKind, Ordinal, Outcome, Program, Reply, Reworded
from speciate.reflection import Story
from speciate.seeds import stream
from speciate.testing.gateways import Answer, ScriptedGateway
from speciate.testing.proposers import small_task
from speciate.testing.wordings import ORIGINAL, Archive
from speciate.wordings import Draft, Reworder, WordingsConfig, decide_wording
from speciate.wordings.prompts import load_prompt, wording_identities
from speciate.wordings.reading import NewWording
from speciate.wordings.update import extremes

BOLD = "You improve programs. Be bold, and look at the feedback first."
REPLY = f"Summary: bolder\n\n```text\n{BOLD}\n```\n"


def story(ordinal: Ordinal) -> Story:
    failed = Outcome(failure=Failure(FailureKind.EXCEPTION, "ZeroDivisionError", "line 3"))
    program = Program.of({"a.py": f"made = {ordinal}\n"})
    return Story(ordinal, "full", 0, 1.0, "tried it", program, None, failed, "", None)


def stories(ordinals: Sequence[Ordinal]) -> list[Story]:
    return [story(ordinal) for ordinal in ordinals]


def due(**settings: object) -> Archive:
    """An archive whose first update is due, with candidates 0 to 3 of the task's own wording."""
    book = Archive(**settings)
    for gain, failure in ((0.5, None), (None, "exception"), (2.0, None), (-1.0, None)):
        book.lived(0, gain, failure)
    return book


def drafted(book: Archive, gateway: ScriptedGateway, **settings: object) -> Draft:
    config = WordingsConfig.model_validate(
        {"enabled": True, "interval": 4, "trial": 2, "size": 3, **settings}
    )
    reworder = Reworder("scripted:m", small_task(), gateway, lambda what, n: stream(0, n, what), config)
    assert book.wordings.job is not None
    return asyncio.run(reworder.draft(book.wordings.job, book.wordings, stories))


def decided(book: Archive, draft: Draft) -> Reworded:
    assert book.wordings.job is not None
    return decide_wording(book.wordings.job, book.wordings, draft)


def test_a_variant_joins_the_archive() -> None:
    book, gateway = due(), ScriptedGateway([REPLY])
    event = decided(book, drafted(book, gateway))
    assert (event.number, event.parent, event.text, event.summary) == (1, 0, BOLD, "bolder")
    [call] = gateway.calls
    assert (call.ordinal, call.attempt, call.purpose) == (3, 0, "wordings.evolve")
    book.wordings.reworded(event)
    assert [one.text for one in book.wordings.standing] == [ORIGINAL, BOLD]


def test_whoever_varies_a_wording_is_told_it_and_what_came_of_it() -> None:
    book, gateway = due(), ScriptedGateway([REPLY])
    book.lived(0, 99.0)  # ended after the update became due
    drafted(book, gateway, examples=2)
    system, user = (message.text for message in gateway.calls[0].request.messages)
    assert "At most 4000 characters" in system
    assert f"```text\n{ORIGINAL}\n```" in user
    assert "4 programs ended, 2 of them better" in user
    assert "gained 1.25 in score at the median" in user
    assert "1 have no score: exception 1" in user
    assert user.index("## Program 2 ") < user.index("## Program 0 ")  # gained most, best first
    assert user.index("## Program 0 ") < user.index("## Program 1 ") < user.index("## Program 3 ")
    assert "## Program 4 " not in user


@pytest.mark.parametrize(
    "answer",
    [Reply("", "m", error="HTTP 500"), Reply("no", "m", finish="refusal"), "", "I like it.", REPLY[:40]],
)
def test_an_answer_of_no_use_changes_nothing(answer: Answer) -> None:
    book = due()
    event = decided(book, drafted(book, ScriptedGateway([answer])))
    assert event.error
    assert (event.number, event.text, event.retired) == (None, "", None)


def test_a_wording_that_was_there_before_is_none() -> None:
    book = due()
    event = decided(book, Draft(0, NewWording(f"  {ORIGINAL.upper()} ", "loud")))
    assert event.error == "it repeats wording 0"


def test_while_all_are_on_trial_nobody_is_asked() -> None:
    book = Archive()
    book.made("One way to do it.")
    book.made("Another way to do it.")
    for _ in range(4):
        book.lived(0, None, "invalid")
    event = decided(book, drafted(book, ScriptedGateway([])))
    assert event.error == "no room: every wording is still on trial"


def test_in_a_full_archive_one_makes_room() -> None:
    book = Archive()
    first, second = book.made("One way to do it."), book.made("Another way to do it.")
    for number, gain in ((first, 1.0), (second, None), (first, 1.0), (second, None)):
        book.lived(number, gain, None if gain else "invalid")
    event = decided(book, drafted(book, ScriptedGateway([REPLY])))
    assert (event.number, event.retired) == (3, second)
    book.wordings.reworded(event)
    assert [one.number for one in book.wordings.standing] == [0, first, 3]


def test_the_best_and_the_worst_are_shown_once() -> None:
    children = [(1, 0.5), (2, None), (3, 2.0), (4, -1.0), (5, None), (6, 0.0)]
    assert extremes(children, 2) == ((3, 1), (5, 2))
    assert extremes(children, 9) == ((3, 1), (5, 2, 4, 6))
    assert extremes([], 3) == ((), ())


def test_every_prompt_ships_and_can_be_named() -> None:
    assert "{{" not in load_prompt("evolve").render({"most": "5"})
    assert "is an instruction to you" in load_prompt("evolve").text
    assert not load_prompt("keep").placeholders
    assert set(wording_identities()) == {"wordings.evolve", "wordings.keep"}
