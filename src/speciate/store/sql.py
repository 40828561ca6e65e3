"""A history in a relational database that can grow."""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from pydantic_core import PydanticSerializationError
from sqlalchemy import Connection, bindparam, func, insert, select, update
from typing_extensions import override

from speciate.errors import StoreCorruptError, StoreError
from speciate.records import (
    Event,
    Json,
    Patched,
    Replied,
    Seconds,
    TextHash,
    key,
    text_hash,
    text_refs,
    to_json,
)
from speciate.store import sqlite
from speciate.store.base import Store
from speciate.store.migrations import upgrade
from speciate.store.packing import Dictionary, Press
from speciate.store.recent import Recent
from speciate.store.schema import STEP_CODES, meta, parts, sessions
from speciate.store.schema import dictionaries as dictionary_table
from speciate.store.schema import events as event_table
from speciate.store.schema import texts as text_table
from speciate.store.sql_reader import SqlReader

_REMEMBERED = 4096
"""How many hashes and parts are remembered as written, so that they are not packed and offered again."""

_INSERT_TEXT = sqlite.compiled(sqlite.insert_missing(text_table), ("hash", "codec", "data"))
_INSERT_PART = sqlite.compiled(sqlite.insert_missing(parts), ("part",))
_INSERT_EVENT = sqlite.compiled(
    insert(event_table).values(
        part=select(parts.c.id).where(parts.c.part == bindparam("name")).scalar_subquery()
    ),
    ("ordinal", "attempt", "step", "at", "codec", "payload"),
)


