"""What a node knows of its peers: a fold over the events of joining, publishing and draining."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import itemgetter

from speciate.records import Drained, Joined, MessageId, Ordinal, Published, Received, Seconds, TextHash


class Peers:
    """What came of the exchange of champions so far.

    Attributes:
        joined: how the run became a node, or None.
        announced: what was announced, by hash of its text, oldest first.
        drained: rounds after which all that had arrived was looked at.
        position: up to where the transport has been read.
        now: virtual time at the last drain, or None on the wall clock and before it.
        pool: the champions taken, with the own round after which each came, oldest first.
        sown: how many of `pool` became candidates.
        eve: the last ordinal issued before those of the last drain were sown.
        waiting: those of the present drain that wait for its end: a drain counts as a whole or not at all.
    """

    def __init__(self) -> None:
        self.joined: Joined | None = None
        self.announced: list[TextHash] = []
        self.drained = 0
        self.position = 0.0
        self.now: Seconds | None = None
        self.pool: list[tuple[int, Received]] = []
        self.sown = 0
        self.eve: Ordinal = 0
        self.waiting: list[Received] = []
        self._known: set[MessageId] = set()

    @property
    def published(self) -> int:
        """Rounds whose champions were handed over."""
        return len(self.announced)

    def taken_after(self, round: int) -> list[Received]:
        """Returns the champions taken after an own round, in the order in which they were taken."""
        first = bisect_left(self.pool, round, key=itemgetter(0))
        return [
            received for _, received in self.pool[first : bisect_right(self.pool, round, key=itemgetter(0))]
        ]

    def knows(self, message: MessageId) -> bool:
        """Whether a message was received before, taken or refused."""
        return message in self._known

    def apply(self, event: Joined | Published | Received | Drained) -> None:
        """Takes one event into account."""
        match event:
            case Joined():
                self.joined = event
            case Published():
                self.announced.append(event.announcement.text)
            case Received():
                self._known.add(event.id)
                self.waiting += [event] if event.refused is None else []
            case Drained():
                self.pool += [(event.round, received) for received in self.waiting]
                self.waiting = []
                self.drained, self.position = event.round + 1, event.position
                self.now, self.eve = event.at, event.ordinal
