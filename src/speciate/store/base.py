"""What every store owes: an append-only history of events and the texts they refer to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from speciate.records import Event, Json, Seconds, TextHash


@dataclass(frozen=True, slots=True)
class Stored:
    """An event with its place in the order of arrival.

    Attributes:
        seq: increases by one with every event, from 1.
        event: the event.
        at: seconds since the epoch (Unix time) at which it was written.
    """

    seq: int
    event: Event
    at: Seconds


@dataclass(frozen=True, slots=True)
class Session:
    """One session of a run, from start or resume to its end.

    Attributes:
        number: from 1.
        started: Unix time.
        ended: Unix time, or None when it is still going or was killed.
        stop_reason: why it ended, or None.
        seconds: wall time spent so far (last known, also when killed).
        facts: versions, host facts and prices in force.
    """

    number: int
    started: Seconds
    ended: Seconds | None
    stop_reason: str | None
    seconds: Seconds
    facts: Mapping[str, Json]


class StoreReader(ABC):
    """The read-only view of a run's history. Safe while another process writes."""

    @abstractmethod
    def events(self, *, after: int = 0, ordinal: int | None = None) -> Iterator[Stored]:
        """Yields events in order of arrival.

        Args:
            after: only events with a larger `seq`.
            ordinal: only events of this candidate.

        Raises:
            StoreCorruptError: an event cannot be read.
        """

    @abstractmethod
    def text(self, digest: TextHash) -> str:
        """Returns a stored text.

        Raises:
            StoreCorruptError: there is none, or its content does not match its hash.
        """

    @abstractmethod
    def manifest(self) -> Mapping[str, Json]:
        """Returns what was recorded when the run was created: task, complete config, seed, versions."""

    @abstractmethod
    def sessions(self) -> Sequence[Session]:
        """Returns all sessions, oldest first."""

    @abstractmethod
    def close(self) -> None:
        """Releases files and connections. May be called twice."""


class Store(StoreReader):
    """A history that can grow. One writer at a time; the caller serialises `append`.

    Implementers: `append` is atomic: after a crash either all of a call is there or none. What was
    appended survives a `kill -9` of this process the moment `append` returns. Equal texts are kept once.
    """

    @abstractmethod
    async def append(self, events: Sequence[Event], texts: Mapping[TextHash, str] | None = None) -> None:
        """Adds events, and the texts they refer to, in one transaction.

        Raises:
            StoreError: the disk is full, the file is locked or read-only; nothing was added.
            StoreCorruptError: an event with the same key exists; nothing was added.
        """

    @abstractmethod
    def begin(self, manifest: Mapping[str, Json]) -> None:
        """Records what the run is. Called once, before the first event."""

    @abstractmethod
    def open_session(self, facts: Mapping[str, Json]) -> int:
        """Starts a session and returns its number."""

    @abstractmethod
    def update_session(self, number: int, *, seconds: Seconds, stop_reason: str | None = None) -> None:
        """Notes the time spent so far; a `stop_reason` ends the session."""
