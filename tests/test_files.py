from __future__ import annotations

from pathlib import Path

import pytest

from speciate.files import write_whole


def test_a_file_is_written_and_written_over_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for text in ("a long first text, ö\n", "short"):
        write_whole(path, text)
        assert path.read_text(encoding="utf-8") == text
    assert list(tmp_path.iterdir()) == [path]


def test_who_has_the_old_file_open_reads_it_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_whole(path, "old")
    with path.open(encoding="utf-8") as reader:
        write_whole(path, "new")
        assert reader.read() == "old"
    assert path.read_text(encoding="utf-8") == "new"


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_whole(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "half \ud800")
    assert path.read_text(encoding="utf-8") == "old"
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "absent" / "a.txt", "x")


def test_what_a_killed_writer_left_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / ".a.txt.partial").write_text("hal")
    write_whole(tmp_path / "a.txt", "whole")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
