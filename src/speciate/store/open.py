"""How a run folder becomes a store."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from speciate.errors import RunFolderError
from speciate.store.base import Store, StoreReader
from speciate.store.lock import FolderLock

DATABASE = "history.sqlite"
"""Name of the database within a run folder."""


def open_store(folder: Path) -> Store:
    """Opens the history of a run for writing, or begins an empty one; makes the folder if there is none.

    Only one process may hold a run folder like this; it is free again after `close` or the process's end.

    Raises:
        RunFolderError: another process holds the folder, or it cannot be made or written.
        StoreError: the database cannot be opened, or a newer speciate wrote it.
        StoreCorruptError: the database is damaged.
    """
    from speciate.store.sql import SqlStore  # loads SQLAlchemy, which `speciate --help` does without

    lock = FolderLock(folder)
    try:
        return SqlStore(folder / DATABASE, on_close=lock.release)
    except BaseException:
        lock.release()
        raise


def open_reader(folder: Path) -> StoreReader:
    """Opens the history of a run for reading, also while another process writes it. Creates no files.

    Raises:
        RunFolderError: the folder holds no run.
        StoreError: the database cannot be opened, or another version of speciate wrote it.
        StoreCorruptError: the database is damaged.
    """
    from speciate.store.sql_reader import SqlReader  # loads SQLAlchemy, which `speciate --help` does without

    database = folder / DATABASE
    if not database.is_file():
        if not folder.is_dir():
            raise RunFolderError(f"{folder} holds no run: there is no such folder")
        raise RunFolderError(f"{folder} holds no run: there is no {DATABASE} in it")
    return SqlReader(database)


def holds_run(folder: Path) -> bool:
    """Whether a folder holds a run, and not only what one left that was killed while being made.

    Raises:
        StoreError: there is something that cannot be read.
    """
    try:
        with closing(open_reader(folder)) as reader:
            reader.manifest()
    except RunFolderError:
        return False
    return True
