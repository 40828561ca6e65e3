"""What a simulated node has done, read from its history round by round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from typing_extensions import override

from speciate.ensembles.merge import node_elites
from speciate.ensembles.transport import Clocks
from speciate.records import (
    Drained,
    Json,
    NodeElites,
    Published,
    Received,
    Seconds,
    TextHash,
)
from speciate.store import RunHistory, Session, Stored, StoreReader


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A node when it had ended a round and drained, before what it took was sown.

    Attributes:
        at: when, in the time of all.
        elites: who lived in its archives, or None for rounds that nobody asked for.
        sent: bytes it published, announcement and program.
        heard: bytes of the announcements that came in; doubled ones count twice.
        fetched: bytes of the programs it fetched.
        taken: champions that it took.
        ages: seconds between publishing and taking of each.
        lags: own round less the sender's, of each; negative where the sender was ahead.
    """

    at: Seconds
    elites: NodeElites | None
    sent: int
    heard: int
    fetched: int
    taken: int
    ages: tuple[Seconds, ...]
    lags: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """One node.

    Attributes:
        name: its name.
        rounds: the rounds that it ended and drained, while it lived.
        end: what it brings to the end, or None of a node that died.
        candidates: how many were chosen, received ones and the initial program included.
    """

    name: str
    rounds: Sequence[Snapshot]
    end: NodeElites | None
    candidates: int


class _ByRound(StoreReader):
    """A history that ends for now after each drain, so that a fold can be looked at there."""

    def __init__(self, inner: StoreReader) -> None:
        self._inner = inner

    @override
    def events(self, *, after: int = 0, ordinal: int | None = None) -> Iterator[Stored]:
        for stored in self._inner.events(after=after, ordinal=ordinal):
            yield stored
            if ordinal is None and isinstance(stored.event, Drained):
                return

    @override
    def text(self, digest: TextHash) -> str:
        return self._inner.text(digest)

    @override
    def manifest(self) -> Mapping[str, Json]:
        return self._inner.manifest()

    @override
    def sessions(self) -> Sequence[Session]:
        return self._inner.sessions()

    @override
    def close(self) -> None:
        self._inner.close()


def account_of(
    name: str, store: StoreReader, clocks: Clocks, sent: Mapping[tuple[str, int], Seconds], *, every: int
) -> Account:
    """Reads what a node has done.

    Args:
        name: the node.
        store: its history.
        clocks: how its own clock goes.
        sent: when each (node, round) was published, in the time of all; see `publications`.
        every: after how many rounds its elites are looked at.
    """
    history, done, rounds = RunHistory(_ByRound(store)), 0, list[Snapshot]()
    while (news := history.exchange[done:]) and isinstance(drained := news[-1], Drained):
        at = _time(clocks, name, drained)
        if at is None:
            return Account(name, rounds, None, len(history.candidates))
        wanted = (len(rounds) + 1) % every == 0
        elites = node_elites(name, history) if wanted else None
        rounds.append(_snapshot(at, news, drained, elites, sent))
        done += len(news)
        history.refresh()
    died = bool(news)  # it has published, and never drained
    return Account(name, rounds, None if died else node_elites(name, history), len(history.candidates))


def publications(name: str, store: StoreReader, clocks: Clocks) -> dict[tuple[str, int], Seconds]:
    """Returns when a node published each of its rounds, in the time of all."""
    events = [stored.event for stored in store.events() if isinstance(stored.event, Published)]
    times = ((event.round, _time(clocks, name, event)) for event in events if isinstance(event, Published))
    return {(name, round): at for round, at in times if at is not None}


def _time(clocks: Clocks, name: str, event: Published | Drained) -> Seconds | None:
    """Returns when a node did this in the time of all, or None if it was dead by then."""
    if event.at is None:
        raise ValueError("on the wall clock there is no time of all")
    return clocks.when(name, event.at)


def _snapshot(
    at: Seconds,
    news: Sequence[Published | Received | Drained],
    drained: Drained,
    elites: NodeElites | None,
    sent: Mapping[tuple[str, int], Seconds],
) -> Snapshot:
    published = [event for event in news if isinstance(event, Published)]
    received = [event for event in news if isinstance(event, Received)]
    taken = [event for event in received if event.refused is None]
    return Snapshot(
        at=at,
        elites=elites,
        sent=sum(event.size for event in published),
        heard=drained.size,
        fetched=sum(event.size for event in received),
        taken=len(taken),
        ages=tuple(at - sent[event.node, event.round] for event in taken),
        lags=tuple(drained.round - event.round for event in taken),
    )
