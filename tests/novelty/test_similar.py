from __future__ import annotations

import asyncio

import numpy as np
import pytest

from speciate.novelty import NoveltyConfig, NoveltyFilter, Screening, Verdict, build_novelty
from speciate.records import NoveltyCheck, Ordinal, Reply
from speciate.testing.gateways import Answer, ScriptedGateway
from speciate.testing.screenings import Past, screening

LOOP = "def f(xs):\n    total = 0\n    for x in xs:\n        total = total + x * 2\n    return total\n"
DETAIL = LOOP.replace("* 2", "* 3")
OTHER = "def f(xs):\n    return sorted(xs, key=abs)[-1] if xs else None\n"


def chain(past: Past, **settings: object) -> NoveltyFilter:
    return build_novelty(
        NoveltyConfig.model_validate({"embedding": "paths", "threshold": 0.95, **settings}), past.around
    )


def check(filter_: NoveltyFilter, asked: Screening) -> tuple[Verdict, NoveltyCheck]:
    verdict = asyncio.run(filter_.check(asked))
    assert verdict.check is not None
    return verdict, verdict.check


def test_a_detail_is_refused_and_another_approach_is_not() -> None:
    novelty = chain(Past({0: "pass", 4: LOOP}))
    refused, near = check(novelty, screening(DETAIL))
    assert (refused.novel, refused.reason, refused.nearest) == (False, "similar", 4)
    assert (near.verdict, near.nearest) == ("similar", 4)
    assert near.similarity is not None
    assert near.similarity > 0.95
    passed, far = check(novelty, screening(OTHER))
    assert (passed.novel, far.verdict) == (True, "apart")


def test_what_is_exactly_at_the_threshold_passes() -> None:
    past = Past({4: LOOP})
    _, found = check(chain(past), screening(DETAIL))
    assert found.similarity is not None
    assert check(chain(past, threshold=found.similarity), screening(DETAIL))[0].novel
    assert not check(chain(past, threshold=found.similarity - 1e-6), screening(DETAIL))[0].novel


def test_nothing_is_like_the_first_program() -> None:
    assert check(chain(Past({})), screening(LOOP))[1].similarity is None


def test_duplicates_never_reach_the_embedding() -> None:
    verdict = asyncio.run(chain(Past({4: LOOP})).check(screening(LOOP)))
    assert (verdict.reason, verdict.check) == ("duplicate", None)


def test_only_programs_before_the_horizon_and_on_the_island_count() -> None:
    novelty = chain(Past({4: LOOP}))
    assert check(novelty, screening(DETAIL, before=4))[0].novel
    assert not check(novelty, screening(DETAIL, before=5))[0].novel
    assert check(novelty, screening(DETAIL, island=1))[0].novel


def test_occupants_count_however_long_ago_they_came() -> None:
    past = Past({4: LOOP, **{n: f"x = [{n}]" for n in range(5, 40)}})
    assert check(chain(past, recent=10), screening(DETAIL))[0].novel
    past.memory.chosen(100, np.array([4]))
    assert not check(chain(past, recent=10), screening(DETAIL))[0].novel


def test_programs_that_no_model_wrote_are_compared_only_if_asked_for() -> None:
    past = Past({4: LOOP})
    assert asyncio.run(chain(past).check(screening(DETAIL, by_model=False))).check is None
    assert not asyncio.run(chain(past, genetic=True).check(screening(DETAIL, by_model=False))).novel


@pytest.mark.parametrize(
    ("answer", "policy", "novel", "verdict"),
    [
        ("Verdict: NOVEL", "reject", True, "novel"),
        ("Reason: same sum.\nVerdict: NOT NOVEL", "accept", False, "not_novel"),
        ("maybe", "accept", True, "undecided"),
        ("maybe", "reject", False, "undecided"),
        (Reply("", "m", error="busy"), "accept", True, "undecided"),
        (Reply("", "m", error="busy"), "reject", False, "undecided"),
    ],
)
def test_a_judge_decides_and_policy_where_it_does_not(
    answer: Answer, policy: str, novel: bool, verdict: str
) -> None:
    gateway = ScriptedGateway([answer])
    past = Past({4: LOOP}, gateway)
    result, found = check(chain(past, judge="scripted:x", undecided=policy), screening(DETAIL))
    assert (result.novel, found.verdict, found.nearest) == (novel, verdict, 4)
    assert bool(result.message) != novel


def test_a_judge_is_asked_of_nothing_but_the_suspicious() -> None:
    past = Past({4: LOOP}, ScriptedGateway([]))
    assert check(chain(past, judge="scripted:x"), screening(OTHER))[0].novel


def test_the_judges_reason_is_told() -> None:
    gateway = ScriptedGateway(["Reason: the sum is the same.\nVerdict: NOT NOVEL"])
    result, _ = check(chain(Past({4: LOOP}, gateway), judge="scripted:x"), screening(DETAIL))
    assert "the sum is the same." in result.message


def test_an_audit_lets_its_share_of_the_refused_through() -> None:
    novelty = chain(Past({4: LOOP}), audit=0.3)
    through = [check(novelty, screening(DETAIL, ordinal=ordinal)) for ordinal in range(100, 300)]
    passed = [found for verdict, found in through if verdict.novel]
    assert all(found.audited and found.verdict == "similar" for found in passed)
    assert 30 <= len(passed) <= 90  # 60 expected; the streams are fixed, so this cannot flicker


def test_ten_thousand_programs_give_the_same_answer_as_one() -> None:
    sources: dict[Ordinal, str] = {n: f"x{n % 7} = [{n}]\n" for n in range(10_000)}
    past = Past({**sources, 5_000: LOOP})
    past.memory.chosen(20_000, np.arange(10_000))
    verdict, found = check(chain(past), screening(DETAIL, ordinal=20_000, before=10_000))
    assert (verdict.novel, found.nearest) == (False, 5_000)
    _, alone = check(chain(Past({5_000: LOOP})), screening(DETAIL, ordinal=20_000, before=10_000))
    assert found.similarity == alone.similarity
