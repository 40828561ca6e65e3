from __future__ import annotations

import pytest
from typing_extensions import override

from speciate.records import Json
from speciate.testing.command_line import CommandLine
from speciate.testing.fake_embeddings import FakeEmbeddings
from speciate.testing.fake_server import Behaviour, Received

VERDICT = Behaviour(text="It moves the same circles.\n\nVERDICT: NOT NOVEL")
WORDS = ("run", "circle_packing", "--preset", "paper/circle", "--model", "simulated:careful", "--seed", "1")


class FakeVendor(FakeEmbeddings):
    """Embeds, and answers in chat as the behaviour says."""

    @override
    def answer(self, behaviour: Behaviour, received: Received) -> Json:
        if received.path.endswith("/embeddings"):
            return super().answer(behaviour, received)
        return self.chat(behaviour, received)


def test_the_paper_s_preset_compares_and_judges_where_there_is_a_key(
    cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeVendor(otherwise=VERDICT) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "planted-key")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        said = cli(*WORDS, "--candidates", "2", "--json")
    assert said.code == 0, said.err
    assert "judged by gpt-5-nano: on, since there is a key" in said.err
    asked = {str(one.body["model"]) for one in server.received}
    assert asked == {"text-embedding-3-small", "gpt-5-nano"}
    assert "not_novel" in str(said.json["novelty"])


def test_without_a_key_it_says_what_is_off(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    said = cli(*WORDS, "--candidates", "1", "--json")
    assert said.code == 0, said.err
    assert "judged by gpt-5-nano: OFF, since there is no key in OPENAI_API_KEY" in said.err
