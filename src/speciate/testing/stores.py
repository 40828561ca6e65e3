"""What every store must pass. Inherit `StoreContract` and override its fixture."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from speciate.errors import RunFolderError, StoreCorruptError, StoreError
from speciate.records import Chosen, Event, Key, Patched, Placed, Started, TextHash, history, key, text_hash
from speciate.store import RunHistory, Store
from speciate.testing import events as strategies

NewStore = Callable[[], Store]

# The fixture hands out a factory, so each example has a store of its own; and the same test runs under each
# class that inherits it, on purpose.
_property = settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
)


def append(store: Store, *events: Event, texts: Sequence[str] = ()) -> None:
    """Appends in one transaction, with the texts under their hashes."""
    asyncio.run(store.append(events, {text_hash(text): text for text in texts}))


def stored_events(store: Store) -> list[Event]:
    """Returns all events in the order of arrival."""
    return [stored.event for stored in store.events()]


def distinct(events: Sequence[Event]) -> list[Event]:
    """Returns the events without those whose key came before."""
    first: dict[Key, Event] = {}
    for event in events:
        first.setdefault(key(event), event)
    return list(first.values())


class StoreContract:
    """Tests of the promises in `store.base`."""

    @pytest.fixture
    def new_store(self) -> Iterator[NewStore] | NewStore:
        """Gives a function that makes a fresh, empty store at each call; closes them all."""
        raise NotImplementedError

    @pytest.fixture
    def store(self, new_store: NewStore) -> Store:
        """One fresh, empty store."""
        return new_store()

    def test_events_come_back_in_order_of_arrival(self, store: Store) -> None:
        append(store, Chosen(ordinal=1), Chosen(ordinal=0))
        append(store, Placed(ordinal=1))
        found = list(store.events())
        assert [s.event for s in found] == [Chosen(ordinal=1), Chosen(ordinal=0), Placed(ordinal=1)]
        assert [s.seq for s in found] == [1, 2, 3]

    def test_events_carry_the_time_of_writing(self, store: Store) -> None:
        append(store, Chosen(ordinal=0))
        append(store, Placed(ordinal=0))
        first, second = store.events()
        assert 1.7e9 < first.at <= second.at

    def test_events_after_a_seq_and_of_one_candidate(self, store: Store) -> None:
        append(store, Chosen(ordinal=0), Chosen(ordinal=1), Placed(ordinal=0), Placed(ordinal=1))
        assert [s.seq for s in store.events(after=2)] == [3, 4]
        assert [s.seq for s in store.events(ordinal=1)] == [2, 4]
        assert [s.seq for s in store.events(after=2, ordinal=1)] == [4]
        assert list(store.events(after=4)) == []
        assert list(store.events(ordinal=7)) == []

    def test_an_iteration_may_be_left_while_the_history_grows(self, store: Store) -> None:
        append(store, Chosen(ordinal=0), Chosen(ordinal=1))
        reading = store.events()
        assert next(reading).seq == 1
        append(store, Chosen(ordinal=2))
        assert next(reading).seq == 2

    def test_events_without_any_and_texts_without_events(self, store: Store) -> None:
        append(store)
        append(store, texts=["alone"])
        assert list(store.events()) == []
        assert store.text(text_hash("alone")) == "alone"

    def test_a_key_can_be_written_once(self, store: Store) -> None:
        append(store, Chosen(ordinal=3, proposer="first"))
        with pytest.raises(StoreCorruptError, match=r"already.*nothing was added"):
            append(store, Chosen(ordinal=3, proposer="second"))
        assert stored_events(store) == [Chosen(ordinal=3, proposer="first")]

    def test_attempt_step_and_part_tell_keys_apart(self, store: Store) -> None:
        events: list[Event] = [
            Started(ordinal=1),
            Started(ordinal=1, part="a"),
            Started(ordinal=1, part="A"),
            Started(ordinal=1, attempt=1),
            Placed(ordinal=1),
        ]
        append(store, *events)
        assert stored_events(store) == events

    def test_a_refused_append_leaves_nothing(self, store: Store) -> None:
        append(store, Chosen(ordinal=0))
        with pytest.raises(StoreCorruptError):
            append(store, Chosen(ordinal=1), Chosen(ordinal=0), texts=["lost"])
        with pytest.raises(StoreCorruptError):
            append(store, Chosen(ordinal=2), Chosen(ordinal=2), texts=["lost"])
        assert stored_events(store) == [Chosen(ordinal=0)]
        with pytest.raises(StoreCorruptError):
            store.text(text_hash("lost"))

    def test_what_was_refused_can_be_written_later(self, store: Store) -> None:
        append(store, Chosen(ordinal=0))
        with pytest.raises(StoreCorruptError):
            append(store, Started(ordinal=1, part="x"), Chosen(ordinal=0), texts=["again"])
        append(store, Started(ordinal=1, part="x"), texts=["again"])
        assert store.text(text_hash("again")) == "again"
        assert stored_events(store) == [Chosen(ordinal=0), Started(ordinal=1, part="x")]

    @pytest.mark.parametrize("text", ["", "a", "naïve ∀ 𝄞\r\n\0", "\ud800 half a pair", "x" * 300_000])
    def test_any_text_comes_back(self, store: Store, text: str) -> None:
        append(store, texts=[text])
        append(store, texts=[text])
        assert store.text(text_hash(text)) == text

    def test_a_text_under_a_wrong_hash_is_refused(self, store: Store) -> None:
        with pytest.raises(StoreCorruptError, match="does not match"):
            asyncio.run(store.append([Chosen(ordinal=0)], {text_hash("one"): "another"}))
        assert stored_events(store) == []

    def test_a_missing_text_is_an_error(self, store: Store) -> None:
        with pytest.raises(StoreCorruptError, match="no text"):
            store.text(text_hash("never written"))
        with pytest.raises(StoreCorruptError, match="no text"):
            store.text("not a hash")

    def test_manifest_is_written_once(self, store: Store) -> None:
        with pytest.raises(RunFolderError, match="holds no run"):
            store.manifest()
        store.begin({"task": "t", "config": {"seed": 3, "x": [1.5, None]}})
        assert store.manifest() == {"task": "t", "config": {"seed": 3, "x": [1.5, None]}}
        with pytest.raises(StoreCorruptError, match="begun already"):
            store.begin({})
        assert store.manifest()["task"] == "t"

    def test_sessions(self, store: Store) -> None:
        assert store.open_session({"host": "a"}) == 1
        store.update_session(1, seconds=2.5)
        assert store.open_session({"host": "b"}) == 2
        store.update_session(2, seconds=4.0, stop_reason="budget")
        killed, ended = store.sessions()
        assert (killed.number, killed.facts, killed.seconds) == (1, {"host": "a"}, 2.5)
        assert (killed.ended, killed.stop_reason) == (None, None)
        assert (ended.seconds, ended.stop_reason) == (4.0, "budget")
        assert ended.ended is not None
        assert ended.started <= ended.ended

    def test_a_session_that_was_never_opened_is_an_error(self, store: Store) -> None:
        with pytest.raises(StoreCorruptError, match="no session 5"):
            store.update_session(5, seconds=1.0)

    def test_close_may_be_called_twice_and_ends_writing(self, store: Store) -> None:
        store.close()
        store.close()
        with pytest.raises(StoreError, match="closed"):
            append(store, Chosen(ordinal=0))

    @_property
    @given(st.lists(strategies.events, max_size=8).map(distinct))
    def test_any_events_come_back_equal(self, new_store: NewStore, events: list[Event]) -> None:
        store = new_store()
        append(store, *events[:3])
        append(store, *events[3:])
        assert stored_events(store) == events

    @_property
    @given(st.lists(strategies.events, max_size=8).map(distinct), st.randoms())
    def test_histories_do_not_depend_on_the_order_of_writing(
        self, new_store: NewStore, events: list[Event], random: Random
    ) -> None:
        one, other = new_store(), new_store()
        append(one, *events)
        random.shuffle(events)
        for event in events:
            append(other, event)
        assert history(stored_events(one)) == history(stored_events(other))

    @_property
    @given(strategies.histories(), st.integers(0, 100))
    def test_reading_on_gives_what_reading_at_once_gives(
        self, new_store: NewStore, events: list[Event], cut: int
    ) -> None:
        store = new_store()
        append(store, *events[:cut])
        growing = RunHistory(store)
        append(store, *events[cut:])
        assert growing.refresh() == len(events[cut:])
        whole = RunHistory(store)
        assert growing.candidates == whole.candidates
        assert growing.counts() == whole.counts()
        assert growing.curve() == whole.curve()
        assert growing.proposers() == whole.proposers()
        assert growing.members() == whole.members()
        assert growing.unanswered == whole.unanswered
        assert growing.refresh() == 0

    @_property
    @given(st.lists(st.text(max_size=200), unique=True, max_size=6))
    def test_programs_come_back_equal(self, new_store: NewStore, sources: list[str]) -> None:
        store = new_store()
        for ordinal, source in enumerate(sources):
            program: tuple[tuple[str, TextHash], ...] = (("a.py", text_hash(source)),)
            append(store, Chosen(ordinal=ordinal), Patched(ordinal=ordinal, program=program), texts=[source])
        history = RunHistory(store)
        assert [history.program(ordinal).source for ordinal in range(len(sources))] == sources
