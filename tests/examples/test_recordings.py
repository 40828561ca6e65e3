"""The recorded runs under examples/ come to the same end again, without anybody who answers."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from speciate.store import RunHistory, open_reader
from speciate.testing.command_line import CommandLine
from speciate.testing.recordings import read_rows, rows

EXACT = "2.626026693"
NEEDED = {
    "propose:ambiguous",
    "propose:no_match",
    "propose:no_patch",
    "propose:provider",
    "screen:syntax",
    "screen:not_novel",
}
RECORDING = Path(__file__).parents[2] / "examples" / "recordings" / "circle_packing"


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(capsys)


@pytest.mark.slow
def test_the_recorded_run_of_circle_packing_comes_to_the_same_end(cli: CommandLine, tmp_path: Path) -> None:
    cassette = f"llm.replay={RECORDING / 'cassette.jsonl'}"
    words = (
        "run",
        "circle_packing",
        "--config",
        RECORDING / "settings.toml",
        "--set",
        cassette,
        "--out",
        "run",
    )
    said = cli(*words, "--json")
    assert said.code == 0, said.err
    with closing(open_reader(tmp_path / "run")) as reader:
        history = RunHistory(reader)
        found = rows(history)
        best = history.best()
        assert best is not None
        result = history.outcome(best.ordinal).result
        assert result is not None
        assert f"{result.public['exact_sum_radii']:.9f}" == EXACT
    assert found == read_rows(RECORDING / "history.csv")


def test_the_recording_shows_every_way_in_which_an_answer_can_end() -> None:
    told = read_rows(RECORDING / "history.csv")
    assert {"diff", "full", "crossover"} <= {row[1] for row in told}
    ends = Counter(reason for row in told for reason in row[4].split())
    assert set(ends) >= NEEDED, ends
    assert {"valid", "invalid", "exception"} <= {row[5] for row in told}


def test_the_recorded_answers_have_every_form() -> None:
    lines = (RECORDING / "cassette.jsonl").read_text(encoding="utf-8").splitlines()
    replies = [json.loads(line)["reply"] for line in lines]
    texts = [reply["text"] for reply in replies if reply["error"] is None]
    assert sum(reply["error"] is not None for reply in replies) == 1  # the empty one
    forms = {
        "one block": sum(text.count("<<<<<<< SEARCH") == 1 for text in texts),
        "several blocks": sum(text.count("<<<<<<< SEARCH") > 1 for text in texts),
        "fenced blocks": sum("```\n<<<<<<< SEARCH" in text for text in texts),
        "whole file": sum("```python" in text and "EVOLVE-BLOCK" in text for text in texts),
        "without markers": sum("```python" in text and "EVOLVE-BLOCK" not in text for text in texts),
        "two fences": sum(text.count("```python") == 2 for text in texts),
        "words around": sum("```python" in text and not text.rstrip().endswith("```") for text in texts),
        "verdict": sum("\nVerdict:" in text for text in texts),
    }
    assert forms == {
        "one block": 11,
        "several blocks": 7,
        "fenced blocks": 1,
        "whole file": 12,
        "without markers": 2,
        "two fences": 1,
        "words around": 2,
        "verdict": 27,
    }