class SqlStore(SqlReader, Store):
    """A history in SQLite. One thread at a time, one writer a file; memory does not grow with the history.

    Args:
        path: the database file; made if there is none, brought up to date if it is older.
        on_close: called once, when the store is closed.

    Raises:
        StoreError: the database cannot be opened or written, or a newer speciate wrote it.
        StoreCorruptError: it is damaged.
    """

    def __init__(self, path: Path, *, on_close: Callable[[], None] = lambda: None) -> None:
        self._on_close = on_close
        self._closed = False
        self._written: Recent[str, bool] = Recent(_REMEMBERED)
        with ExitStack() as undo:
            self._write = sqlite.connect_writer(path)
            undo.callback(self._write.close)
            with sqlite.translated(path), self._write.begin():
                upgrade(self._write)
            super().__init__(path)
            undo.callback(self._read.close)
            self._event_press = Press(self._latest("events"), size=3_000, first=64, every=4096)
            self._text_press = Press(self._latest("texts"), size=8_000, first=1, every=512)
            undo.pop_all()

    @override
    async def append(self, events: Sequence[Event], texts: Mapping[TextHash, str] | None = None) -> None:
        self._check_open()
        # Inline on purpose: a commit costs less than handing it to a thread and waiting for the answer.
        self._renew(self._event_press, "events")
        self._renew(self._text_press, "texts")
        given = texts or {}
        recurring = {ref for e in events if isinstance(e, Replied | Patched) for ref in text_refs(e)}
        new_texts = {digest: text for digest, text in given.items() if not self._written.get(digest)}
        new_parts = {event.part for event in events if not self._written.get(f"part {event.part}")}
        text_rows = [self._text_row(d, text, sample=d in recurring) for d, text in new_texts.items()]
        event_rows = [self._event_row(event) for event in events]
        part_rows = [{"part": part} for part in sorted(new_parts)]
        try:
            with sqlite.transaction(self._write, self.path) as cursor:
                for statement, rows in (
                    (_INSERT_TEXT, text_rows),
                    (_INSERT_PART, part_rows),
                    (_INSERT_EVENT, event_rows),
                ):
                    if rows:
                        cursor.executemany(statement, rows)
        except sqlite.KeyTakenError as error:
            raise StoreCorruptError(f"{self.path}: {self._clash(events)}; nothing was added") from error
        for name in (*new_texts, *(f"part {part}" for part in new_parts)):
            self._written.put(name, True)

    def _text_row(self, digest: TextHash, text: str, *, sample: bool) -> dict[str, int | bytes]:
        if text_hash(text) != digest:
            raise StoreCorruptError(
                f"{self.path}: a text does not match its hash {digest}; nothing was added"
            )
        codec, data = self._text_press.pack(text.encode("utf-8", "surrogatepass"), sample=sample)
        return {"hash": bytes.fromhex(digest), "codec": codec, "data": data}

    def _event_row(self, event: Event) -> dict[str, int | str | bytes]:
        try:
            codec, payload = self._event_press.pack(to_json(event))
        except PydanticSerializationError as error:
            raise StoreError(
                f"{self.path}: event {key(event)} cannot be written as JSON ({error})"
            ) from error
        return {
            "ordinal": event.ordinal,
            "attempt": event.attempt,
            "step": STEP_CODES[event.step],
            "name": event.part,
            "at": time.time_ns() // 1_000_000,
            "codec": codec,
            "payload": payload,
        }

    def _clash(self, events: Sequence[Event]) -> str:
        seen = set()
        for event in events:
            if key(event) in seen or any(
                key(s.event) == key(event) for s in self.events(ordinal=event.ordinal)
            ):
                return f"the history has event {key(event)} already"
            seen.add(key(event))
        return "an event contradicts the tables"

    def _latest(self, kind: str) -> Dictionary:
        query = select(func.max(dictionary_table.c.id)).where(dictionary_table.c.kind == kind)
        with sqlite.translated(self.path):
            codec = self._read.execute(query).scalar()
        if codec is None:
            return self._add_dictionary(kind, b"")
        try:
            return Dictionary(codec, self._dictionary(codec))
        except (KeyError, zlib.error) as error:
            raise StoreCorruptError(
                f"{self.path}: dictionary {codec} cannot be read ({error}); restore the database from a copy"
            ) from error

    def _renew(self, press: Press, kind: str) -> None:
        # A transaction of its own, before the records that use it: it stays true should they be rolled back.
        data = press.harvest()
        if data is not None:
            press.adopt(self._add_dictionary(kind, data))

    def _add_dictionary(self, kind: str, data: bytes) -> Dictionary:
        row = insert(dictionary_table).values(kind=kind, data=zlib.compress(data, 9))
        with self._writing() as connection:
            codec = connection.execute(row).inserted_primary_key
        assert codec is not None  # a single row of a table with an integer key always has one
        return Dictionary(codec[0], data)

    @override
    def begin(self, manifest: Mapping[str, Json]) -> None:
        try:
            with self._writing() as connection:
                connection.execute(insert(meta).values(name="manifest", value=json.dumps(manifest)))
        except sqlite.KeyTakenError as error:
            raise StoreCorruptError(f"{self.path}: the run has been begun already") from error

    @override
    def open_session(self, facts: Mapping[str, Json]) -> int:
        number = len(self.sessions()) + 1
        row = {"number": number, "started": time.time(), "seconds": 0.0, "facts": json.dumps(facts)}
        with self._writing() as connection:
            connection.execute(insert(sessions), row)
        return number

    @override
    def update_session(self, number: int, *, seconds: Seconds, stop_reason: str | None = None) -> None:
        change: dict[str, float | str] = {"seconds": seconds}
        if stop_reason is not None:
            change |= {"ended": time.time(), "stop_reason": stop_reason}
        with self._writing() as connection:
            found = connection.execute(update(sessions).where(sessions.c.number == number).values(change))
        if found.rowcount != 1:
            raise StoreCorruptError(f"{self.path}: there is no session {number}")

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        self._check_open()
        with sqlite.translated(self.path), self._write.begin():
            yield self._write

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(f"{self.path}: the store is closed")

    @override
    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        with ExitStack() as last:  # from the bottom up, and on to the end even if Ctrl-C comes in between
            last.callback(self._on_close)
            last.callback(sqlite.settle, self.path)
            last.callback(self._write.close)
            last.callback(super().close)
