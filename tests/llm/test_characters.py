"""Simulated characters that another package brings along."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from speciate.errors import ConfigError
from speciate.llm import CHARACTERS, LLMConfig, LLMPool, character_names, open_llm
from speciate.records import Message, Reply, Request

_MODULE = """
from speciate.errors import ModelRefusedError
from speciate.llm import GuestCharacter, ModelPrice


def echo(request, rng):
    text = request.messages[-1].text
    if text == "no":
        raise ModelRefusedError("not today")
    return f"{text} {rng.integers(1000)}"


ECHO = GuestCharacter(echo, latency=3.0, spread=0.0, price=ModelPrice(input=1.0, output=2.0))
NONSENSE = "nonsense"
"""


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "echoing.py").write_text(_MODULE)
    metadata = tmp_path / "echoing-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: echoing\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[speciate.characters]\necho = echoing:ECHO\nabsent = nowhere_at_all:X\nnonsense = echoing:NONSENSE\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))


def ask(text: str, *, repeat: int = 0) -> Reply:
    async def main() -> Reply:
        pool = LLMPool(["simulated:echo"], LLMConfig())
        return await pool.complete("simulated:echo", Request((Message("user", (text,)),)), repeat=repeat)

    return asyncio.run(main())


def test_it_is_listed_after_our_own() -> None:
    assert character_names()[: len(CHARACTERS)] == tuple(CHARACTERS)
    assert "echo" in character_names()


def test_it_answers_at_its_declared_price_and_pace() -> None:
    reply = ask("hello")
    assert reply.text.startswith("hello ")
    assert reply.seconds == pytest.approx(3.0)
    assert reply.usage.cost is not None
    assert reply.usage.cost > 0


def test_the_same_request_and_repeat_get_the_same_answer() -> None:
    assert ask("hello").text == ask("hello").text
    assert len({ask("hello", repeat=repeat).text for repeat in range(5)}) > 1


def test_a_refusal_is_a_call_without_answer() -> None:
    assert ask("no").error == "not today"


@pytest.mark.parametrize(
    ("name", "message"), [("absent", "cannot be loaded"), ("nonsense", "should be a GuestCharacter")]
)
def test_a_package_that_brings_something_else_is_told(name: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        open_llm(f"simulated:{name}", LLMConfig())
