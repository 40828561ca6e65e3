"""Hypothesis strategies for every event, and for whole histories that an engine could have written."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import TypeVar, get_args

from hypothesis import strategies as st

from speciate.records import (
    ArmsChanged,
    Asked,
    CaseResult,
    Chosen,
    Drained,
    EpochOpened,
    Evaluated,
    Event,
    Failure,
    FailureKind,
    IslandOpened,
    Joined,
    Json,
    Migrated,
    Move,
    Noted,
    NoteKind,
    NoveltyCheck,
    NoveltyVerdict,
    Outcome,
    Patched,
    Placed,
    Placement,
    PlacementKind,
    Published,
    Received,
    RejectedEvent,
    Replied,
    Result,
    Reworded,
    Role,
    RoundEnded,
    Sampling,
    Scalar,
    Started,
    Step,
    StoredMessage,
    TextRef,
    Usage,
    text_hash,
)

T = TypeVar("T")

_ROLES: tuple[Role, ...] = ("system", "user", "assistant")
_STEPS: tuple[Step, ...] = ("propose", "screen")
_NOTES: tuple[NoteKind, ...] = ("summaries", "insights", "recommendations")

words = st.text(max_size=12)
counts = st.integers(0, 10**6)
# NaN is left out because it does not equal itself; infinities are in.
numbers = st.floats(allow_nan=False)
finite = st.floats(allow_nan=False, allow_infinity=False)
durations = st.floats(0, 1e6)
digests = words.map(text_hash)
refs = st.builds(TextRef, digests)
ordinals = st.integers(0, 10**9)
scalars: st.SearchStrategy[Scalar] = st.booleans() | st.integers(-(2**60), 2**60) | numbers | words
plain_json: st.SearchStrategy[Json] = st.none() | scalars
json_values: st.SearchStrategy[Json] = st.recursive(
    plain_json,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=5,
)


def few(values: st.SearchStrategy[T]) -> st.SearchStrategy[tuple[T, ...]]:
    """Tuples of up to three values."""
    return st.lists(values, max_size=3).map(tuple)


def named(values: st.SearchStrategy[T]) -> st.SearchStrategy[dict[str, T]]:
    """Mappings of up to three names."""
    return st.dictionaries(words, values, max_size=3)


costs = st.none() | st.floats(0, 1e3)
usages = st.builds(Usage, counts, counts, counts, counts, counts, costs)
samplings = st.builds(
    Sampling,
    max_tokens=counts,
    temperature=st.none() | st.floats(0, 2),
    reasoning_effort=st.sampled_from((None, "minimal", "low", "medium", "high")),
    seed=st.none() | counts,
    grammar=st.none() | words,
    json_schema=st.none() | named(json_values),
)
messages = st.builds(StoredMessage, st.sampled_from(_ROLES), few(words | refs))
cells = st.none() | few(st.integers(0, 99))
placements = st.builds(Placement, st.sampled_from(PlacementKind), cells, few(ordinals))
moves = st.builds(Move, ordinals, st.integers(0, 3), st.integers(0, 3), placements)
cases = st.builds(CaseResult, words, named(scalars), st.booleans(), words, durations)
fitnesses = st.lists(finite, min_size=1, max_size=3).map(tuple)
results = st.builds(
    Result,
    objectives=fitnesses,
    public=named(scalars),
    private=named(scalars),
    feedback=words,
    cases=few(cases),
    artifacts=named(words),
    extra=named(json_values),
)
failures = st.builds(Failure, st.sampled_from(FailureKind), words, words)
measures = {
    "seconds": durations,
    "cpu_seconds": durations,
    "memory_mb": st.none() | durations,
    "evaluations": st.integers(0, 9),
}
outcomes = st.builds(Outcome, result=results, **measures) | st.builds(Outcome, failure=failures, **measures)

_key = {"ordinal": ordinals, "attempt": st.integers(0, 9), "part": words}

chosen = st.builds(
    Chosen,
    **_key,
    epoch=counts,
    seen=counts,
    island=counts,
    operator=words,
    proposer=words,
    parents=few(ordinals),
    inspirations=few(ordinals),
    advice=st.none() | counts,
    phrasing=words,
    wording=st.none() | counts,
)
asked = st.builds(
    Asked, **_key, model=words, messages=few(messages), sampling=samplings, request=digests, reserved=costs
)
replied = st.builds(
    Replied,
    **_key,
    text=refs,
    model=words,
    usage=usages,
    finish=words,
    sent=named(json_values),
    dropped=few(words),
    retries=counts,
    seconds=durations,
    error=st.none() | words,
)
checks = st.none() | st.builds(
    NoveltyCheck,
    st.sampled_from(get_args(NoveltyVerdict)),
    st.none() | st.floats(-1, 1),
    st.none() | ordinals,
    st.booleans(),
    durations,
)
patched = st.builds(
    Patched,
    **_key,
    program=few(st.tuples(words, digests)),
    summary=words,
    traits=named(numbers),
    novelty=checks,
)
rejected = st.builds(
    RejectedEvent,
    **_key,
    at=st.sampled_from(_STEPS),
    reason=words,
    message=words,
    final=st.booleans(),
    novelty=checks,
)
started = st.builds(Started, **_key)
evaluated = st.builds(Evaluated, **_key, outcome=outcomes, epoch=counts, cached=st.none() | ordinals)
placed = st.builds(
    Placed,
    **_key,
    epoch=counts,
    placements=few(st.tuples(st.integers(0, 9), placements)),
    best=st.booleans(),
    gain=st.none() | numbers,
    twin=st.none() | ordinals,
)
migrated = st.builds(Migrated, **_key, moves=few(moves))
island_opened = st.builds(IslandOpened, **_key, island=counts, copies=few(st.tuples(ordinals, placements)))
noted = st.builds(
    Noted,
    **_key,
    update=counts,
    kind=st.sampled_from(_NOTES),
    lines=few(st.tuples(counts, words)),
    dropped=few(counts),
    contradictions=few(st.tuples(counts, counts)),
    surplus=counts,
    error=st.none() | words,
)
reworded = st.builds(
    Reworded,
    **_key,
    update=counts,
    parent=counts,
    number=st.none() | counts,
    text=words,
    summary=words,
    retired=st.none() | counts,
    error=st.none() | words,
)
arms_changed = st.builds(
    ArmsChanged, **_key, proposers=few(words), arms=few(words), kept=st.booleans(), reworded=st.booleans()
)
round_ended = st.builds(
    RoundEnded,
    **_key,
    round=counts,
    epoch=counts,
    champion=st.none() | ordinals,
    fitness=st.none() | st.floats(allow_nan=False),
    reason=st.sampled_from(["iterations", "skip"]),
    generality=st.none() | st.floats(0, 1),
    scored_in=st.none() | counts,
)
epoch_opened = st.builds(
    EpochOpened,
    **_key,
    epoch=counts,
    context=refs,
    rescored=few(st.tuples(st.integers(0, 9), ordinals)),
    kept=st.booleans(),
)

joined = st.builds(Joined, **_key, ensemble=words, node=words, incarnation=words)
published = st.builds(
    Published, **_key, round=counts, announcement=refs, size=counts, at=st.none() | durations
)
received = st.builds(
    Received,
    **_key,
    node=words,
    incarnation=words,
    round=counts,
    program=few(st.tuples(words, digests)),
    proposer=words,
    fitness=st.none() | st.floats(allow_nan=False),
    size=counts,
    refused=st.none() | words,
)
drained = st.builds(
    Drained,
    **_key,
    round=counts,
    position=durations,
    heard=counts,
    size=counts,
    listened=few(words),
    at=st.none() | durations,
)

by_step: Mapping[str, st.SearchStrategy[Event]] = {
    "chosen": chosen,
    "asked": asked,
    "replied": replied,
    "patched": patched,
    "rejected": rejected,
    "started": started,
    "evaluated": evaluated,
    "placed": placed,
    "migrated": migrated,
    "island_opened": island_opened,
    "noted": noted,
    "reworded": reworded,
    "arms_changed": arms_changed,
    "round_ended": round_ended,
    "epoch_opened": epoch_opened,
    "joined": joined,
    "published": published,
    "received": received,
    "drained": drained,
}
"""Events of one kind, by step."""

events: st.SearchStrategy[Event] = st.one_of(*by_step.values())
"""Any event at all; a list of them need not make sense as a history."""


@st.composite
def histories(draw: st.DrawFn, *, most: int = 6) -> list[Event]:
    """Draws a history an engine could have written: each candidate's events in order, candidates interleaved.

    Args:
        draw: given by Hypothesis.
        most: most candidates.
    """
    candidates = draw(st.integers(0, most))
    lives = [deque(draw(_life(ordinal))) for ordinal in range(candidates)]
    turns = draw(st.permutations([ordinal for ordinal, life in enumerate(lives) for _ in life]))
    history: list[Event] = [lives[ordinal].popleft() for ordinal in turns]
    for number in range(draw(st.integers(0, 1))):
        epoch = EpochOpened(
            ordinal=number,
            part=str(number + 1),
            epoch=number + 1,
            context=TextRef(text_hash("pool")),
            kept=draw(st.booleans()),
        )
        history.insert(draw(st.integers(0, len(history))), epoch)
    return history


@st.composite
def _life(draw: st.DrawFn, ordinal: int) -> list[Event]:
    parents = draw(st.lists(st.integers(0, ordinal - 1), max_size=2, unique=True)) if ordinal else []
    life: list[Event] = [
        Chosen(ordinal=ordinal, proposer=draw(st.sampled_from("ab")), parents=tuple(parents))
    ]
    attempts = draw(st.integers(0, 2))
    for attempt in range(attempts):
        life += draw(_model_call(ordinal, attempt))
        final = attempt == attempts - 1 and draw(st.booleans())
        life.append(
            RejectedEvent(
                ordinal=ordinal, attempt=attempt, at="propose", reason="no_match", message="", final=final
            )
        )
        if final:
            return life
    life += draw(_model_call(ordinal, attempts))
    program = (("initial.py", text_hash(f"program {ordinal}")),)
    life.append(Patched(ordinal=ordinal, attempt=attempts, program=program))
    life.append(Started(ordinal=ordinal, part="context"))
    life.append(Evaluated(ordinal=ordinal, part="context", outcome=draw(outcomes)))
    life.append(
        Placed(
            ordinal=ordinal,
            placements=((draw(st.integers(0, 1)), draw(_placements(ordinal))),),
            best=draw(st.booleans()),
        )
    )
    return life[: draw(st.integers(1, len(life)))]


@st.composite
def _model_call(draw: st.DrawFn, ordinal: int, attempt: int) -> list[Event]:
    if not draw(st.booleans()):
        return []
    asking = Asked(
        ordinal=ordinal,
        attempt=attempt,
        part="propose",
        model="m",
        messages=(),
        sampling=Sampling(),
        request="r",
        reserved=draw(costs),
    )
    answer = Replied(
        ordinal=ordinal,
        attempt=attempt,
        part="propose",
        text=TextRef(text_hash("answer")),
        model="m-1",
        usage=draw(usages),
        seconds=draw(durations),
    )
    return [asking, answer]


def _placements(ordinal: int) -> st.SearchStrategy[Placement]:
    evicted = st.lists(st.integers(0, ordinal - 1), max_size=2, unique=True) if ordinal else st.just([])
    return st.builds(Placement, st.sampled_from(PlacementKind), st.none(), evicted.map(tuple))
