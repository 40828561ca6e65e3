from __future__ import annotations

from pathlib import Path

import pytest

from speciate.cli.differences import difference
from speciate.cli.folders import next_folder
from speciate.cli.programs import write_program
from speciate.errors import RunFolderError
from speciate.records import Program


def test_every_file_is_written_and_the_entry_file_returned(tmp_path: Path) -> None:
    program = Program((("main.py", "a\r\nb"), ("lib/util.py", "half \ud800")))
    assert write_program(program, tmp_path / "best") == tmp_path / "best" / "main.py"
    assert (tmp_path / "best" / "main.py").read_bytes() == b"a\r\nb"
    text = (tmp_path / "best" / "lib" / "util.py").read_text(encoding="utf-8", errors="surrogatepass")
    assert text == "half \ud800"


def test_an_older_program_is_replaced_and_nothing_is_left_over(tmp_path: Path) -> None:
    for text in ("old", "new"):
        write_program(Program((("main.py", text),)), tmp_path)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("main.py", "new")]


def test_a_reader_never_sees_half_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_program(Program((("main.py", "old"),)), tmp_path)

    def broken(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", broken)
    with pytest.raises(RunFolderError, match="No space left"):
        write_program(Program((("main.py", "new"),)), tmp_path)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("main.py", "old")]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunFolderError, match="file"):
        write_program(Program((("main.py", ""),)), tmp_path / "file")


def test_a_difference_goes_over_all_files() -> None:
    old = Program((("a.py", "x = 1\n"), ("b.py", "same\n")))
    new = Program((("a.py", "x = 2\n"), ("b.py", "same\n")))
    assert difference(old, new).splitlines() == [
        "--- a/a.py",
        "+++ b/a.py",
        "@@ -1 +1 @@",
        "-x = 1",
        "+x = 2",
    ]
    assert difference(old, old) == ""


def test_folders_are_numbered_above_all_that_are_taken(tmp_path: Path) -> None:
    assert next_folder("sum", tmp_path / "none") == tmp_path / "none" / "sum-1"
    for name in ("sum-1", "sum-7", "sum-x", "other-9", "sum-up-8"):
        (tmp_path / name).mkdir()
    assert next_folder("sum", tmp_path) == tmp_path / "sum-8"


def test_a_task_name_stays_within_the_folder(tmp_path: Path) -> None:
    assert next_folder("../a/b", tmp_path).parent == tmp_path
