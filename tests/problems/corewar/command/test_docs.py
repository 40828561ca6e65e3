"""What docs/problems/battle.md shows is what the command says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from speciate.problems.corewar.mars import chosen
from speciate.testing.command_line import CommandLine

PAGE = Path(__file__).parents[4] / "docs" / "problems" / "battle.md"
BLOCKS = re.findall(r"```\n\$ speciate (battle .+)\n((?s:.+?))```", PAGE.read_text("utf-8"))


def test_the_page_has_examples_that_were_run() -> None:
    assert len(BLOCKS) == 2


@pytest.mark.parametrize(("words", "expected"), BLOCKS)
def test_an_example_says_what_the_page_says(
    cli: CommandLine, monkeypatch: pytest.MonkeyPatch, words: str, expected: str
) -> None:
    monkeypatch.setenv("COLUMNS", "64")
    monkeypatch.setenv("LINES", "16")
    said = cli(*shlex.split(words))
    assert said.code == 0
    lines = "\n".join(map(str.rstrip, said.out.replace(f"simulator {chosen()}", "simulator c").splitlines()))
    for part in expected.split("⋮"):
        assert part.strip() in lines
