from __future__ import annotations

from pathlib import Path

import pytest

from speciate.testing.command_line import CommandLine, write_task


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """Commands run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return CommandLine(capsys)


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """The folder of a task that is cheap to run."""
    return write_task(tmp_path / "sum")
