from __future__ import annotations

from pathlib import Path

import pytest

from speciate.testing.command_line import CommandLine

DATA = Path(__file__).parent / "data"


@pytest.fixture
def data() -> Path:
    """The folder with ten tasks of other systems."""
    return DATA


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """Commands run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return CommandLine(capsys)
