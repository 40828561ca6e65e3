from __future__ import annotations

import pytest

from speciate.errors import StoreCorruptError
from speciate.records import (
    Asked,
    CaseResult,
    Chosen,
    EpochOpened,
    Evaluated,
    Failure,
    FailureKind,
    Message,
    Migrated,
    Move,
    Outcome,
    Patched,
    Placed,
    Placement,
    PlacementKind,
    RejectedEvent,
    Replied,
    Result,
    Sampling,
    StoredMessage,
    TextRef,
    Usage,
    text_hash,
)
from speciate.store import CurvePoint, MemoryStore, RunHistory, Unanswered
from speciate.testing.stores import append

NEW = Placement(PlacementKind.NEW)
NOT_KEPT = Placement(PlacementKind.NOT_KEPT)


def scored(score: float, *, seconds: float = 0.0, evaluations: int = 1) -> Outcome:
    return Outcome(result=Result((score,)), seconds=seconds, evaluations=evaluations)


def failed(kind: FailureKind = FailureKind.CRASH) -> Outcome:
    return Outcome(failure=Failure(kind, "died", "a long traceback"))


class Run:
    """Writes whole candidates in one line each."""

    def __init__(self) -> None:
        self.store = MemoryStore()

    def add(
        self,
        ordinal: int,
        outcome: Outcome,
        *,
        parents: tuple[int, ...] = (0,),
        placement: Placement = NEW,
        island: int = 0,
        epoch: int = 0,
        best: bool = False,
    ) -> None:
        operator = "mutate" if ordinal else "initial"
        chosen = Chosen(
            ordinal=ordinal, operator=operator, proposer="p", parents=parents if ordinal else (), epoch=epoch
        )
        evaluated = Evaluated(ordinal=ordinal, part=f"context {epoch}", outcome=outcome, epoch=epoch)
        placements = ((island, placement),) if outcome.valid else ()
        placed = Placed(ordinal=ordinal, placements=placements, epoch=epoch, best=best)
        append(self.store, chosen, evaluated, placed)

    def rescore(self, ordinal: int, outcome: Outcome, epoch: int) -> None:
        evaluated = Evaluated(ordinal=ordinal, part=f"context {epoch}", outcome=outcome, epoch=epoch)
        placed = Placed(ordinal=ordinal, part=str(epoch), epoch=epoch, placements=((0, NEW),))
        append(self.store, evaluated, placed)

    @property
    def history(self) -> RunHistory:
        return RunHistory(self.store)


def test_an_empty_history() -> None:
    history = Run().history
    assert history.best() is None
    assert dict(history.candidates) == {}
    assert history.members() == {}
    assert history.counts().proposed == 0


def test_the_life_of_a_candidate() -> None:
    run = Run()
    run.add(0, scored(1.0))
    store = run.store
    append(store, Chosen(ordinal=1, proposer="m", parents=(0,)))
    assert run.history.candidates[1].status == "open"
    append(
        store,
        Replied(
            ordinal=1,
            part="propose",
            text=ref("no"),
            model="m-1",
            usage=Usage(1, 10, 5, cost=0.25),
            seconds=2,
        ),
        RejectedEvent(ordinal=1, at="propose", reason="no_match", message="look again"),
        Replied(
            ordinal=1,
            attempt=1,
            part="propose",
            text=ref("yes"),
            model="m-2",
            usage=Usage(1, 20, 6, cost=0.5),
        ),
        Replied(
            ordinal=1, attempt=1, part="judge", text=ref("novel"), model="j", usage=Usage(1, 3, 1, cost=0.0)
        ),
        Patched(
            ordinal=1, attempt=1, program=(("a.py", text_hash("x")),), summary="s", traits={"sigma": 0.5}
        ),
        texts=["no", "yes", "novel", "x"],
    )
    append(store, Evaluated(ordinal=1, part="c", outcome=scored(3.0, seconds=1.5)))
    append(store, Placed(ordinal=1, placements=((0, NEW),), best=True))
    candidate = run.history.candidates[1]
    assert candidate.status == "valid"
    assert candidate.attempts == 2
    assert [r.reason for r in candidate.rejections] == ["no_match"]
    assert candidate.usage == Usage(3, 33, 12, cost=0.75)
    assert candidate.model == "m-2"
    assert (candidate.model_seconds, candidate.evaluation_seconds, candidate.seconds) == (2, 1.5, 3.5)
    assert (candidate.summary, candidate.traits, candidate.score) == ("s", {"sigma": 0.5}, 3.0)
    assert candidate.closed == 11
    assert run.history.program(1).files == (("a.py", "x"),)


def ref(text: str) -> TextRef:
    return TextRef(text_hash(text))


