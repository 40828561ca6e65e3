from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from speciate.errors import ConfigError, ModelRefusedError
from speciate.llm import LLMConfig, open_llm
from speciate.records import Message, Reply, Request
from speciate.testing.fake_bedrock import FakeBedrock
from speciate.testing.fake_server import Behaviour, error

SPEC = "bedrock:us.anthropic.claude-haiku-4-5-20251001-v1:0"
ASK = Request((Message("user", ("hello",)),))
ACCESS, SECRET, TOKEN = "AKPLANTEDACCESS", "planted/secret+half", "planted-session-token"


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeBedrock]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("AWS_BEARER_TOKEN_BEDROCK", raising=False)
    with FakeBedrock() as server:
        for name, value in (
            ("AWS_ACCESS_KEY_ID", ACCESS),
            ("AWS_SECRET_ACCESS_KEY", SECRET),
            ("AWS_SESSION_TOKEN", TOKEN),
            ("AWS_REGION", "eu-central-1"),
            ("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", server.url),
        ):
            monkeypatch.setenv(name, value)
        yield server


def ask(config: LLMConfig | None = None) -> Reply:
    async def once() -> Reply:
        llm = open_llm(SPEC, config or LLMConfig(timeout=60))
        try:
            return await llm.complete(ASK)
        finally:
            await llm.close()

    return asyncio.run(once())


def test_a_pair_of_keys_signs_the_request(aws: FakeBedrock) -> None:
    assert ask().text == "hello"
    shown = aws.received[0].headers
    assert shown["authorization"].startswith("AWS4-HMAC-SHA256")
    assert f"Credential={ACCESS}/" in shown["authorization"]
    assert "/eu-central-1/bedrock/" in shown["authorization"]
    assert shown["x-amz-security-token"] == TOKEN
    assert SECRET not in repr(shown)


def test_no_part_of_the_credentials_is_shown(aws: FakeBedrock, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeBedrock([error(403, f"{ACCESS} {SECRET} {TOKEN}")]) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", server.url)
        with pytest.raises(ModelRefusedError) as refused:
            ask()
    said = str(refused.value) + repr(vars(open_llm(SPEC, LLMConfig())))
    assert not [part for part in (ACCESS, SECRET, TOKEN) if part in said]


def test_a_profile_of_the_vendors_own_files_is_used(
    aws: FakeBedrock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name)
    file = tmp_path / "credentials"
    file.write_text("[lab]\naws_access_key_id = AKLAB\naws_secret_access_key = planted\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(file))
    monkeypatch.setenv("AWS_PROFILE", "lab")
    assert ask().text == "hello"
    assert "Credential=AKLAB/" in aws.received[0].headers["authorization"]


def test_a_profile_that_is_not_there_is_a_refusal_and_nothing_is_sent(
    aws: FakeBedrock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    with pytest.raises(ModelRefusedError, match="nobody"):
        ask()
    assert aws.received == []


@pytest.mark.parametrize("absent", ["AWS_SECRET_ACCESS_KEY", "AWS_REGION"])
def test_half_of_the_settings_is_told(aws: FakeBedrock, absent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(absent)
    monkeypatch.delenv("AWS_DEFAULT_REGION", raising=False)
    with pytest.raises(ConfigError, match=absent):
        open_llm(SPEC, LLMConfig())


def test_a_cancelled_call_leaves_no_thread_waiting() -> None:
    async def cancel(server: FakeBedrock) -> None:
        llm = open_llm(SPEC, LLMConfig(timeout=60))
        asking = asyncio.create_task(llm.complete(ASK))
        await asyncio.to_thread(arrived, server)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await llm.close()

    with pytest.MonkeyPatch.context() as patch, FakeBedrock([Behaviour("hang")]) as server:
        patch.setenv("AWS_BEARER_TOKEN_BEDROCK", "planted-key")
        patch.setenv("AWS_REGION", "us-east-1")
        patch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", server.url)
        asyncio.run(cancel(server))
    assert not [thread for thread in threading.enumerate() if "AnyIO" in thread.name and is_waiting(thread)]


def arrived(server: FakeBedrock) -> None:
    for _ in range(3000):
        if server.received:
            return
        time.sleep(0.01)
    raise AssertionError("nothing was sent")


def is_waiting(thread: threading.Thread) -> bool:
    thread.join(10)
    return thread.is_alive()
