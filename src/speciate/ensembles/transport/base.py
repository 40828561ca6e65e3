"""What every transport owes: a log of announcements, and the programs behind them on request."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from speciate.ensembles.messages import Parcel
from speciate.records import Joined, MessageId, Seconds


@dataclass(frozen=True, slots=True)
class Heard:
    """An announcement as it came, read or not.

    Attributes:
        data: its bytes; whoever reads them decides what they are worth.
        sender: the node in whose name it was sent, as the transport knows it.
    """

    data: bytes
    sender: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a look into the log gave.

    Attributes:
        heard: announcements in the order of their arrival; some may come twice.
        position: from where the next look goes on.
    """

    heard: tuple[Heard, ...]
    position: float


class Halted(Exception):  # noqa: N818  # nothing went wrong
    """A reader was asked to stop waiting: it will read again when the ensemble goes on."""


class Transport(ABC):
    """One node's end of the log of one ensemble.

    Implementers: `publish` and `read` never wait for another node that runs on the wall clock. What was
    published arrives at every node at least once, also at those that join or come back later, in the order
    in which it was published by its sender.
    """

    @abstractmethod
    async def join(self, joined: Joined, *, own: Sequence[Parcel]) -> None:
        """Takes the name, and publishes again whichever own champions the log lacks.

        Args:
            joined: who this node is.
            own: all that this node has published in earlier sessions, oldest first.

        Raises:
            ConfigError: another incarnation holds the name, or the address makes no sense.
        """

    @abstractmethod
    async def publish(self, parcel: Parcel, *, at: Seconds | None) -> None:
        """Hands a champion over, to be sent as soon as that is possible.

        Args:
            parcel: the champion.
            at: virtual time, or None on the wall clock.
        """

    @abstractmethod
    async def read(self, after: float, *, until: Seconds | None, senders: Sequence[str] | None) -> Reading:
        """Returns announcements that have arrived.

        Args:
            after: the position of the last reading, 0 for the first.
            until: on a virtual clock the time of the reader: all that arrived up to then, and nothing else,
                however far the others have come. None on the wall clock: all that is here.
            senders: only these nodes' announcements are wanted; None for everybody's.

        Raises:
            Halted: it waited for others on a virtual clock, and all were asked to stop.
        """

    @abstractmethod
    async def fetch(self, wanted: Sequence[MessageId]) -> Mapping[MessageId, bytes]:
        """Returns the programs behind announcements.

        One that cannot be had now is left out; one that the log has no more is empty.
        """

    @abstractmethod
    async def members(self) -> Sequence[str]:
        """Returns the names of all nodes known so far, sorted, this one among them."""

    @abstractmethod
    async def leave(self, *, patience: Seconds) -> int:
        """Ends it: waits for what is not yet sent, but not longer than `patience`.

        Returns:
            How many champions could not be sent; they are published again when the node comes back.
        """