def test_counts_by_step_reason_and_kind() -> None:
    run = Run()
    run.add(0, scored(1.0))
    run.add(1, failed())
    run.add(2, failed(FailureKind.CPU_LIMIT))
    run.add(3, scored(2.0))
    append(
        run.store,
        Chosen(ordinal=4, proposer="q"),
        RejectedEvent(ordinal=4, at="propose", reason="no_match", message=""),
        RejectedEvent(ordinal=4, attempt=1, at="screen", reason="duplicate", message="", final=True),
        Chosen(ordinal=5, proposer="q"),
        Evaluated(ordinal=5, part="c", outcome=scored(2.0, evaluations=0), cached=3),
    )
    counts = run.history.counts()
    assert (counts.proposed, counts.closed, counts.evaluated, counts.valid) == (5, 5, 5, 3)
    assert counts.failed == {FailureKind.CRASH: 1, FailureKind.CPU_LIMIT: 1}
    assert counts.rejected == {"screen": 1}
    assert counts.rejections == {"propose": {"no_match": 1}, "screen": {"duplicate": 1}}
    assert (counts.cached, counts.evaluations) == (1, 4)
    assert run.history.candidates[5].cached == 3
    assert [run.history.candidates[n].status for n in (1, 3, 4, 5)] == ["failed", "valid", "rejected", "open"]


def test_a_failure_is_never_best_and_negative_scores_are_scores() -> None:
    run = Run()
    run.add(0, scored(-5.0))
    run.add(1, failed())
    run.add(2, scored(-7.0))
    best = run.history.best()
    assert best is not None
    assert best.ordinal == 0


def test_the_smaller_ordinal_wins_a_tie_whatever_the_order() -> None:
    run = Run()
    run.add(0, scored(1.0))
    run.add(2, scored(4.0))
    run.add(1, scored(4.0))
    best = run.history.best()
    assert best is not None
    assert best.ordinal == 1


@pytest.mark.parametrize(("before", "expected"), [(1, 0), (2, 1), (3, 1), (4, 3), (99, 3), (0, None)])
def test_the_best_before_an_ordinal(before: int, expected: int | None) -> None:
    run = Run()
    for ordinal, score in enumerate([1.0, 2.0, 1.5, 9.0]):
        run.add(ordinal, scored(score))
    best = run.history.best(before=before)
    assert (best.ordinal if best else None) == expected


def test_the_curve_has_a_point_for_each_closed_candidate_in_order_of_closing() -> None:
    run = Run()
    run.add(0, scored(1.0))
    run.add(2, scored(3.0))
    run.add(1, failed())
    run.add(3, scored(2.0))
    assert run.history.curve() == [
        CurvePoint(0, 0, 1.0, 1.0),
        CurvePoint(2, 0, 3.0, 3.0),
        CurvePoint(1, 0, None, 3.0),
        CurvePoint(3, 0, 2.0, 3.0),
    ]


def test_proposers_get_their_calls_and_unknown_cost_stays_unknown() -> None:
    run = Run()
    run.add(0, scored(1.0))
    for ordinal, cost in ((1, 0.5), (2, None)):
        append(
            run.store,
            Chosen(ordinal=ordinal, proposer=f"m{ordinal}"),
            Replied(ordinal=ordinal, text=ref(""), model="m", usage=Usage(1, 5, 5, cost=cost), seconds=3),
            Evaluated(ordinal=ordinal, outcome=scored(2.0)),
            Placed(ordinal=ordinal, best=ordinal == 1),
        )
    first, second = run.history.proposers().values()
    assert (first.assigned, first.finished, first.valid, first.improved) == (1, 1, 1, 1)
    assert (first.usage.calls, first.usage.cost, first.seconds) == (1, 0.5, 3)
    assert (second.improved, second.usage.cost) == (0, None)
    assert run.history.counts().usage.cost is None


def test_what_a_stop_left_without_a_place_is_neither_finished_nor_valid_in_the_table() -> None:
    run = Run()
    run.add(0, scored(1.0))
    append(run.store, Chosen(ordinal=1, proposer="m"), Evaluated(ordinal=1, outcome=scored(2.0)))
    tally = run.history.proposers()["m"]
    assert (tally.assigned, tally.finished, tally.valid) == (1, 0, 0)
    append(run.store, Placed(ordinal=1))
    tally = run.history.proposers()["m"]
    assert (tally.assigned, tally.finished, tally.valid) == (1, 1, 1)


def test_members_follow_placements_evictions_and_migrations() -> None:
    run = Run()
    run.add(0, scored(1.0), placement=Placement(PlacementKind.NEW, cell=(0, 1)))
    run.add(1, scored(2.0), placement=Placement(PlacementKind.IMPROVED, cell=(0, 1), evicted=(0,)))
    run.add(2, scored(0.0), placement=NOT_KEPT)
    run.add(3, scored(2.0), island=1)
    assert run.history.members() == {0: {1: (0, 1)}, 1: {3: None}}
    stays = Move(1, source=0, target=1, placement=NOT_KEPT)
    leaves = Move(1, source=0, target=1, placement=Placement(PlacementKind.IMPROVED, evicted=(3,)))
    append(run.store, Migrated(ordinal=3, part="a", moves=(stays,)))
    assert run.history.members() == {0: {1: (0, 1)}, 1: {3: None}}
    append(run.store, Migrated(ordinal=3, part="b", moves=(leaves,)))
    assert run.history.members() == {0: {}, 1: {1: None}}
    assert [run.history.candidates[n].evicted for n in range(4)] == [True, False, False, True]


