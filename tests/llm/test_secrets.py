from __future__ import annotations

import pytest

from speciate.llm import redact


@pytest.mark.parametrize(
    "name", ["OPENAI_API_KEY", "MY_TOKEN", "db_password", "AWS_SECRET_ACCESS_KEY", "APIKEY"]
)
def test_values_of_variables_named_like_keys_are_removed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "hunter2hunter2")
    assert redact("key=hunter2hunter2!") == "key=[redacted]!"


def test_what_looks_like_a_key_is_removed_wherever_it_comes_from() -> None:
    assert redact("got sk-proj-abcdefghijklmnop1234 and more") == "got [redacted] and more"
    assert redact("Authorization: Bearer abcdef0123456789") == "Authorization: Bearer [redacted]"


def test_ordinary_text_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMPTY_API_KEY", "")
    monkeypatch.setenv("SHORT_TOKEN", "on")
    text = "def sk_learn(one): return one  # sk-1, the risk-averse disk-based mask-and-replace"
    assert redact(text) == text
