from __future__ import annotations

from collections.abc import Sequence

import pytest

from speciate.engine import RunConfig, evolve
from speciate.engine.settings import Layer, compose
from speciate.problems.corewar.prompts import redcode_grammar, redcode_prompts, warrior_reader
from speciate.problems.corewar.redcode import assemble
from speciate.problems.corewar.settings import PRESETS
from speciate.records import Context, Patched, Program, RejectedEvent, Result
from speciate.store import Store
from speciate.tasks import EvaluationSpec, ObjectiveSpec, ProgramSpec, Task, TaskSpec
from speciate.testing.fake_openai import Behaviour, FakeOpenAI

RULES = PRESETS["tiny"]
FENCED = "```redcode\n;strategy splits\nSPL 0\nMOV 0, 1\n```"


def longer_is_better(program: Program, context: Context) -> Result:
    return Result(objectives=(float(len(assemble(program.source, RULES))),))


def core_war() -> Task:
    spec = TaskSpec(
        name="corewar",
        language="redcode",
        objectives=(ObjectiveSpec(name="length"),),
        program=ProgramSpec(files=("warrior.red",), mutable="whole"),
        evaluation=EvaluationSpec(kind="trusted"),
    )
    return Task(
        spec,
        Program.of({"warrior.red": "MOV.I $0, $1\n"}),
        trusted=longer_is_better,
        prompts=redcode_prompts(RULES),
        grammar=redcode_grammar(RULES),
        read_reply=warrior_reader(RULES),
    )


def settings(model: str, operator: str) -> RunConfig:
    layer: Layer = {
        "models": [model],
        "driver": "sequential",
        "budget": {"candidates": 3},
        "mutation": {"model": {operator: 1.0}},
    }
    return compose([layer])


def talk(server: FakeOpenAI) -> Sequence[Sequence[str]]:
    """Returns the texts of the messages of every chat request."""
    talks: list[list[str]] = []
    for received in server.received:
        messages = received.body["messages"]
        assert isinstance(messages, list)
        talks.append([str(m["content"]) for m in messages if isinstance(m, dict)])
    return talks


def programs(store: Store) -> Sequence[str]:
    return [store.text(e.event.program[0][1]) for e in store.events() if isinstance(e.event, Patched)]


@pytest.mark.parametrize("operator", ["new", "full"])
def test_a_run_sends_the_specification_and_takes_the_warrior(operator: str) -> None:
    with FakeOpenAI(otherwise=Behaviour(text=FENCED)) as server:
        ended = evolve(core_war(), settings(f"local:m@{server.url}", operator))
        system, user = talk(server)[0]
        assert "grammar" not in server.received[0].body
    assert system.startswith(redcode_prompts(RULES)["system"].text)
    assert ("MOV.I $0, $1" in user) == (operator == "full")
    assert "one fenced code block" in user
    assert ";strategy splits\nSPL 0\nMOV 0, 1\n" in programs(ended.store)


def test_a_run_sends_the_grammar_and_the_short_prompts_to_servers_that_take_them() -> None:
    with FakeOpenAI(otherwise=Behaviour(text="SPL 0\nMOV 0, 1\nJMP -1\n")) as server:
        ended = evolve(core_war(), settings(f"local:m@{server.url}?grammar=on&prompts=compact", "full"))
        system, user = talk(server)[0]
        assert server.received[0].body["grammar"] == redcode_grammar(RULES)
    assert system.startswith(redcode_prompts(RULES)["system.compact"].text)
    assert "text alone" in user
    assert "SPL 0\nMOV 0, 1\nJMP -1\n" in programs(ended.store)


def test_plain_completions_get_the_grammar_too() -> None:
    with FakeOpenAI(otherwise=Behaviour(text="SPL 0\nMOV 0, 1\n")) as server:
        spec = f"local:m@{server.url}?api=completions&grammar=on&prompts=compact"
        evolve(core_war(), settings(spec, "new"))
        body = server.received[0].body
    assert body["grammar"] == redcode_grammar(RULES)
    assert str(body["prompt"]).startswith(redcode_prompts(RULES)["system.compact"].text)


@pytest.mark.parametrize("operator", ["new", "full", "crossover"])
def test_simulated_characters_write_warriors_too(operator: str) -> None:
    ended = evolve(core_war(), settings("simulated:careful", operator))
    assert len(programs(ended.store)) > 1


def test_what_the_assembler_says_goes_back_to_the_model() -> None:
    wrong = Behaviour(text="```redcode\nSPL 0\nMVO 0, 1\n```")
    with FakeOpenAI([wrong], otherwise=Behaviour(text=FENCED)) as server:
        ended = evolve(core_war(), settings(f"local:m@{server.url}", "full"))
        retry = talk(server)[1][-1]
    rejected = [e.event for e in ended.store.events() if isinstance(e.event, RejectedEvent)]
    assert "line 2" in retry
    assert "did you mean 'MOV'" in retry
    assert rejected[0].reason == "malformed"
