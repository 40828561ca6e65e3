from __future__ import annotations

from pathlib import Path

import pytest

from speciate.testing.command_line import CommandLine
from speciate.testing.fake_openai import FakeOpenAI
from speciate.testing.fake_server import Behaviour, error

GOOD = Behaviour(
    text="Summary: less.\n\n```python\n# EVOLVE-BLOCK-START\nA = 1\nB = 1\n# EVOLVE-BLOCK-END\n```"
)


@pytest.mark.parametrize("as_json", [False, True])
def test_a_model_that_never_answers_is_told_with_its_error(
    cli: CommandLine, task: Path, monkeypatch: pytest.MonkeyPatch, as_json: bool
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "planted-key")
    with FakeOpenAI(otherwise=error(401, "Incorrect API key provided")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        words = ("run", task, "--model", "openai:gpt-5-mini", "--candidates", "1")
        said = cli(*words, *(["--json"] if as_json else []))
        asked = len(server.received)
    assert said.code == 1
    line = next(line for line in (said.out + said.err).splitlines() if line.startswith("NO ANSWER"))
    assert line.startswith(f"NO ANSWER to any of {asked} requests to openai:gpt-5-mini; the last one: ")
    assert "status 401" in line
    assert "Incorrect API key" in line
    assert "planted-key" not in said.out + said.err


def test_where_others_proposed_too_a_silent_model_is_told_and_no_more(
    cli: CommandLine, task: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeOpenAI(otherwise=error(500)) as server:
        models = ("--model", f"local:m@{server.url}", "--model", "genetic")
        said = cli("run", task, *models, "--candidates", "4", "--set", "llm.retry.attempts=1")
    assert said.code == 0, said.err
    assert "NO ANSWER" in said.out + said.err


def test_a_model_that_answers_in_the_end_is_not(
    cli: CommandLine, task: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeOpenAI([error(500)], otherwise=GOOD) as server:
        words = ("run", task, "--model", f"local:m@{server.url}", "--candidates", "2")
        said = cli(*words, "--set", "llm.retry.attempts=1")
    assert said.code == 0, said.err
    assert "NO ANSWER" not in said.out + said.err
