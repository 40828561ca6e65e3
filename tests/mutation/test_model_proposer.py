from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from pydantic import ValidationError
from typing_extensions import override

from speciate.errors import BudgetExceededError, ConfigError
from speciate.mutation import AttemptsConfig, ModelProposer, Proposer, SamplingConfig
from speciate.mutation.by_model.replies import summary_of
from speciate.records import Proposal, Rejected, Reply, Request
from speciate.seeds import stream
from speciate.testing.gateways import Answer, ScriptedGateway
from speciate.testing.proposers import (
    FIRST,
    SECOND,
    ModelProposerContract,
    make_assignment,
    scored,
    small_task,
)

GOOD_DIFF = """Summary: a larger half.
<<<<<<< SEARCH
    half = radius / 2.0
=======
    half = radius / 1.5
>>>>>>> REPLACE
"""
BAD_DIFF = GOOD_DIFF.replace("radius / 2.0", "diameter / 9")
GOOD_FULL = f"Summary: from the second.\n\n```python\n{SECOND}```\n"


class TestModelProposer(ModelProposerContract):
    @override
    def make_proposer(self) -> Proposer:
        return ModelProposer("scripted:test")

    @override
    def answers(self, operator: str) -> Sequence[Answer]:
        return [GOOD_DIFF if operator == "diff" else GOOD_FULL]


def attempts(
    proposer: ModelProposer,
    gateway: ScriptedGateway,
    operator: str,
    *,
    config: AttemptsConfig,
    most: int = 20,
) -> list[Proposal | Rejected]:
    """Lives through a candidate's attempts until one succeeds or they are used up."""
    tried: list[Rejected] = []
    while len(tried) < most:
        assignment = make_assignment(small_task(), operator=operator, gateway=gateway, rejections=tried)
        made = asyncio.run(proposer.propose(assignment))
        if isinstance(made, Proposal):
            return [*tried, made]
        tried.append(config.conclude(made, tried))
        if tried[-1].final:
            break
    return list(tried)


def test_a_diff_changes_what_it_says_and_carries_its_summary() -> None:
    [made] = attempts(ModelProposer("m"), ScriptedGateway([GOOD_DIFF]), "diff", config=AttemptsConfig())
    assert isinstance(made, Proposal)
    assert made.program.source == FIRST.replace("/ 2.0", "/ 1.5")
    assert made.summary == "a larger half."


def test_half_characters_do_not_get_into_programs_or_summaries() -> None:
    reply = GOOD_DIFF.replace("1.5", "1.5  # \ud800").replace("larger", "\udfff")
    [made] = attempts(ModelProposer("m"), ScriptedGateway([reply]), "diff", config=AttemptsConfig())
    assert isinstance(made, Proposal)
    assert (made.program.source + made.summary).encode("utf-8")
    assert "1.5  # ?" in made.program.source


def test_the_model_is_asked_once_an_attempt_under_the_ordinal() -> None:
    gateway = ScriptedGateway([GOOD_FULL])
    attempts(ModelProposer("vendor:model"), gateway, "full", config=AttemptsConfig())
    [call] = gateway.calls
    assert (call.model, call.ordinal, call.attempt, call.purpose) == ("vendor:model", 7, 0, "propose")


def test_after_a_bad_patch_the_conversation_goes_on() -> None:
    gateway = ScriptedGateway([BAD_DIFF, GOOD_DIFF])
    made = attempts(ModelProposer("m"), gateway, "diff", config=AttemptsConfig())
    first, second = (call.request.messages for call in gateway.calls)
    assert [type(m) for m in made] == [Rejected, Proposal]
    assert second[: len(first)] == first
    assert [m.role for m in second[len(first) :]] == ["assistant", "user"]
    assert second[-2].text == BAD_DIFF
    assert isinstance(made[0], Rejected)
    assert made[0].message in second[-1].text
    assert "SEARCH/REPLACE" in second[-1].text


def test_a_long_conversation_drops_its_oldest_turns() -> None:
    long = "x = 1\n" * 30_000
    gateway = ScriptedGateway([f"{long}{k}" for k in range(4)])
    config = AttemptsConfig(patch=4, resamples=1, diff_failures=None)
    attempts(ModelProposer("m", attempts=config), gateway, "diff", config=config)
    assert [len(call.request.messages) for call in gateway.calls] == [2, 4, 4, 4]
    assert gateway.calls[3].request.messages[2].text.endswith("2")


def test_a_screened_program_is_followed_by_a_fresh_prompt_with_the_reason() -> None:
    gateway = ScriptedGateway([GOOD_DIFF])
    earlier = Rejected("screen", "duplicate", "This very program has been tried before.", attempt=0)
    assignment = make_assignment(small_task(), operator="diff", gateway=gateway, rejections=[earlier])
    made = asyncio.run(ModelProposer("m").propose(assignment))
    assert isinstance(made, Proposal)
    [call] = gateway.calls
    assert [m.role for m in call.request.messages] == ["system", "user"]
    assert "This very program has been tried before." in call.request.messages[1].text


