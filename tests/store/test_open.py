from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from speciate.errors import RunFolderError, StoreCorruptError, StoreError
from speciate.records import Chosen, Placed, text_hash
from speciate.store import DATABASE, open_reader, open_store
from speciate.testing.stores import append, stored_events

OTHER_PROCESS = """
import sys
from pathlib import Path
from speciate.errors import RunFolderError
from speciate.store import open_store
try:
    open_store(Path(sys.argv[1]))
except RunFolderError as error:
    print(error)
"""


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_what_was_written_is_there_after_closing_and_opening(tmp_path: Path) -> None:
    store = open_store(tmp_path / "a" / "run with space")
    store.begin({"task": "t"})
    append(store, Chosen(ordinal=0), texts=["x" * 2000])
    store.close()
    store = open_store(tmp_path / "a" / "run with space")
    append(store, Placed(ordinal=0))
    assert stored_events(store) == [Chosen(ordinal=0), Placed(ordinal=0)]
    assert store.text(text_hash("x" * 2000)) == "x" * 2000
    assert store.manifest() == {"task": "t"}
    store.close()


def test_a_key_of_an_earlier_session_is_refused(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    append(store, Chosen(ordinal=0))
    store.close()
    store = open_store(tmp_path)
    with pytest.raises(StoreCorruptError, match="already"):
        append(store, Chosen(ordinal=0))
    store.close()


def test_a_folder_belongs_to_one_process(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    with pytest.raises(RunFolderError, match=r"another process is running in .*: wait for it or end it$"):
        open_store(tmp_path)
    other = [sys.executable, "-c", OTHER_PROCESS, str(tmp_path)]
    assert "another process is running" in subprocess.run(other, capture_output=True, text=True).stdout
    store.close()
    assert subprocess.run(other, capture_output=True, text=True).stdout == ""


def test_a_failed_open_gives_the_folder_back(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"no database at all " * 100)
    for _ in range(2):
        with pytest.raises(StoreCorruptError):
            open_store(tmp_path)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunFolderError, match="cannot be written"):
        open_store(tmp_path / "file" / "run")


def test_a_reader_needs_a_run(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="holds no run"):
        open_reader(tmp_path / "nowhere")
    (tmp_path / DATABASE).write_bytes(b"")
    with pytest.raises(RunFolderError, match="holds no run"):
        open_reader(tmp_path)
    assert names(tmp_path) == {DATABASE}


def test_a_reader_of_a_closed_run_creates_no_files(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    append(store, Chosen(ordinal=0))
    store.close()
    before = names(tmp_path)
    reader = open_reader(tmp_path)
    assert [s.event for s in reader.events()] == [Chosen(ordinal=0)]
    reader.close()
    assert names(tmp_path) == before == {"lock", DATABASE}


def test_a_reader_cannot_write_and_does_not_hold_the_writer_up(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    append(store, *(Chosen(ordinal=n) for n in range(2500)))
    reader = open_reader(tmp_path)
    reading = reader.events()
    assert next(reading).seq == 1
    append(store, Placed(ordinal=0))
    store.close()
    store = open_store(tmp_path)
    append(store, Placed(ordinal=1))
    assert [s.seq for s in reading] == list(range(2, 2503))
    reader.close()
    reader.close()
    store.close()


def test_a_reader_sees_what_is_written_after_it_opened(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    reader = open_reader(tmp_path)
    assert list(reader.events()) == []
    # Enough events for new dictionaries, which the reader meets for the first time in the records themselves.
    for ordinal in range(200):
        append(store, Chosen(ordinal=ordinal, proposer="someone", operator="full"), texts=[f"text {ordinal}"])
    assert [s.event for s in reader.events()] == stored_events(store)
    assert reader.text(text_hash("text 150")) == "text 150"
    store.close()
    assert len(list(reader.events(after=100))) == 100
    reader.close()


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.close()
    set_schema(tmp_path, "99")
    with pytest.raises(StoreError, match=r"newer speciate .*99.*upgrade"):
        open_store(tmp_path)
    with pytest.raises(StoreError, match="newer speciate"):
        open_reader(tmp_path)


def test_a_reader_asks_for_an_upgrade_of_an_older_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store(tmp_path).close()
    monkeypatch.setattr("speciate.store.sql_reader.VERSION", 2)
    with pytest.raises(StoreError, match=r"older speciate .*resume"):
        open_reader(tmp_path)


def set_schema(folder: Path, version: str) -> None:
    with closing(sqlite3.connect(folder / DATABASE)) as database, database:
        database.execute("UPDATE meta SET value = ? WHERE name = 'schema'", (version,))


def test_append_runs_in_any_event_loop(tmp_path: Path) -> None:
    store = open_store(tmp_path)

    async def twice() -> None:
        await store.append([Chosen(ordinal=0)])
        await store.append([Chosen(ordinal=1)])

    asyncio.run(twice())
    asyncio.run(store.append([Chosen(ordinal=2)]))
    assert len(stored_events(store)) == 3
    store.close()


def test_opening_a_room_does_not_load_sqlalchemy() -> None:
    code = "import sys, speciate.store; print('sqlalchemy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
