"""Recorded candidates by ordinal, as parents and inspirations are handed on."""

from __future__ import annotations

from collections import OrderedDict

from speciate.errors import StoreCorruptError
from speciate.records import Entry, Evaluated, Ordinal, Outcome, Patched, Program
from speciate.store import Store


class Library:
    """Keeps recent entries in memory and reads older ones from the store.

    Args:
        store: where they are written.
        size: how many entries stay in memory; the cost of a run does not grow with its history.
    """

    def __init__(self, store: Store, *, size: int = 512) -> None:
        self._store = store
        self._size = size
        self._entries: OrderedDict[tuple[Ordinal, str], Entry] = OrderedDict()

    def put(self, entry: Entry, context_hash: str) -> None:
        """Keeps an entry whose outcome belongs to a context."""
        self._entries[entry.ordinal, context_hash] = entry
        self._entries.move_to_end((entry.ordinal, context_hash))
        if len(self._entries) > self._size:
            self._entries.popitem(last=False)

    def get(self, ordinal: Ordinal, context_hash: str) -> Entry:
        """Returns a candidate with its outcome in a context.

        Raises:
            StoreCorruptError: the history has no such evaluated candidate.
        """
        entry = self.find(ordinal, context_hash)
        if entry is None:
            raise StoreCorruptError(f"candidate {ordinal} was looked for and has no outcome in its epoch")
        return entry

    def find(self, ordinal: Ordinal, context_hash: str) -> Entry | None:
        """Returns a candidate with its outcome in a context, or None if it was never evaluated there."""
        entry = self._entries.get((ordinal, context_hash)) or self._read(ordinal, context_hash)
        if entry is not None:
            self.put(entry, context_hash)
        return entry

    def program(self, ordinal: Ordinal) -> Program:
        """Returns a candidate's program, whatever its outcomes.

        Raises:
            StoreCorruptError: the history has no such program.
        """
        for (known, _), entry in self._entries.items():
            if known == ordinal:
                return entry.program
        for stored in self._store.events(ordinal=ordinal):
            if isinstance(stored.event, Patched):
                return self._program(stored.event)
        raise StoreCorruptError(f"candidate {ordinal} has no program in the history")

    def _program(self, event: Patched) -> Program:
        return Program(tuple((name, self._store.text(digest)) for name, digest in event.program))

    def _read(self, ordinal: Ordinal, context_hash: str) -> Entry | None:
        patched: Patched | None = None
        outcome: Outcome | None = None
        for stored in self._store.events(ordinal=ordinal):
            match stored.event:
                case Patched() as event:
                    patched = event
                case Evaluated(part=part) as event if part == context_hash:
                    outcome = event.outcome
                case _:
                    pass
        if patched is None or outcome is None:
            return None
        return Entry(ordinal, self._program(patched), outcome, patched.traits)
