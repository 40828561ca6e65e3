"""Nodes that come and go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from speciate.ensembles.simulation.spread import chances
from speciate.errors import ConfigError
from speciate.records import Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Churn:
    """Who comes and goes, as shares of all nodes, each drawn by itself.

    Attributes:
        late: begin in the first half of the time. They catch up with what was published before.
        away: are gone once for up to half of the time, and go on where they were: what a node that is killed
            and started again does, which finds all in its store.
        dies: stop for good at some time. What they have published stays; their archives are lost.
    """

    late: float = 0.0
    away: float = 0.0
    dies: float = 0.0

    def __post_init__(self) -> None:
        """Raises ConfigError for shares outside of 0 to 1."""
        for name, share in (("late", self.late), ("away", self.away), ("dies", self.dies)):
            if not 0 <= share <= 1:
                raise ConfigError(f"churn {name} is a share from 0 to 1, not {share:g}")


@dataclass(frozen=True, slots=True)
class Life:
    """When one node is there, in seconds of the time of all.

    Attributes:
        begins: its first moment.
        leaves: when it goes away.
        returns: when it is back; `leaves` for one that never is away.
        dies: its end, or None.
    """

    begins: Seconds = 0.0
    leaves: Seconds = 0.0
    returns: Seconds = 0.0
    dies: Seconds | None = None

    def when(self, own: Seconds) -> Seconds | None:
        """Returns the time of all at which the node has lived so long, or None if it dies before."""
        time = self.begins + own
        if time > self.leaves:
            time += self.returns - self.leaves
        return None if self.dies is not None and time > self.dies else time


class Lives:
    """The nodes' clocks; see `speciate.ensembles.transport.Clocks`.

    Args:
        churn: who comes and goes.
        names: the nodes.
        seed: names the chances.
        span: how long the ensemble lives, within which all this happens.
    """

    def __init__(self, churn: Churn, names: Sequence[str], *, seed: int, span: Seconds) -> None:
        self._lives = {name: _drawn(churn, f"{seed}|churn|{name}", span) for name in names}

    def begins(self, node: str) -> Seconds:
        """See `speciate.ensembles.transport.Clocks.begins`."""
        return self._lives[node].begins

    def when(self, node: str, own: Seconds) -> Seconds | None:
        """See `speciate.ensembles.transport.Clocks.when`."""
        return self._lives[node].when(own)

    def of(self, node: str) -> Life:
        """Returns when a node is there."""
        return self._lives[node]


def _drawn(churn: Churn, name: str, span: Seconds) -> Life:
    late, begins, away, leaves, absence, dies, dead, _ = chances(name)
    start = begins * span / 2 if late < churn.late else 0.0
    gone = start + leaves * span
    back = gone + absence * span / 2 if away < churn.away else gone
    return Life(start, gone, back, dead * span if dies < churn.dies else None)
