"""Folders of the unsafe mode: cleared up when their process is gone, and never before."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from speciate.evaluators.scratch import ScratchFolder, clear_left_behind

HOLD = (
    "import sys, time; from speciate.evaluators.scratch import ScratchFolder; "
    "folder = ScratchFolder(); print(folder.path, flush=True); time.sleep(600)"
)


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_closed_folder_is_gone_with_all_that_is_in_it() -> None:
    folder = ScratchFolder()
    (folder.path / "deep").mkdir()
    (folder.path / "deep" / "file").write_text("left")
    folder.close()
    folder.close()
    assert not folder.path.exists()


def test_what_a_killed_process_left_is_cleared_and_what_a_living_one_uses_is_not(temporary: Path) -> None:
    own = ScratchFolder()
    with subprocess.Popen(
        [sys.executable, "-c", HOLD],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    ) as other:
        assert other.stdout is not None
        theirs = Path(other.stdout.readline().strip())
        (theirs / "file").write_text("left")
        clear_left_behind()
        assert theirs.exists()
        other.kill()
        other.wait()
    clear_left_behind()
    assert not theirs.exists()
    assert own.path.exists()
    own.close()


def test_links_other_names_and_files_are_left_alone(temporary: Path) -> None:
    (temporary / "speciate-unsafe-file").write_text("mine")
    (temporary / "speciate-doctor-x").mkdir()
    (temporary / "kept").mkdir()
    (temporary / "kept" / "file").write_text("mine")
    (temporary / "speciate-unsafe-link").symlink_to(temporary / "kept")
    before = sorted(temporary.rglob("*"))
    clear_left_behind()
    assert sorted(temporary.rglob("*")) == before
