"""A process killed while it changes a database without the log leaves a change half done; no run is lost."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from speciate.records import Chosen
from speciate.store import DATABASE, open_reader, open_store
from speciate.store.open import holds_run
from speciate.testing.stores import append

BEGIN_AND_DIE = """
import os, signal, sqlite3, sys
driver = sqlite3.connect(sys.argv[1], isolation_level=None)
driver.execute("PRAGMA cache_size = 1")  # so that pages are written before the change is complete
driver.execute("BEGIN IMMEDIATE")
driver.execute("CREATE TABLE half (done)")
for _ in range(50):
    driver.execute("INSERT INTO half VALUES (randomblob(3000))")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_run_with_a_change_half_done_can_be_read_and_gone_on_with(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.begin({"seed": 7})
    append(store, Chosen(ordinal=1))
    store.close()
    leave_half_done(tmp_path / DATABASE)
    with closing(open_reader(tmp_path)) as reader:
        assert reader.manifest() == {"seed": 7}
        assert [stored.event.ordinal for stored in reader.events()] == [1]
    with closing(open_store(tmp_path)) as store:
        append(store, Chosen(ordinal=2))


def test_a_database_half_made_holds_no_run(tmp_path: Path) -> None:
    database = tmp_path / DATABASE
    database.touch()
    leave_half_done(database)
    assert not holds_run(tmp_path)
    with closing(open_store(tmp_path)) as store:
        store.begin({"seed": 7})
    assert holds_run(tmp_path)


def leave_half_done(database: Path) -> None:
    """Has a process begin a change and die; fails unless only a writer could read the database now."""
    ended = subprocess.run([sys.executable, "-c", BEGIN_AND_DIE, database])
    assert ended.returncode == -signal.SIGKILL
    with (
        closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as driver,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        driver.execute("PRAGMA schema_version")
