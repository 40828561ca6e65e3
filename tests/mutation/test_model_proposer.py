from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from pydantic import ValidationError
from typing_extensions import override

from speciate.errors import BudgetExceededError, ConfigError
from speciate.mutation import AttemptsConfig, ModelProposer, Proposer, SamplingConfig
from speciate.mutation.by_model.replies import summary_of
from speciate.records import Program, Proposal, Rejected, Reply, Request
from speciate.seeds import stream
from speciate.tasks import ProgramSpec, Prompt, Reading, Task
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


LOCAL = "local:gemma@http://127.0.0.1:1/v1"


def language_of_its_own() -> Task:
    """Returns a task whose whole programs are read by itself: a line of digits anywhere in the reply."""

    def read(reply: str) -> Reading:
        for line in reply.splitlines():
            if line.strip().isdigit():
                mended = () if line == line.strip() else ("Blanks taken off.",)
                return Reading(line.strip() + "\n", "digits", mended)
        raise ValueError("there is no line of digits")

    spec = small_task().spec.model_copy(update={"program": ProgramSpec(mutable="whole")})
    return Task(spec, Program.of({"initial.py": "1\n"}), grammar='root ::= [0-9]+ "\\n"', read_reply=read)


def one_attempt(model: str, task: Task, operator: str, reply: str) -> tuple[Proposal | Rejected, Request]:
    gateway = ScriptedGateway([reply])
    parents = [scored(1, "2\n"), scored(2, "3\n")]
    assignment = make_assignment(task, operator=operator, gateway=gateway, parents=parents)
    return asyncio.run(ModelProposer(model).propose(assignment)), gateway.calls[0].request


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


def test_a_program_from_nothing_is_shown_no_program_and_keeps_the_frame() -> None:
    gateway = ScriptedGateway(["Summary: mine.\n```python\ndef area(radius):\n    return 3 * radius\n```"])
    assignment = make_assignment(
        small_task(), operator="new", inspirations=[scored(3, SECOND)], gateway=gateway
    )
    made = asyncio.run(ModelProposer("m").propose(assignment))
    assert isinstance(made, Proposal)
    assert made.program.source == FIRST.replace(
        FIRST[FIRST.index("def area") : FIRST.index("# EVOLVE-BLOCK-END")],
        "def area(radius):\n    return 3 * radius\n",
    )
    shown = gateway.calls[0].request.messages[1].text
    assert "SCALE = 3" in shown
    assert "half" not in shown
    assert "Current program" not in shown
    assert "current one" not in shown


@pytest.mark.parametrize("operator", ["new", "full", "crossover", "fix"])
def test_a_task_may_read_whole_programs_itself(operator: str) -> None:
    made, _ = one_attempt("m", language_of_its_own(), operator, "Here it is:\n  42\nEnjoy!")
    assert isinstance(made, Proposal)
    assert made.program.source == "42\n"
    assert made.summary == "[mended: Blanks taken off.] digits"


def test_what_a_task_cannot_read_goes_back_to_the_model() -> None:
    made, _ = one_attempt("m", language_of_its_own(), "full", "none")
    assert made == Rejected("propose", "malformed", "there is no line of digits")


def test_a_task_that_reads_whole_programs_leaves_diffs_alone() -> None:
    made, _ = one_attempt(
        "m", language_of_its_own(), "diff", "<<<<<<< SEARCH\n2\n=======\n7\n>>>>>>> REPLACE\n"
    )
    assert isinstance(made, Proposal)
    assert made.program.source == "7\n"


@pytest.mark.parametrize(
    ("model", "operator", "sent"),
    [
        (f"{LOCAL}?grammar=on", "full", True),
        (f"{LOCAL}?grammar=on", "new", True),
        (f"{LOCAL}?grammar=on", "diff", False),
        (f"{LOCAL}?grammar=off", "full", False),
        (LOCAL, "full", False),
        ("openai:gpt-5-mini", "full", False),
    ],
)
def test_a_grammar_goes_to_models_that_take_one_and_with_whole_programs(
    model: str, operator: str, sent: bool
) -> None:
    task = language_of_its_own()
    _, request = one_attempt(model, task, operator, "42\n")
    assert request.sampling.grammar == (task.grammar if sent else None)
    assert ("text alone" in request.messages[1].text) == sent


def test_what_a_grammar_let_through_needs_no_fence() -> None:
    made, _ = one_attempt(
        f"{LOCAL}?grammar=on", replace(language_of_its_own(), read_reply=None), "full", "```\n42\n"
    )
    assert isinstance(made, Proposal)
    assert made.program.source == "```\n42\n"


def test_without_a_grammar_of_the_task_none_is_sent() -> None:
    _, request = one_attempt(
        f"{LOCAL}?grammar=on", replace(language_of_its_own(), grammar=None), "full", "42\n"
    )
    assert request.sampling.grammar is None
    assert "text alone" not in request.messages[1].text


def test_a_variant_of_the_prompts_is_used_throughout_a_conversation() -> None:
    prompts = {
        name: Prompt(name, 1, f"<{name}>") for name in ("system.short", "full.short", "retry.short", "full")
    }
    gateway = ScriptedGateway(["nothing", "42\n"])
    tried: list[Rejected] = []
    for _ in range(2):
        assignment = make_assignment(
            replace(language_of_its_own(), prompts=prompts),
            operator="full",
            gateway=gateway,
            rejections=tried,
        )
        made = asyncio.run(ModelProposer(f"{LOCAL}?prompts=short").propose(assignment))
        tried += [made] if isinstance(made, Rejected) else []
    system, user, _, retry = gateway.calls[-1].request.messages
    assert system.text.startswith("<system.short>")
    assert user.text.endswith("<full.short>\n")
    assert retry.text == "<retry.short>\n"


def test_a_spec_that_makes_no_sense_is_found_at_once() -> None:
    with pytest.raises(ConfigError, match="grammar must be one of on, off"):
        ModelProposer(f"{LOCAL}?grammar=maybe")


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
