from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from speciate.errors import ConfigError, ModelRefusedError, ModelUnavailableError
from speciate.llm import Choose, LLMConfig, ScriptedLLM, ScriptedReply, open_llm
from speciate.records import Message, Request


def ask(llm: ScriptedLLM, text: str = "hello", *, repeat: int = 0) -> str:
    return asyncio.run(llm.complete(Request((Message("user", (text,)),)), repeat=repeat)).text


def test_lines_are_used_in_order_and_then_refused() -> None:
    llm = ScriptedLLM(["one", "two"])
    assert [ask(llm), ask(llm)] == ["one", "two"]
    with pytest.raises(ModelRefusedError, match="no reply left"):
        ask(llm)


def test_a_cycle_starts_over() -> None:
    llm = ScriptedLLM(["one", "two"], choose="cycle")
    assert [ask(llm) for _ in range(5)] == ["one", "two", "one", "two", "one"]


def test_by_hash_the_same_question_gets_the_same_answer_whatever_came_before() -> None:
    lines = [str(i) for i in range(50)]
    first, second = ScriptedLLM(lines, choose="hash"), ScriptedLLM(lines, choose="hash")
    questions = [f"question {i}" for i in range(10)]
    answers = {question: ask(first, question) for question in questions}
    assert {question: ask(second, question) for question in reversed(questions)} == answers
    assert len({ask(first, repeat=i) for i in range(10)}) > 1


def test_a_line_may_wait_for_its_prompt() -> None:
    llm = ScriptedLLM([ScriptedReply(reply="judge", match="novel?"), "anything"])
    assert [ask(llm), ask(llm, "is it novel?")] == ["anything", "judge"]


def test_a_line_may_be_an_error() -> None:
    llm = ScriptedLLM([ScriptedReply(error="unavailable", retry_after=3), ScriptedReply(error="refused")])
    with pytest.raises(ModelUnavailableError) as unavailable:
        ask(llm)
    assert unavailable.value.retry_after == 3
    with pytest.raises(ModelRefusedError):
        ask(llm)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.toml", '[[replies]]\nreply = "one"\n[[replies]]\nreply = "two"\n'),
        ("a.jsonl", '{"reply": "one"}\n\n{"reply": "two"}\n'),
    ],
)
@pytest.mark.parametrize("choose", ["order", "cycle"])
def test_scripts_are_toml_or_jsonl(name: str, text: str, choose: Choose, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    llm = open_llm(f"scripted:{tmp_path / name}?choose={choose}", LLMConfig())
    assert isinstance(llm, ScriptedLLM)
    assert [ask(llm), ask(llm)] == ["one", "two"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.toml", "replies = 3"),
        ("a.toml", "not toml"),
        ("a.jsonl", "{"),
        ("a.jsonl", ""),
        ("a.jsonl", '{"reply": "x", "dealy": 3}'),
    ],
)
def test_bad_scripts_are_named(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ConfigError, match=name):
        open_llm(f"scripted:{tmp_path / name}", LLMConfig())
