"""A store that only reads: everything can be seen, nothing added."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from speciate.errors import StoreError
from speciate.records import Chosen, text_hash
from speciate.store import MemoryStore, ReadOnlyStore, Store


def written() -> MemoryStore:
    store = MemoryStore()
    store.begin({"seed": 7})
    store.update_session(store.open_session({}), seconds=1.0)
    asyncio.run(store.append([Chosen(ordinal=0), Chosen(ordinal=1)], {text_hash("one"): "one"}))
    return store


def test_all_that_was_written_is_read() -> None:
    store = written()
    view = ReadOnlyStore(store)
    assert list(view.events(after=1)) == list(store.events(after=1))
    assert list(view.events(ordinal=0)) == list(store.events(ordinal=0))
    assert view.text(text_hash("one")) == "one"
    assert view.manifest() == {"seed": 7}
    assert view.sessions() == store.sessions()


@pytest.mark.parametrize(
    "write",
    [
        lambda store: asyncio.run(store.append([Chosen(ordinal=2)])),
        lambda store: store.begin({}),
        lambda store: store.open_session({}),
        lambda store: store.update_session(1, seconds=2.0),
    ],
)
def test_what_would_write_is_refused_and_changes_nothing(write: Callable[[Store], object]) -> None:
    store = written()
    before = (list(store.events()), store.sessions())
    with pytest.raises(StoreError, match="reading only"):
        write(ReadOnlyStore(store))
    assert (list(store.events()), store.sessions()) == before


def test_closing_closes_the_reader_below() -> None:
    store = written()
    ReadOnlyStore(store).close()
    with pytest.raises(StoreError, match="closed"):
        store.open_session({})
