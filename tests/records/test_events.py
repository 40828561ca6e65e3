from __future__ import annotations

import math
import random
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from speciate.records import (
    STEPS,
    Asked,
    CaseResult,
    Choice,
    Chosen,
    EpochOpened,
    Evaluated,
    Event,
    Failure,
    FailureKind,
    Outcome,
    Patched,
    Placed,
    Program,
    Replied,
    Result,
    Sampling,
    Scalar,
    Started,
    StoredMessage,
    TextRef,
    Usage,
    from_json,
    history,
    key,
    program_refs,
    sort_key,
    stable,
    text_hash,
    text_refs,
    to_json,
)
from speciate.testing import events as strategies


@pytest.mark.parametrize("step", STEPS)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_any_event_comes_back_equal(step: str, data: st.DataObject) -> None:
    event = data.draw(strategies.by_step[step])
    assert event.step == step
    assert from_json(to_json(event), key(event)) == event


def test_metrics_keep_their_types_and_may_be_non_finite() -> None:
    public: dict[str, Scalar] = {
        "yes": True,
        "one": 1,
        "real": 1.0,
        "text": "1",
        "inf": math.inf,
        "minus": -math.inf,
    }
    event = Evaluated(
        ordinal=0, outcome=Outcome(result=Result((1.0,), public=public, extra={"inf": math.inf}))
    )
    found = from_json(to_json(event), key(event))
    assert isinstance(found, Evaluated)
    assert found == event
    assert found.outcome.result is not None
    assert [type(v) for v in found.outcome.result.public.values()] == [bool, int, float, str, float, float]


def test_nan_stays_nan() -> None:
    event = Patched(ordinal=0, program=(), traits={"sigma": math.nan})
    found = from_json(to_json(event), key(event))
    assert isinstance(found, Patched)
    assert math.isnan(found.traits["sigma"])


def test_the_key_and_defaults_are_left_out() -> None:
    assert to_json(Started(ordinal=17, attempt=2, part="context")) == b"{}"
    assert to_json(Chosen(ordinal=17, proposer="p")) == b'{"proposer":"p"}'


def test_an_unknown_cost_is_not_the_default() -> None:
    event = Replied(ordinal=0, text=TextRef("t"), model="m", usage=Usage(cost=None))
    found = from_json(to_json(event), key(event))
    assert isinstance(found, Replied)
    assert found.usage.cost is None


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(PydanticSerializationError):
        to_json(Patched(ordinal=0, program=(), summary="\ud800"))


def test_what_is_no_event_is_refused() -> None:
    with pytest.raises(KeyError):
        from_json(b"{}", (0, 0, "dreamt", ""))
    with pytest.raises(ValidationError):
        from_json(b'{"parents": "none"}', (0, 0, "chosen", ""))
    with pytest.raises(ValidationError):
        from_json(b"{}", (0, 0, "evaluated", ""))


def test_a_choice_and_its_event_say_the_same() -> None:
    choice = Choice(3, 1, 2, 0, "diff", "p", (1, 2), (0,))
    assert Chosen.of(choice).choice == choice
    assert {f.name for f in fields(Choice)} <= {f.name for f in fields(Chosen)}


@given(st.lists(strategies.events, max_size=6), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_a_history_does_not_depend_on_the_order_of_its_events(
    events: list[Event], shuffler: random.Random
) -> None:
    events = list({key(event): event for event in events}.values())
    shuffled = list(events)
    shuffler.shuffle(shuffled)
    assert history(shuffled) == history(events)


@given(strategies.events)
@settings(deadline=None)
def test_stable_can_be_applied_twice_and_keeps_the_key(event: Event) -> None:
    assert stable(stable(event)) == stable(event)
    assert key(stable(event)) == key(event)


def test_stable_forgets_durations_and_memory_and_nothing_else() -> None:
    case = CaseResult("c", {"v": 1}, seconds=3)
    outcome = Outcome(result=Result((1.0,), cases=(case,)), seconds=1, cpu_seconds=2, memory_mb=3)
    calm = Outcome(result=Result((1.0,), cases=(replace(case, seconds=0),)))
    assert stable(Evaluated(ordinal=0, outcome=outcome)) == Evaluated(ordinal=0, outcome=calm)
    failure = Failure(FailureKind.CRASH, "signal 11")
    assert stable(Evaluated(ordinal=0, outcome=Outcome(failure=failure, seconds=9))) == Evaluated(
        ordinal=0, outcome=Outcome(failure=failure)
    )
    reply = Replied(ordinal=0, text=TextRef("t"), model="m", usage=Usage(2), seconds=4)
    assert stable(reply) == replace(reply, seconds=0)
    assert stable(Placed(ordinal=0, best=True)) == Placed(ordinal=0, best=True)


def test_steps_sort_as_they_happen() -> None:
    events: list[Event] = [
        Placed(ordinal=0),
        Started(ordinal=0),
        Chosen(ordinal=1),
        Chosen(ordinal=0),
        Started(ordinal=0, attempt=1),
    ]
    assert [(e.ordinal, e.attempt, e.step) for e in sorted(events, key=sort_key)] == [
        (0, 0, "chosen"),
        (0, 0, "started"),
        (0, 0, "placed"),
        (0, 1, "started"),
        (1, 0, "chosen"),
    ]


def test_text_refs_are_all_the_texts_an_event_needs() -> None:
    messages = (
        StoredMessage("user", (TextRef("a"), "short", TextRef("b"))),
        StoredMessage("user", (TextRef("c"),)),
    )
    asked = Asked(ordinal=0, model="m", messages=messages, sampling=Sampling(), request="r")
    assert text_refs(asked) == ["a", "b", "c"]
    assert text_refs(Replied(ordinal=0, text=TextRef("d"), model="m", usage=Usage())) == ["d"]
    assert text_refs(Patched(ordinal=0, program=(("f", "e"), ("g", "f")))) == ["e", "f"]
    assert text_refs(EpochOpened(ordinal=0, epoch=1, context=TextRef("g"))) == ["g"]
    assert text_refs(Placed(ordinal=0)) == []


def test_program_refs_are_the_texts_of_its_manifest() -> None:
    program = Program.of({"a.py": "x", "b.py": "y"})
    assert program_refs(program) == {text_hash("x"): "x", text_hash("y"): "y"}
