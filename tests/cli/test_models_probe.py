from __future__ import annotations

from pathlib import Path

import pytest

from speciate.testing.command_line import CommandLine
from speciate.testing.fake_server import Behaviour, error
from speciate.testing.vendors import KEY, VENDED, Vended

EVERY_VENDOR = pytest.mark.parametrize("vended", VENDED, ids=lambda one: one.spec)


@EVERY_VENDOR
def test_a_vendor_that_answers_is_told_with_tokens_and_cost(
    vended: Vended, cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with vended.served(monkeypatch, otherwise=Behaviour(text="ready")) as server:
        said = cli("models", "--probe", vended.spec, "--json")
        assert len(server.received) == 1
    assert said.code == 0
    (probe,) = said.json["probes"]
    assert (probe["answered"], probe["said"], probe["problem"]) == (True, "ready", None)
    assert probe["usage"]["cost"] > 0
    assert probe["measured"]


@EVERY_VENDOR
def test_a_vendor_that_fails_leaves_with_1_and_the_reason_without_the_key(
    vended: Vended, cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with vended.served(monkeypatch, otherwise=error(401, f"wrong key: {KEY}")) as server:
        said = cli("models", vended.spec, "--probe", "--debug")
        assert len(server.received) == 1
    assert said.code == 1
    assert "FAILED" in said.out
    assert "wrong key: [redacted]" in said.out
    assert KEY not in said.out + said.err


def test_one_failure_among_several_is_enough(cli: CommandLine) -> None:
    said = cli("models", "--probe", "simulated:bold", "genetic", "local:m@http://127.0.0.1:9/v1", "--json")
    assert said.code == 1
    assert [probe["answered"] for probe in said.json["probes"]] == [True, True, False]


def test_a_declared_time_is_not_told_as_a_measured_one(cli: CommandLine) -> None:
    told = cli("models", "--probe", "simulated:bold").out
    assert " s, which nobody measured)" in told
    assert " as simulated:bold in " not in told
    (probe,) = cli("models", "--probe", "simulated:bold", "--json").json["probes"]
    assert not probe["measured"]
    assert probe["seconds"] > 0


def test_thinking_until_the_tokens_are_used_up_is_an_answer(
    cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with VENDED[0].served(monkeypatch, [Behaviour(text="", finish="length")]):
        said = cli("models", "--probe", VENDED[0].spec)
    assert said.code == 0
    assert "nothing within 256 tokens" in said.out


def test_a_filtered_answer_is_none(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    with VENDED[0].served(monkeypatch, [Behaviour(text="", finish="content_filter")]):
        assert cli("models", "--probe", VENDED[0].spec).code == 1


def test_a_missing_key_is_a_failure_that_names_the_variable(
    cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    said = cli("models", "--probe", "anthropic:claude-haiku-4-5")
    assert said.code == 1
    assert "ANTHROPIC_API_KEY" in said.out


@pytest.mark.parametrize("words", [("--probe",), ("--probe", "opnai:x"), ("--probe", "simulated:boldd")])
def test_nothing_or_nonsense_cannot_be_probed(cli: CommandLine, words: tuple[str, ...]) -> None:
    assert cli("models", *words).code == 2


def test_keys_are_listed_by_name_and_place(
    cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (tmp_path / ".env").write_text(f"OPENAI_API_KEY={KEY}\n")
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    said, value = cli("models"), cli("models", "--json")
    found = {vendor["kind"]: vendor["found"] for vendor in value.json["vendors"]}
    assert found["openai"] == {"OPENAI_API_KEY": ".env"}
    assert found["google"] == {"GEMINI_API_KEY": "the environment"}
    assert "OPENAI_API_KEY present in .env" in said.out
    assert KEY not in said.out + said.err + value.out + value.err


def test_a_broken_file_of_keys_is_told_without_its_text(cli: CommandLine, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"{KEY}\n")
    said = cli("models", "--debug")
    assert said.code == 2
    assert ".env, line 1" in said.err
    assert KEY not in said.out + said.err


def test_a_price_comes_with_its_source_and_day(cli: CommandLine) -> None:
    (model,) = cli("models", "google:gemini-2.5-pro", "--json").json["models"]
    assert model["price"]["source"].startswith("genai-prices ")
    assert len(model["date"]) == len("2026-01-31")
    assert model["date"] in cli("models", "google:gemini-2.5-pro").out
