"""What the screens cost beyond themselves: an attempt that is stopped is mostly made again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from speciate.novelty import JUDGE
from speciate.records import Event, Ordinal, RejectedEvent, Replied, Seconds, Usage, aside, queried
from speciate.store import DUPLICATES

_SCREENS: Mapping[str, str] = {
    **dict.fromkeys(DUPLICATES, "fingerprint"),
    "similar": "embedding",
    "not_novel": "judge",
    "undecided": "judge",
}
"""Which screen stops with which reason; what no judge was asked about was stopped by the embedding."""


@dataclass(frozen=True, slots=True)
class TriedAgain:
    """Attempts that were made because a screen had stopped the one before.

    Attributes:
        screen: the screen.
        stopped: attempts that it stopped.
        closed: those of them that were their candidate's last.
        usage: model calls of the attempts that came next, whatever became of these.
        seconds: wall time of these calls, added up.
    """

    screen: str
    stopped: int = 0
    closed: int = 0
    usage: Usage = field(default_factory=Usage)
    seconds: Seconds = 0.0


def tried_again(events: Iterable[Event]) -> Sequence[TriedAgain]:
    """Returns what followed from the attempts that each screen stopped, without screens that stopped none.

    Args:
        events: a run's events in order of arrival, replies and rejections among them.
    """
    found: dict[str, _Count] = {}
    following: dict[tuple[Ordinal, int], _Count] = {}
    judged: set[tuple[Ordinal, int]] = set()
    for event in events:
        match event:
            case RejectedEvent() if event.at == "screen" and event.reason in _SCREENS:
                screen = _SCREENS[event.reason]
                if screen == JUDGE and (event.ordinal, event.attempt) not in judged:
                    screen = "embedding"
                count = found.setdefault(screen, _Count())
                count.stopped += 1
                count.closed += event.final
                following[event.ordinal, event.attempt + 1] = count
            case Replied() if not (aside(event) or queried(event)):
                here = event.ordinal, event.attempt
                judged.update([here] if event.part == JUDGE else [])
                if (again := following.get(here)) is not None:
                    again.usage, again.seconds = again.usage + event.usage, again.seconds + event.seconds
            case _:
                pass
    order = list(dict.fromkeys(_SCREENS.values()))
    return [
        TriedAgain(screen, count.stopped, count.closed, count.usage, count.seconds)
        for screen, count in sorted(found.items(), key=lambda item: order.index(item[0]))
    ]


@dataclass(slots=True)
class _Count:
    stopped: int = 0
    closed: int = 0
    usage: Usage = field(default_factory=Usage)
    seconds: Seconds = 0.0
