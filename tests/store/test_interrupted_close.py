"""Ctrl-C while a database closes: everything closes all the same, and nobody sees a traceback."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.engine.interfaces import DBAPIConnection

from speciate.store import StoreReader, open_reader, open_store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a run that has begun."""
    store = open_store(tmp_path)
    store.begin({"seed": 7})
    store.close()
    return tmp_path


def close_pressed(store: StoreReader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closes a store; Ctrl-C is pressed the moment its first connection is closed."""
    close = DefaultDialect.do_close

    def press(dialect: DefaultDialect, connection: DBAPIConnection) -> None:
        monkeypatch.setattr(DefaultDialect, "do_close", close)
        signal.raise_signal(signal.SIGINT)
        connection.close()

    monkeypatch.setattr(DefaultDialect, "do_close", press)
    with pytest.raises(KeyboardInterrupt):
        store.close()


def test_a_store_closes_to_the_end_and_frees_its_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store = open_store(folder)
    store.open_session({})
    close_pressed(store, monkeypatch)
    assert not caplog.records
    again = open_store(folder)
    assert len(again.sessions()) == 1
    again.close()


def test_a_reader_says_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    close_pressed(open_reader(folder), monkeypatch)
    assert not caplog.records
