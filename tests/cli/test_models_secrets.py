from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from speciate.errors import StoreCorruptError
from speciate.llm import redact
from speciate.store import open_reader
from speciate.testing.command_line import CommandLine
from speciate.testing.fake_server import Behaviour, error
from speciate.testing.vendors import KEY, VENDED, Vended

PROGRAM = f"```python\n# EVOLVE-BLOCK-START\nFIRST = 1.5\nSECOND = 2.5  # {KEY}\n# EVOLVE-BLOCK-END\n```\n"
FAILURES = (
    Behaviour(text=PROGRAM),
    *(error(status, f"what is {KEY}?") for status in (400, 401, 403, 404, 429, 500)),
    Behaviour("cut"),
    Behaviour("garbage"),
    Behaviour("wrong_shape"),
    Behaviour("zipped"),
    Behaviour("huge"),
    Behaviour(text=f"no program, but {KEY}"),
    Behaviour(text=KEY, refusal=KEY),
    Behaviour(text="", finish="content_filter"),
)


@pytest.mark.parametrize("vended", VENDED, ids=lambda one: one.spec)
def test_a_key_that_is_repeated_in_every_failure_is_nowhere_in_a_run(
    vended: Vended, cli: CommandLine, task: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = [
        "--out",
        "run",
        "--debug",
        "--set",
        "llm.retry.first_wait=0",
        "--set",
        "llm.record=run/tape.jsonl",
    ]
    with vended.served(monkeypatch, FAILURES, otherwise=error(401, f"what is {KEY}?")) as server:
        said = [
            cli("run", task, "--model", vended.spec, "--candidates", 8, *options),
            cli("resume", "run", "--candidates", 12, "--json", "--debug"),
        ]
        assert len(server.received) > len(FAILURES)
        assert any(server.key_of(received) == KEY for received in server.received)
    said += [cli("show", "run", "--json"), cli("show", "run", "--failed"), cli("doctor", "run", "--debug")]
    assert not [each for each in said if KEY in each.out + each.err]
    texts = "".join(told(tmp_path / "run"))
    assert "[redacted]" in texts
    assert KEY not in texts
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


def told(run: Path) -> Iterator[str]:
    """Yields all that a history holds: files of a run are packed, so looking at their bytes is not enough."""
    with closing(open_reader(run)) as reader:
        yield repr(reader.manifest()) + repr(reader.sessions())
        for stored in reader.events():
            event = repr(stored.event)
            yield event
            for digest in re.findall(r"\b[0-9a-f]{40}\b", event):
                try:
                    yield reader.text(digest)
                except StoreCorruptError:  # the hash of something else
                    continue


def test_a_traceback_is_cleaned_too(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError(f"the library said {KEY}")

    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setattr("speciate.cli.model_facts.show_known", broken)
    said = cli("models", "--debug", "--json")
    assert said.code == 1
    assert "Traceback" in said.err
    assert "the library said [redacted]" in said.err
    assert KEY not in said.out + said.err


def test_every_vendors_key_is_known_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for vended in VENDED:
        monkeypatch.setenv(vended.key, KEY)
        assert redact(KEY) == "[redacted]"
        monkeypatch.delenv(vended.key)
