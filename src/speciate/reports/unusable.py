"""Replies that no program could be read from: how many, what they cost, and how many in a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import ValidationError

from speciate.errors import StoreCorruptError
from speciate.mutation import AttemptsConfig
from speciate.novelty import EMBED, EMBED_PARENT, JUDGE
from speciate.records import Event, Ordinal, Patched, RejectedEvent, Replied, Seconds, Usage, aside, queried
from speciate.reports.manifest import RunFacts
from speciate.store import RunHistory

_NO_PROPOSALS = frozenset({JUDGE, EMBED, EMBED_PARENT})
"""Purposes of a candidate's calls that ask for no program."""


@dataclass(frozen=True, slots=True)
class Streak:
    """Unusable replies of one proposer in a row, in the order in which their attempts ended.

    Attributes:
        replies: how many.
        first: the candidate of the first of them.
        last: the candidate of the last of them.
        usage: their tokens and cost.
        seconds: their wall time, added up.
    """

    replies: int
    first: Ordinal
    last: Ordinal
    usage: Usage
    seconds: Seconds


@dataclass(frozen=True, slots=True)
class ReplyRow:
    """What became of one proposer's replies.

    Attributes:
        proposer: who replied.
        replies: replies to the question for a program whose attempt has ended.
        unusable: those from which none could be read, errors of the provider included.
        reasons: these by reason, most frequent first.
        usage: tokens and cost of the unusable ones.
        seconds: their wall time, added up.
        longest: most of them in a row, or None without any.
    """

    proposer: str
    replies: int
    unusable: int
    reasons: Mapping[str, int]
    usage: Usage
    seconds: Seconds
    longest: Streak | None


def unusable_replies(history: RunHistory, events: Iterable[Event]) -> Sequence[ReplyRow]:
    """Returns what became of each proposer's replies, in the order of their first one.

    Args:
        history: the run.
        events: its events in order of arrival, replies and verdicts on programs among them.
    """
    asked: dict[tuple[Ordinal, int], tuple[Usage, Seconds]] = {}
    counts: dict[str, _Count] = {}
    for event in events:
        here = event.ordinal, event.attempt
        match event:
            case Replied() if not (aside(event) or queried(event) or event.part in _NO_PROPOSALS):
                usage, seconds = asked.get(here, (Usage(), 0.0))
                asked[here] = usage + event.usage, seconds + event.seconds
            case RejectedEvent() | Patched() if here in asked:
                proposer = history.candidates[event.ordinal].choice.proposer
                reason = event.reason if isinstance(event, RejectedEvent) and event.at == "propose" else None
                counts.setdefault(proposer, _Count()).add(event.ordinal, reason, *asked.pop(here))
            case _:
                pass
    return [count.row(proposer) for proposer, count in counts.items()]


def most_replies(facts: RunFacts) -> int:
    """Returns the most replies that one candidate may take.

    Raises:
        StoreCorruptError: the run's settings cannot be understood.
    """
    try:
        attempts = AttemptsConfig.model_validate(facts.config.get("attempts", {}))
    except ValidationError as error:
        raise StoreCorruptError(f"the settings of attempts cannot be understood: {error}") from error
    return attempts.patch * attempts.resamples


@dataclass(slots=True)
class _Count:
    """A proposer's replies so far."""

    replies: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    usage: Usage = field(default_factory=Usage)
    seconds: Seconds = 0.0
    running: Streak | None = None
    longest: Streak | None = None

    def add(self, ordinal: Ordinal, reason: str | None, usage: Usage, seconds: Seconds) -> None:
        """Counts one reply; without a reason it was usable."""
        self.replies += 1
        if reason is None:
            self.running = None
            return
        self.reasons[reason] += 1
        self.usage, self.seconds = self.usage + usage, self.seconds + seconds
        before = self.running or Streak(0, ordinal, ordinal, Usage(), 0.0)
        self.running = Streak(
            before.replies + 1, before.first, ordinal, before.usage + usage, before.seconds + seconds
        )
        if self.longest is None or self.running.replies > self.longest.replies:
            self.longest = self.running

    def row(self, proposer: str) -> ReplyRow:
        reasons = dict(self.reasons.most_common())
        bad = sum(reasons.values())
        return ReplyRow(proposer, self.replies, bad, reasons, self.usage, self.seconds, self.longest)
