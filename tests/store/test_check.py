from __future__ import annotations

from contextlib import closing
from pathlib import Path
from sqlite3 import connect

from speciate.records import Chosen, Patched, Placed, text_hash
from speciate.store import DATABASE, MemoryStore, open_reader, open_store, problems
from speciate.testing.stores import append


def program(text: str) -> tuple[tuple[str, str], ...]:
    return (("a.py", text_hash(text)),)


def test_a_whole_history_has_no_problems() -> None:
    store = MemoryStore()
    append(store, Chosen(ordinal=0), Patched(ordinal=0, program=program("x")), Placed(ordinal=0), texts=["x"])
    assert list(problems(store)) == []


def test_each_missing_text_is_named_once_with_its_event() -> None:
    store = MemoryStore()
    append(store, Chosen(ordinal=0), Chosen(ordinal=1), Chosen(ordinal=2))
    append(store, Patched(ordinal=0, program=program("x")), Patched(ordinal=1, program=program("x")))
    append(store, Patched(ordinal=2, program=program("y")))
    first, second = problems(store)
    assert first.startswith(f"event 4: there is no text {text_hash('x')}")
    assert second.startswith(f"event 6: there is no text {text_hash('y')}")


def test_an_event_without_its_candidate_is_named() -> None:
    store = MemoryStore()
    append(store, Placed(ordinal=3))
    assert [p for p in problems(store) if "never chosen" in p]


def test_a_damaged_event_is_named(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    append(store, *(Chosen(ordinal=n) for n in range(5)))
    store.close()
    with closing(connect(tmp_path / DATABASE)) as database, database:
        database.execute("UPDATE events SET payload = x'00' WHERE seq = 3")
    reader = open_reader(tmp_path)
    (problem,) = problems(reader)
    reader.close()
    assert "event 3 of candidate 2 cannot be read" in problem
