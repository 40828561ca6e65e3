"""The one way in which the history grows.

An event is applied to the state at once and written in order: what is on disk is always a prefix of
what happened in memory. Events whose loss would cost nothing but a repetition of the same decision
wait for the next `flush`; before a request is sent, a reply parsed, an evaluation begun or its end
reported, everything is flushed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from speciate.engine.observers import Observer
from speciate.engine.state import State
from speciate.records import (
    Event,
    Ordinal,
    Patched,
    Program,
    Proposal,
    Rejected,
    RejectedEvent,
    TextHash,
    key,
)
from speciate.store import Store


class Journal:
    """Writes events, and answers from what is already written when a candidate is lived again."""

    def __init__(self, store: Store, state: State, observers: Sequence[Observer] = ()) -> None:
        self._store = store
        self._state = state
        self._observers = observers
        self._events: list[Event] = []
        self._texts: dict[TextHash, str] = {}
        self._writing = asyncio.Lock()  # two flushes at once would write the same events twice

    def note(self, event: Event, texts: Mapping[TextHash, str] | None = None) -> None:
        """Makes an event part of the history unless what is open already has it.

        Args:
            event: what happened.
            texts: what it refers to.
        """
        if self._state.find(*key(event)) is not None:
            return
        self._state.apply(event)
        self._events.append(event)
        self._texts.update(texts or {})
        for observer in self._observers:
            observer.on_event(event)

    def tell_stop(self, reason: str) -> None:
        """Lets the observers know that the run was asked to stop."""
        for observer in self._observers:
            observer.on_stop(reason)

    async def write(self, event: Event, texts: Mapping[TextHash, str] | None = None) -> None:
        """Notes an event and returns when it is safe from a crash.

        Raises:
            StoreError: the history cannot be written.
        """
        self.note(event, texts)
        await self.flush()

    async def keep(self, texts: Mapping[TextHash, str]) -> None:
        """Writes texts that a coming event refers to, for an event that cannot be applied without them.

        Raises:
            StoreError: the history cannot be written.
        """
        self._texts.update(texts)
        await self.flush()

    async def flush(self) -> None:
        """Writes all that was noted, in one transaction.

        Raises:
            StoreError: the history cannot be written; the events stay noted for another try.
        """
        async with self._writing:
            events, texts = list(self._events), dict(self._texts)  # more is noted while these are written
            if not (events or texts):
                return
            await self._store.append(events, texts)
            self._events = self._events[len(events) :]
            self._texts = {digest: text for digest, text in self._texts.items() if digest not in texts}

    def find(self, ordinal: Ordinal, attempt: int, step: str, part: str = "") -> Event | None:
        """Returns an event of an open candidate or of an open update, or None if it has not happened."""
        return self._state.find(ordinal, attempt, step, part)

    def verdict(self, ordinal: Ordinal, attempt: int) -> Proposal | Rejected | None:
        """Returns how an attempt ended if the history already tells, else None."""
        match self.find(ordinal, attempt, "patched") or self.find(ordinal, attempt, "rejected"):
            case Patched() as event:
                return Proposal(self.program(event), attempt, event.summary, event.traits)
            case RejectedEvent() as event:
                return event.rejected
            case _:
                return None

    def program(self, event: Patched) -> Program:
        """Returns the program an event refers to."""
        return self.read_program(event.program)

    def read_program(self, manifest: tuple[tuple[str, TextHash], ...]) -> Program:
        """Returns the program with these files, pairs of (name, content hash)."""
        return Program(tuple((name, self.text(digest)) for name, digest in manifest))

    def text(self, digest: TextHash) -> str:
        """Returns a text of the history, written or still waiting."""
        waiting = self._texts.get(digest)
        return self._store.text(digest) if waiting is None else waiting
