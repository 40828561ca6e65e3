from __future__ import annotations

from pathlib import Path

import pytest

from speciate.errors import StoreError
from speciate.store import DATABASE, holds_run, open_store


def test_a_folder_holds_a_run_from_when_it_has_begun(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert not holds_run(folder)
    store = open_store(folder)
    assert not holds_run(folder)
    store.begin({"seed": 7})
    assert holds_run(folder)
    store.close()
    assert holds_run(folder)


@pytest.mark.parametrize("name", ["notes.txt", DATABASE])
def test_an_empty_file_is_no_run(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    assert not holds_run(tmp_path)


def test_what_cannot_be_read_is_not_taken_for_absent(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_text("no database, and longer than a header of sixteen bytes" * 20)
    with pytest.raises(StoreError):
        holds_run(tmp_path)
