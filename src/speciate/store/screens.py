"""What the screens of novelty did in a run: a fold of the checks, refusals and calls in its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from speciate.records import (
    Event,
    NoveltyCheck,
    NoveltyVerdict,
    Patched,
    Placed,
    RejectedEvent,
    Replied,
    Seconds,
    Usage,
)

DUPLICATES = frozenset({"duplicate", "no_change"})
"""Reasons of a refusal by the fingerprint."""


@dataclass(frozen=True, slots=True)
class CallCounts:
    """Model calls of one purpose.

    Attributes:
        usage: their tokens and cost; cost None if a price is unknown.
        seconds: their wall time, added up.
        failed: how many brought nothing but an error.
    """

    usage: Usage = field(default_factory=Usage)
    seconds: Seconds = 0.0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class ScreenCounts:
    """What the screens did. Attempts are counted, not candidates.

    Attributes:
        passed: programs of proposers that passed all screens.
        duplicates: programs that an earlier one already was, by reason.
        verdicts: what came of programs that were compared by their vectors.
        refused: those of them that were turned away.
        audited: those that were to be turned away and were let through to learn from them.
        seconds: time of embedding and search on this machine.
        calls: model calls by purpose.
        twins: candidates that behaved like an occupant of their island.
        twins_dropped: those of them that no archive kept.
    """

    passed: int = 0
    duplicates: Mapping[str, int] = field(default_factory=dict)
    verdicts: Mapping[NoveltyVerdict, int] = field(default_factory=dict)
    refused: Mapping[NoveltyVerdict, int] = field(default_factory=dict)
    audited: int = 0
    seconds: Seconds = 0.0
    calls: Mapping[str, CallCounts] = field(default_factory=dict)
    twins: int = 0
    twins_dropped: int = 0

    @property
    def compared(self) -> int:
        """Programs that were compared by their vectors, those included that had none."""
        return sum(self.verdicts.values())

    @property
    def suspicious(self) -> int:
        """Programs above the threshold, and those that had no vector."""
        return self.compared - self.verdicts.get("apart", 0)


class Screens:
    """The fold behind `ScreenCounts`."""

    def __init__(self) -> None:
        self._passed = 0
        self._duplicates: Counter[str] = Counter()
        self._verdicts: Counter[NoveltyVerdict] = Counter()
        self._refused: Counter[NoveltyVerdict] = Counter()
        self._audited = 0
        self._seconds = 0.0
        self._calls: dict[str, CallCounts] = {}
        self._twins = 0
        self._dropped = 0

    def apply(self, event: Event, *, planted: bool) -> None:
        """Takes one event of a candidate into account; `planted` says whether nobody proposed it."""
        match event:
            case Replied():
                self._replied(event)
            case Patched() if not planted:
                self._passed += 1
                self._checked(event.novelty, refused=False)
            case RejectedEvent():
                self._duplicates.update([event.reason] if event.reason in DUPLICATES else [])
                self._checked(event.novelty, refused=True)
            case Placed() if event.twin is not None:
                self._twins += 1
                self._dropped += not any(placement.kept for _, placement in event.placements)
            case _:
                pass

    def _replied(self, event: Replied) -> None:
        known = self._calls.get(event.part, CallCounts())
        self._calls[event.part] = CallCounts(
            known.usage + event.usage, known.seconds + event.seconds, known.failed + (event.error is not None)
        )

    def _checked(self, check: NoveltyCheck | None, *, refused: bool) -> None:
        if check is None:
            return
        self._verdicts[check.verdict] += 1
        self._refused[check.verdict] += refused
        self._audited += check.audited
        self._seconds += check.seconds

    def counts(self) -> ScreenCounts:
        """Returns the totals so far."""
        return ScreenCounts(
            passed=self._passed,
            duplicates=dict(self._duplicates),
            verdicts=dict(self._verdicts),
            refused={verdict: count for verdict, count in self._refused.items() if count},
            audited=self._audited,
            seconds=self._seconds,
            calls=dict(self._calls),
            twins=self._twins,
            twins_dropped=self._dropped,
        )
