"""A network that delays, loses, doubles and holds back announcements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from speciate.ensembles.simulation.spread import Spread, chances
from speciate.errors import ConfigError
from speciate.records import MessageId, Seconds

AT_ONCE = Spread()


@dataclass(frozen=True, slots=True)
class Partition:
    """A time in which the nodes are cut into groups that do not hear each other.

    Attributes:
        begins: when, in seconds of the time of all.
        ends: when what was sent across meanwhile arrives.
        groups: into how many; each node's is drawn.
    """

    begins: Seconds
    ends: Seconds
    groups: int = 2

    def __post_init__(self) -> None:
        """Raises ConfigError unless it is a span of time and there are two groups at least."""
        if not 0 <= self.begins <= self.ends or self.groups < 2:
            raise ConfigError(f"a partition has a begin, a later end and 2 groups at least, not {self}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Weather:
    """What a network does to announcements.

    Attributes:
        loss: share that is lost, 0 to 1, of each receiver by itself and for good: the receiver never hears of
            that champion, and nobody sends it again. This is the message loss that DEI (arXiv 2605.27130)
            leaves unmeasured. A transport that acknowledges and resends, as ours over NATS, loses nothing:
            there a lost packet is a delay, and `delay` is where it belongs.
        duplicate: share that comes twice, each copy after a delay of its own.
        delay: how long a copy travels. Delays are drawn one by one: what was sent later may come earlier.
        partition: a time in which groups do not hear each other, or None. What is sent across is held and
            arrives when it ends, as a broker delivers to whoever comes back.
    """

    loss: float = 0.0
    duplicate: float = 0.0
    delay: Spread = AT_ONCE
    partition: Partition | None = None

    def __post_init__(self) -> None:
        """Raises ConfigError for shares outside of 0 to 1."""
        for name, share in (("loss", self.loss), ("duplicate", self.duplicate)):
            if not 0 <= share <= 1:
                raise ConfigError(f"{name} is a share from 0 to 1, not {share:g}")


class Network:
    """Routes of announcements; see `speciate.ensembles.transport.Routes`.

    What becomes of an announcement hangs on seed, message and receiver alone. Programs are fetched by whoever
    has heard of them, and that never fails.

    Args:
        weather: what it does.
        seed: names its chances.
    """

    def __init__(self, weather: Weather, seed: int) -> None:
        self._weather = weather
        self._seed = seed
        held = 0.0 if weather.partition is None else weather.partition.ends - weather.partition.begins
        self.slowest: Seconds = weather.delay.longest + held

    def delays(self, message: MessageId, to: str, at: Seconds) -> Sequence[Seconds]:
        """See `speciate.ensembles.transport.Routes.delays`."""
        weather = self._weather
        lost, first, doubled, second, *_ = chances(f"{self._seed}|{message}|{to}")
        if lost < weather.loss:
            return ()
        held = self._held(message.node, to, at)
        once = held + weather.delay.at(first)
        return (once, held + weather.delay.at(second)) if doubled < weather.duplicate else (once,)

    def _held(self, sender: str, to: str, at: Seconds) -> Seconds:
        cut = self._weather.partition
        if cut is None or not cut.begins <= at < cut.ends or self.group(sender) == self.group(to):
            return 0.0
        return cut.ends - at

    def group(self, node: str) -> int:
        """Returns on which side of the partition a node is; 0 without one."""
        cut = self._weather.partition
        return 0 if cut is None else int(chances(f"{self._seed}|group|{node}")[0] * cut.groups)
