"""Applies numbered steps to a database until it has the current tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from sqlalchemy import Connection, insert, select, update

from speciate.errors import StoreError
from speciate.store.schema import VERSION, meta, metadata

Migration: TypeAlias = Callable[[Connection], None]

STEPS: Mapping[int, Migration] = {}
"""By the version a step starts from. Each lives in a file `from_<version>.py` and names its own tables and
columns, never those of `schema`, which move on."""


def version(connection: Connection) -> int:
    """Returns the version of the tables, 0 for a database without any."""
    if not connection.dialect.has_table(connection, meta.name):
        return 0
    found = connection.execute(select(meta.c.value).where(meta.c.name == "schema")).scalar_one_or_none()
    return 0 if found is None else int(found)


def check_version(found: int, *, latest: int = VERSION) -> None:
    """Raises StoreError if the tables are newer than this version of speciate understands."""
    if found > latest:
        raise StoreError(
            f"the run was written by a newer speciate (schema {found}, this one reads up to {latest}): "
            "upgrade speciate to open it"
        )


def upgrade(connection: Connection, *, steps: Mapping[int, Migration] = STEPS, latest: int = VERSION) -> None:
    """Creates the tables in an empty database, or brings older ones up to `latest`.

    Runs inside the caller's transaction, so a step that fails leaves the database as it was.

    Raises:
        StoreError: the tables are newer than `latest`, or no step leads there.
    """
    found = version(connection)
    check_version(found, latest=latest)
    if found == 0:
        metadata.create_all(connection)
        connection.execute(insert(meta).values(name="schema", value=str(latest)))
        return
    for number in range(found, latest):
        if number not in steps:
            raise StoreError(f"the run has schema {number}, which this version of speciate cannot upgrade")
        steps[number](connection)
    connection.execute(update(meta).where(meta.c.name == "schema").values(value=str(latest)))