def test_an_occupant_of_two_islands_is_evicted_when_it_has_left_both() -> None:
    run = Run()
    run.add(0, scored(1.0))
    append(run.store, Migrated(ordinal=0, moves=(Move(0, source=2, target=1, placement=NEW),)))
    out = Placement(PlacementKind.IMPROVED, evicted=(0,))
    run.add(1, scored(2.0), placement=out)
    assert not run.history.candidates[0].evicted
    run.add(2, scored(2.0), placement=out, island=1)
    assert run.history.candidates[0].evicted


def test_an_epoch_has_archives_scores_and_a_best_of_its_own() -> None:
    run = Run()
    run.add(0, scored(1.0))
    run.add(1, scored(5.0))
    opened = EpochOpened(ordinal=1, part="1", epoch=1, context=ref("pool"), rescored=((0, 0), (0, 1)))
    append(run.store, opened, texts=["pool"])
    assert run.history.best() is None
    assert run.history.members() == {}
    run.rescore(0, scored(2.0), epoch=1)
    run.rescore(1, scored(0.5, evaluations=3), epoch=1)
    history = run.history
    best, before = history.best(), history.best(0)
    assert best is not None
    assert before is not None
    assert (best.ordinal, before.ordinal) == (0, 1)
    assert (history.candidates[1].score, history.candidates[1].score_in(1)) == (5.0, 0.5)
    assert history.members() == {0: {0: None, 1: None}}
    counts = history.counts()
    assert (counts.evaluated, counts.evaluations, counts.rescored, counts.closed) == (2, 2, 4, 2)
    assert len(history.curve()) == 2


def test_a_lineage_follows_the_first_parents() -> None:
    run = Run()
    run.add(0, scored(1.0))
    run.add(1, scored(1.0))
    run.add(2, scored(1.0))
    run.add(3, scored(1.0), parents=(2, 1))
    run.add(4, scored(1.0), parents=(3,))
    assert [c.ordinal for c in run.history.lineage(4)] == [0, 2, 3, 4]
    assert [c.ordinal for c in run.history.lineage(0)] == [0]


def test_prompts_and_replies_come_back_with_their_texts() -> None:
    run = Run()
    sampling = Sampling(temperature=0.5)
    messages = (
        StoredMessage("system", (ref("be brief"),)),
        StoredMessage("user", ("score 3\n", ref("program"))),
    )
    reply = Replied(
        ordinal=0, part="propose", text=ref("better"), model="m", usage=Usage(1), sent={"temperature": 0.5}
    )
    asked = Asked(
        ordinal=0,
        part="propose",
        model="x:m",
        messages=messages,
        sampling=sampling,
        request="r",
        reserved=0.1,
    )
    append(run.store, Chosen(ordinal=0), asked, texts=["be brief", "program"])
    history = run.history
    assert history.prompt(0, 0, "propose") == [
        Message("system", ("be brief",)),
        Message("user", ("score 3\n", "program")),
    ]
    assert history.unanswered == [Unanswered(0, 0, "propose", "x:m", 0.1)]
    with pytest.raises(KeyError, match="no reply"):
        history.reply(0, 0, "propose")
    append(run.store, reply, texts=["better"])
    history.refresh()
    assert history.reply(0, 0, "propose").text == "better"
    assert history.reply(0, 0, "propose").sent == {"temperature": 0.5}
    assert history.unanswered == []
    with pytest.raises(KeyError, match="asked nothing"):
        history.prompt(0, 1, "propose")


def test_the_fold_leaves_long_texts_in_the_store() -> None:
    run = Run()
    result = Result((1.0,), feedback="long", artifacts={"picture": "<svg/>"}, cases=(CaseResult("a", {}),))
    run.add(0, Outcome(result=result))
    run.add(1, failed())
    history = run.history
    light = history.candidates[0].outcome
    assert light == Outcome(result=Result((1.0,)))
    assert history.outcome(0) == Outcome(result=result)
    assert history.outcome(1) == failed()
    assert history.candidates[1].outcome == Outcome(failure=Failure(FailureKind.CRASH, "died"))
    with pytest.raises(KeyError, match="epoch 7"):
        history.outcome(0, epoch=7)


def test_a_candidate_without_a_program_has_none() -> None:
    run = Run()
    append(run.store, Chosen(ordinal=0))
    with pytest.raises(KeyError, match="no program"):
        run.history.program(0)


def test_an_event_of_a_candidate_that_was_never_chosen_is_an_error() -> None:
    run = Run()
    append(run.store, Placed(ordinal=3))
    with pytest.raises(StoreCorruptError, match="never chosen"):
        RunHistory(run.store)
