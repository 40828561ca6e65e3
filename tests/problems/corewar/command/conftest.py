from __future__ import annotations

from pathlib import Path

import pytest

from speciate.testing.command_line import CommandLine

IMP = ";name Imp\n;author A. K.\n;assert 1\nmov 0, 1\n"
DWARF = ";name Dwarf\n;assert 1\nadd #4, 3\nmov 2, @2\njmp -2\ndat #0, #0\n"


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """Commands run in a folder with two warriors and a hill, and believe in a window of 80 × 24."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    (tmp_path / "imp.red").write_text(IMP)
    (tmp_path / "dwarf.red").write_text(DWARF)
    (tmp_path / "hill").mkdir()
    (tmp_path / "hill" / "a.red").write_text(IMP)
    (tmp_path / "hill" / "b.red").write_text(DWARF)
    monkeypatch.chdir(tmp_path)
    return CommandLine(capsys)
