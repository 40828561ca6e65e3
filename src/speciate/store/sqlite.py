"""All that only SQLite understands: connecting, journal modes, wording, error messages."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, Engine, Table, create_engine, event
from sqlalchemy import Insert as StandardInsert
from sqlalchemy.dialects.sqlite import Insert, dialect, insert
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from speciate.errors import StoreCorruptError, StoreError

_BUSY_SECONDS = 10.0

_ADVICE: dict[str, str] = {
    "SQLITE_FULL": "the disk is full; free some space and resume the run",
    "SQLITE_READONLY": "the database is read-only; check the permissions of the file and its folder",
    "SQLITE_CANTOPEN": "the database cannot be opened; check that it exists and who may read it",
    "SQLITE_PERM": "the database may not be opened; check the permissions of the file and its folder",
    "SQLITE_BUSY": "another process holds the database; end it, or wait and resume the run",
    "SQLITE_LOCKED": "another process holds the database; end it, or wait and resume the run",
    "SQLITE_IOERR": "the disk cannot be read or written; check its space and health, then resume the run",
    "SQLITE_NOTADB": "the file is not a database; restore it from a copy",
    "SQLITE_CORRUPT": "the database is damaged; restore it from a copy",
}
_DAMAGED = ("SQLITE_NOTADB", "SQLITE_CORRUPT")


def connect_writer(path: Path) -> Connection:
    """Opens (and creates) a database for writing; a transaction locks out other writers from its start.

    With WAL a commit is one append to a file, and readers never wait. With `synchronous=NORMAL` what was
    committed survives the death of the process; the last commits may be lost when the machine loses power,
    but never half of one.

    Raises:
        StoreError: the file cannot be opened or written.
    """
    engine = _engine(path, "rwc")
    # The driver's own rule would begin a transaction only before some statements, and a deferred one.
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    with translated(path):
        connection = engine.connect()
        driver = connection.connection.cursor()
        driver.execute("PRAGMA journal_mode=WAL")
        driver.execute("PRAGMA synchronous=NORMAL")
        driver.close()
    return connection


def connect_reader(path: Path) -> Connection:
    """Opens an existing database for reading; every statement sees what is committed by then.

    A process that is killed while it changes the journal mode, when a database is made or closed, leaves a
    change half done. Only a writer can take that back, so this becomes one for a moment.

    Raises:
        StoreError: the file cannot be opened.
    """
    engine = _engine(path, "ro").execution_options(isolation_level="AUTOCOMMIT")
    with translated(path):
        try:
            _first_read(path, "ro")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_READONLY_ROLLBACK":
                raise
            _first_read(path, "rw")
        return engine.connect()


def _first_read(path: Path, mode: str) -> None:
    """Reads as little as makes SQLite look at the file, and take back what was left half done."""
    with closing(sqlite3.connect(_uri(path, mode), uri=True, timeout=_BUSY_SECONDS)) as driver:
        driver.execute("PRAGMA schema_version").fetchone()


def _engine(path: Path, mode: str) -> Engine:
    uri = _uri(path, mode)

    def open_file() -> sqlite3.Connection:
        return sqlite3.connect(
            uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )

    engine = create_engine("sqlite://", creator=open_file, poolclass=NullPool)
    logging.getLogger("sqlalchemy.pool.impl.NullPool").addFilter(_is_news)
    return engine


def _uri(path: Path, mode: str) -> str:
    return f"file:{quote(str(path.absolute()))}?mode={mode}"


def _is_news(record: logging.LogRecord) -> bool:
    """Says no to what SQLAlchemy logs, traceback and all, and then raises besides: Ctrl-C while it closes."""
    kind = record.exc_info[0] if record.exc_info else None
    return kind is None or issubclass(kind, Exception)


def insert_missing(table: Table) -> Insert:
    """Returns an insert that leaves rows alone which exist already."""
    return insert(table).on_conflict_do_nothing()


def compiled(statement: Insert | StandardInsert, columns: Sequence[str]) -> str:
    """Returns the SQL of an insert that takes its values as a mapping by column name."""
    return str(statement.compile(dialect=dialect(paramstyle="named"), column_keys=columns))


def settle(path: Path) -> None:
    """Folds the write-ahead log into the one file after the writer closed, if no reader is in the way.

    A database that was left so can be read from a read-only disk and needs no other files beside it.

    Raises:
        StoreCorruptError: the file is damaged.
    """
    # With a reader there or a full disk, the log stays; whoever comes next goes on with it.
    with (
        translated(path),
        suppress(sqlite3.OperationalError),
        closing(sqlite3.connect(path, timeout=0.1, isolation_level=None)) as driver,
    ):
        driver.execute("PRAGMA journal_mode=DELETE")


class KeyTakenError(Exception):
    """A row with the same key exists; never leaves the store."""


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turns errors of the database into ours, with what to do about them.

    Raises:
        KeyTakenError: a unique key exists already; only the caller knows what that means.
        StoreCorruptError: the file is damaged or not a database.
        StoreError: anything else that the database refused.
    """
    try:
        yield
    except DBAPIError as error:
        raise _translate(error.orig, path) from error
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise _translate(error, path) from error


@contextmanager
def transaction(connection: Connection, path: Path) -> Iterator[DBAPICursor]:
    """One write transaction in the words of the driver, for the few statements that every candidate pays for.

    SQLAlchemy would cost as much again as the statements themselves.

    Raises:
        as `translated`.
    """
    driver = connection.connection
    cursor = driver.cursor()
    try:
        cursor.execute("BEGIN IMMEDIATE")
        yield cursor
        driver.commit()
    except sqlite3.Error as error:
        driver.rollback()
        raise _translate(error, path) from error
    except BaseException:
        driver.rollback()
        raise
    finally:
        cursor.close()


def _translate(error: BaseException | None, path: Path) -> Exception:
    if isinstance(error, sqlite3.IntegrityError):
        return KeyTakenError(str(error))
    # What the driver itself finds has no such name: above all, text that is not UTF-8.
    undecoded = isinstance(error, UnicodeDecodeError) or "decode" in str(error)
    code = getattr(error, "sqlite_errorname", "SQLITE_CORRUPT" if undecoded else "")
    family = "_".join(code.split("_")[:2])  # SQLITE_IOERR_WRITE belongs to SQLITE_IOERR
    kind = StoreCorruptError if family in _DAMAGED else StoreError
    return kind(f"{path}: {_ADVICE.get(family, 'the database refused')} ({error})")
