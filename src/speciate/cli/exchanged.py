"""Tells which champions a node sends and receives, as it happens and in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from typing_extensions import override

from speciate.cli.output import Output
from speciate.engine import Evolution, Observer
from speciate.ensembles import NodeEvolution, NodeRecord
from speciate.records import Drained, Event, Json, Published, Received

MOST_REFUSALS = 5
"""Kinds of refusals that are told after a round at most."""


def refusals(came: Sequence[Received]) -> list[str]:
    """Returns what was refused, a line for each sender and reason, the most frequent first."""
    counted = Counter((each.node, each.refused) for each in came if each.refused is not None)
    lines = [
        f"refused from {sender}: {reason}{f' ({count} times)' if count > 1 else ''}"
        for (sender, reason), count in counted.most_common(MOST_REFUSALS)
    ]
    rest = counted.total() - sum(count for _, count in counted.most_common(MOST_REFUSALS))
    return [*lines, f"and {rest} more refused for other reasons"] if rest else lines


class Exchanged(Observer):
    """Says a line after each round, and counts over the session.

    Args:
        output: where the lines go.
    """

    def __init__(self, output: Output) -> None:
        self._output = output
        self._published = 0
        self._received = 0
        self._refused = 0
        self._unsent = 0
        self._sent_now = False
        self._came: list[Received] = []

    @override
    def on_event(self, event: Event) -> None:
        match event:
            case Published():
                self._published += 1
                self._sent_now = True
            case Received():
                self._came.append(event)
                self._received += event.refused is None
                self._refused += event.refused is not None
            case Drained():
                self._output.remark(f"Round {event.round + 1}: {self._news()}")
                for line in refusals(self._came):
                    self._output.remark(f"  {line}")
                self._came, self._sent_now = [], False
            case _:
                pass

    def _news(self) -> str:
        taken = [received for received in self._came if received.refused is None]
        names = ", ".join(f"{received.node} (round {received.round + 1})" for received in taken)
        words = ["champion handed over"] if self._sent_now else []
        words.append(f"{len(taken)} received from {names}" if taken else "none received")
        return ", ".join(words)

    def ended(self, session: NodeEvolution) -> Evolution:
        """Takes note of how the session ended, and returns what its run came to."""
        self._unsent = session.unsent
        if session.unsent:
            self._output.say(
                f"{session.unsent} champions could not be sent: the others get them when this node goes on"
            )
        return session.evolution

    def as_json(self, record: NodeRecord) -> Mapping[str, Json]:
        """Returns who the node is, and the champions of this session."""
        return {
            "node": {
                "name": record.node,
                "ensemble": record.ensemble,
                "incarnation": record.incarnation,
                "transport": record.transport,
            },
            "champions": {
                "published": self._published,
                "received": self._received,
                "rejected": self._refused,
                "unsent": self._unsent,
            },
        }
