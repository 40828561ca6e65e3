from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from speciate.errors import StoreCorruptError, StoreError
from speciate.records import Chosen, Patched, Started, text_hash
from speciate.store import DATABASE, RunHistory, open_reader, open_store
from speciate.testing.stores import append

SOURCE = "\n".join(f"line {n} = {n * n}" for n in range(300))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store = open_store(tmp_path)
    store.begin({})
    for ordinal in range(300):
        text = f"{SOURCE}\nlast = {ordinal}"
        program = (("a.py", text_hash(text)),)
        append(store, Chosen(ordinal=ordinal), Patched(ordinal=ordinal, program=program), texts=[text])
    store.close()
    return tmp_path


def read_all(folder: Path) -> None:
    reader = open_reader(folder)
    try:
        history = RunHistory(reader)
        for ordinal in history.candidates:
            history.program(ordinal)
    finally:
        reader.close()


def truncate(data: bytes) -> bytes:
    return data[: len(data) // 2]


def overwrite_header(data: bytes) -> bytes:
    return b"garbage " * 20 + data[160:]


def overwrite_pages(data: bytes) -> bytes:
    return data[:4096] + b"\xa5" * (len(data) - 4096)


@pytest.mark.parametrize("damage", [truncate, overwrite_header, overwrite_pages])
def test_a_damaged_file_is_named_with_what_to_do(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    read_all(folder)
    database = folder / DATABASE
    database.write_bytes(damage(database.read_bytes()))
    with pytest.raises(StoreCorruptError, match=rf"{DATABASE}.*restore"):
        read_all(folder)


def change(folder: Path, sql: str) -> None:
    with closing(sqlite3.connect(folder / DATABASE)) as database, database:
        assert database.execute(sql).rowcount > 0


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE texts SET data = substr(data, 1, length(data) - 2)",
        "UPDATE texts SET codec = 0",
        "UPDATE texts SET codec = 4711",
        "UPDATE texts SET data = (SELECT data FROM texts t WHERE t.id = 9 AND t.codec = texts.codec), "
        "codec = (SELECT codec FROM texts t WHERE t.id = 9) WHERE id = 8",
        "DELETE FROM texts WHERE id = 5",
        "UPDATE events SET payload = x'00ff' WHERE seq = 7",
        "UPDATE events SET payload = CAST('{\"parents\": 3}' AS BLOB), codec = 0 WHERE seq = 7",
        "UPDATE events SET step = 99 WHERE seq = 7",
        "DELETE FROM events WHERE seq = 1",
        "DELETE FROM events WHERE seq = 300",
        "DELETE FROM parts",
        "DELETE FROM dictionaries",
    ],
)
def test_a_record_that_makes_no_sense_is_an_error(folder: Path, sql: str) -> None:
    change(folder, sql)
    with pytest.raises(StoreCorruptError):
        read_all(folder)


@pytest.mark.parametrize("value", ["'{\"task\"'", "CAST(x'22da22' AS TEXT)"])
def test_a_manifest_that_cannot_be_read_is_named(folder: Path, value: str) -> None:
    change(folder, f"UPDATE meta SET value = {value} WHERE name = 'manifest'")
    with closing(open_reader(folder)) as reader, pytest.raises(StoreCorruptError, match="restore"):
        reader.manifest()


@pytest.mark.parametrize("data", ["x'00ff'", "x''"])
def test_a_damaged_dictionary_stops_whoever_would_write_with_it(folder: Path, data: str) -> None:
    change(folder, f"UPDATE dictionaries SET data = {data}")
    with pytest.raises(StoreCorruptError, match=r"dictionary \d+ cannot be read.*restore"):
        open_store(folder)


def test_a_read_only_database_says_so(folder: Path) -> None:
    store = open_store(folder)
    # Root may write any file, so the database itself is told to refuse.
    store._write.exec_driver_sql("PRAGMA query_only = ON")  # type: ignore[attr-defined]  # no public way in
    store._write.rollback()  # type: ignore[attr-defined]
    with pytest.raises(StoreError, match="read-only; check the permissions"):
        append(store, Chosen(ordinal=1000))
    store.close()


def test_a_locked_database_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("speciate.store.sqlite._BUSY_SECONDS", 0.05)
    store = open_store(folder)
    with closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another process holds the database"):
            append(store, Chosen(ordinal=1000))
        other.execute("ROLLBACK")
    append(store, Chosen(ordinal=1000))
    store.close()


FULL_DISK = """
import asyncio, resource, signal, sys
from pathlib import Path
from speciate.errors import StoreError
from speciate.records import Chosen, text_hash
from speciate.store import open_store

store = open_store(Path(sys.argv[1]))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
written = 0
try:
    while True:
        text = "".join(chr(33 + (written * i * i) % 90) for i in range(3000))
        asyncio.run(store.append([Chosen(ordinal=written)], {text_hash(text): text}))
        written += 1
except StoreError as error:
    events = len(list(store.events()))
    print(written, events, store.text(text_hash(text)) if written != events else "same", error)
"""


def test_a_disk_that_fills_up_loses_nothing_and_stays_readable(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FULL_DISK, str(tmp_path)], capture_output=True, text=True)
    assert done.stderr == ""
    written, events, same, message = done.stdout.split(" ", 3)
    assert int(written) == int(events) > 10
    assert same == "same"
    assert "disk" in message
    assert "resume the run" in message
    store = open_store(tmp_path)
    assert len(list(store.events())) == int(written)
    append(store, Started(ordinal=0))
    store.close()


def test_an_event_that_json_cannot_say_is_refused_whole(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    with pytest.raises(StoreError, match="cannot be written as JSON"):
        append(store, Chosen(ordinal=0), Chosen(ordinal=1, operator="\ud800"), texts=["t"])
    assert list(store.events()) == []
    store.close()
