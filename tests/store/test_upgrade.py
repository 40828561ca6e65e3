from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text

from speciate.errors import StoreError
from speciate.records import STEPS
from speciate.store import sqlite
from speciate.store.migrations import STEPS as MIGRATIONS
from speciate.store.migrations import Migration, upgrade, version
from speciate.store.schema import STEP_CODES, VERSION, metadata


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    connection = sqlite.connect_writer(tmp_path / "some.sqlite")
    yield connection
    connection.close()


def add_column(name: str) -> Migration:
    def step(connection: Connection) -> None:
        connection.execute(text(f"ALTER TABLE events ADD COLUMN {name} INTEGER"))

    return step


def columns(connection: Connection) -> set[str]:
    return {column["name"] for column in inspect(connection).get_columns("events")}


def test_an_empty_database_gets_all_tables(connection: Connection) -> None:
    with connection.begin():
        assert version(connection) == 0
        upgrade(connection)
        assert version(connection) == VERSION
        assert set(inspect(connection).get_table_names()) == set(metadata.tables)


def test_older_tables_go_through_every_step_in_order(connection: Connection) -> None:
    with connection.begin():
        upgrade(connection)
        upgrade(
            connection, steps={VERSION + 1: add_column("b"), VERSION: add_column("a")}, latest=VERSION + 2
        )
        assert version(connection) == VERSION + 2
        assert {"a", "b"} <= columns(connection)


def test_a_step_that_fails_leaves_the_database_as_it_was(connection: Connection) -> None:
    def fail(connection: Connection) -> None:
        raise ZeroDivisionError

    with connection.begin():
        upgrade(connection)
    with pytest.raises(ZeroDivisionError), connection.begin():
        upgrade(connection, steps={VERSION: add_column("a"), VERSION + 1: fail}, latest=VERSION + 2)
    with connection.begin():
        assert version(connection) == VERSION
        assert "a" not in columns(connection)


def test_a_missing_step_is_an_error(connection: Connection) -> None:
    with connection.begin():
        upgrade(connection)
    with pytest.raises(StoreError, match="cannot upgrade"), connection.begin():
        upgrade(connection, steps={}, latest=VERSION + 1)


def test_there_is_a_step_from_every_older_version() -> None:
    assert set(MIGRATIONS) == set(range(1, VERSION))


def test_every_step_of_a_candidate_has_a_code() -> None:
    assert set(STEP_CODES) == set(STEPS)
    assert len(set(STEP_CODES.values())) == len(STEP_CODES)