def test_a_model_that_keeps_failing_at_diffs_is_asked_for_full_rewrites() -> None:
    config = AttemptsConfig(diff_failures=3)
    gateway = ScriptedGateway([BAD_DIFF, BAD_DIFF, BAD_DIFF, GOOD_FULL])
    made = attempts(ModelProposer("m", attempts=config), gateway, "diff", config=config)
    assert isinstance(made[-1], Proposal)
    assert made[-1].summary == "[full rewrite after failed diffs] from the second."
    last = gateway.calls[-1].request.messages
    assert len(last) == 2
    assert "SEARCH" not in last[1].text


def test_hopeless_models_cost_a_bounded_number_of_calls() -> None:
    gateway = ScriptedGateway(["I would rather not."] * 50)
    made = attempts(ModelProposer("m"), gateway, "full", config=AttemptsConfig())
    assert len(gateway.calls) == len(made) == 9
    assert isinstance(made[-1], Rejected)
    assert made[-1].final


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply("", "m", error="HTTP 500"), "provider"),
        (Reply("no", "m", finish="content_filter"), "refused"),
        (Reply(GOOD_FULL, "m", finish="length"), "cut"),
        (Reply("", "m"), "empty"),
        (Reply("x" * 500_000, "m"), "too_large"),
        (Reply("Just talk.", "m"), "no_patch"),
        (Reply(f"```python\n{FIRST}```", "m"), "no_change"),
        (Reply(GOOD_FULL.replace("SCALE = 3", "SCALE = 9"), "m"), "immutable"),
    ],
)
def test_each_kind_of_useless_reply_has_its_own_reason(reply: Reply, reason: str) -> None:
    [made] = attempts(
        ModelProposer("m"), ScriptedGateway([reply]), "full", config=AttemptsConfig(patch=1, resamples=1)
    )
    assert isinstance(made, Rejected)
    assert made.reason == reason


def test_a_provider_that_is_down_ends_no_conversation_with_its_error() -> None:
    gateway = ScriptedGateway([Reply("", "m", error="HTTP 500 at 10.0.0.1"), GOOD_FULL])
    attempts(ModelProposer("m"), gateway, "full", config=AttemptsConfig())
    assert gateway.calls[0].request.messages == gateway.calls[1].request.messages


def test_an_exhausted_budget_is_not_swallowed() -> None:
    class Broke(ScriptedGateway):
        @override
        async def ask(
            self, model: str, request: Request, *, ordinal: int, attempt: int, purpose: str
        ) -> Reply:
            raise BudgetExceededError("no money left")

    assignment = make_assignment(small_task(), operator="full", gateway=Broke([]))
    with pytest.raises(BudgetExceededError):
        asyncio.run(ModelProposer("m").propose(assignment))


def test_an_operator_that_models_do_not_know_is_an_error_of_the_set_up() -> None:
    with pytest.raises(ConfigError, match="'mutate'"):
        asyncio.run(ModelProposer("m").propose(make_assignment(small_task(), operator="mutate")))


def test_crossover_shows_both_parents() -> None:
    gateway = ScriptedGateway([GOOD_FULL])
    parents = [scored(1, FIRST), scored(2, SECOND)]
    assignment = make_assignment(small_task(), operator="crossover", parents=parents, gateway=gateway)
    asyncio.run(ModelProposer("m").propose(assignment))
    parts = gateway.calls[0].request.messages[1].parts
    assert parts.count(FIRST) == parts.count(SECOND) == 1


def test_sampling_is_drawn_anew_for_each_attempt_from_the_lists() -> None:
    config = SamplingConfig(temperatures=(None, 0.5), efforts=("low", "high"), max_tokens=100)
    drawn = [config.draw(stream(0, k, "sampling")) for k in range(100)]
    assert {(s.temperature, s.reasoning_effort) for s in drawn} == {
        (t, e) for t in (None, 0.5) for e in ("low", "high")
    }
    assert {s.max_tokens for s in drawn} == {100}


@pytest.mark.parametrize("temperatures", [(), (-1.0,), (float("nan"),), (0.5, float("inf"))])
def test_impossible_temperatures_are_refused(temperatures: tuple[float, ...]) -> None:
    with pytest.raises(ValidationError):
        SamplingConfig(temperatures=temperatures)


@pytest.mark.parametrize(
    ("reply", "summary"),
    [
        ("Summary: one idea.\ncode", "one idea."),
        ("**Summary:** bold idea", "bold idea"),
        ("Sure!\nsummary:   spaced\t", "spaced"),
        ("no such line", ""),
        ("Summary: " + "x" * 999, "x" * 200),
    ],
)
def test_the_summary_is_one_bounded_line(reply: str, summary: str) -> None:
    assert summary_of(reply) == summary
