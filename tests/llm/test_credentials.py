from __future__ import annotations

import os
from pathlib import Path

import pytest

from speciate.errors import ConfigError
from speciate.llm import LLMConfig, find_credential, open_llm, redact, sources

KEY = "planted-key-of-a-file"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_key_is_found_in_the_file_of_the_working_folder(folder: Path) -> None:
    (folder / ".env").write_text(f"OPENAI_API_KEY={KEY}\n")
    found = find_credential(["OPENAI_API_KEY"])
    assert found is not None
    assert (found.value, found.source.name) == (KEY, ".env")
    assert "OPENAI_API_KEY" not in os.environ


def test_the_environment_goes_before_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / ".env").write_text(f"GEMINI_API_KEY={KEY}\n")
    monkeypatch.setenv("GOOGLE_API_KEY", "another-key")
    found = find_credential(["GEMINI_API_KEY", "GOOGLE_API_KEY"])
    assert found is not None
    assert found.value == "another-key"


def test_a_file_cannot_send_a_key_of_the_environment_elsewhere(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".env").write_text("OPENAI_BASE_URL=http://thief.invalid/v1\n")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    found = find_credential(["OPENAI_API_KEY"])
    assert found is not None
    assert found.beside("OPENAI_BASE_URL") is None
    assert "thief" not in repr(vars(open_llm("openai:gpt-5-mini", LLMConfig())))


def test_a_files_key_goes_to_the_files_address_or_to_the_environments(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    (folder / ".env").write_text(f"OPENAI_API_KEY={KEY}\n")
    found = find_credential(["OPENAI_API_KEY"])
    assert found is not None
    assert found.beside("OPENAI_BASE_URL") == "http://127.0.0.1:1/v1"
    (folder / ".env").write_text(f"OPENAI_API_KEY={KEY}\nOPENAI_BASE_URL=http://127.0.0.1:2/v1\n")
    found = find_credential(["OPENAI_API_KEY"])
    assert found is not None
    assert found.beside("OPENAI_BASE_URL") == "http://127.0.0.1:2/v1"


def test_a_broken_file_is_told_by_whoever_needs_a_key(folder: Path) -> None:
    (folder / ".env").write_text("what is this\n")
    with pytest.raises(ConfigError, match=r"\.env, line 1"):
        open_llm("openai:gpt-5-mini", LLMConfig())
    assert redact("text stays") == "text stays"


def test_an_empty_key_is_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "  ")
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        open_llm("openai:gpt-5-mini", LLMConfig())


def test_keys_are_not_shown_where_they_are_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / ".env").write_text(f"OPENAI_API_KEY={KEY}\n")
    monkeypatch.setenv("GEMINI_API_KEY", "planted-in-the-environment")
    assert "planted" not in repr(sources()) + repr(find_credential(["OPENAI_API_KEY"]))
    assert redact(f"{KEY} and planted-in-the-environment") == "[redacted] and [redacted]"


def test_one_secret_inside_another_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SESSION_TOKEN", "prefix-prefix-and-more")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "prefix-prefix")
    assert redact("<prefix-prefix-and-more>") == "<[redacted]>"
