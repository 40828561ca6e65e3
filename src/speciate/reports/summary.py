"""A run in one page of JSON: what `run`, `resume` and `show` print."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from speciate.archives import coverage, qd_score
from speciate.records import (
    Cell,
    Dollars,
    Evaluated,
    Json,
    Member,
    Ordinal,
    RoundEnded,
    RoundReason,
    Scalar,
    Score,
    Seconds,
    text_hash,
)
from speciate.reports.manifest import RunFacts, read_facts
from speciate.reports.screens import screens_json
from speciate.reports.status import RunStatus, run_status
from speciate.store import Candidate, Counts, ProposerCounts, RunHistory, ScreenCounts


@dataclass(frozen=True, slots=True)
class BestCandidate:
    """The best candidate of the last epoch.

    Attributes:
        ordinal: its number.
        score: its first objective, in the user's own direction.
        public: its public metrics.
        source_path: its entry file under ``best/`` of the run's folder, or None when that file is not there
            or holds another program.
        context: hash of the context it was scored in.
        scored_in: the round (from 0) in whose company it was scored, where that is earlier than the last one
            because archives kept their scores; else None.
    """

    ordinal: Ordinal
    score: float
    public: Mapping[str, Scalar]
    source_path: Path | None
    context: str
    scored_in: int | None = None


@dataclass(frozen=True, slots=True)
class ArchiveSummary:
    """The archives of the last epoch, all islands together.

    Attributes:
        size: candidates that live in them, each counted once.
        coverage: share of the cells that are filled on any island, or None without cells.
        qd_score: Σ(F − offset) over the best of each filled cell, higher is better, or None without cells.
        qd_offset: the offset, in the user's own direction.
        islands: occupants of each island, by number.
        older: occupants that stand there with a score of an earlier round, and so of another company.
    """

    size: int
    coverage: float | None
    qd_score: float | None
    qd_offset: float
    islands: Mapping[int, int] = field(default_factory=dict)
    older: int = 0


@dataclass(frozen=True, slots=True)
class Uncertain:
    """Requests whose reply is not in the history: in flight, or lost with what they may have cost.

    Attributes:
        calls: how many.
        cost: their worst case in dollars, or None when a price is unknown.
    """

    calls: int = 0
    cost: Dollars | None = 0.0


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """How a round ended.

    Attributes:
        number: from 0.
        champion: ordinal of its champion, or None if nothing was valid.
        score: the champion's first objective as the round ended, in the user's own direction; scores of
            different rounds are of different company.
        generality: share of held-out opponents that the champion beats or ties one to one; None if it was not
            measured.
        reason: why it ended.
        scored_in: the earlier round (from 0) in whose company the champion was scored; None for this one.
    """

    number: int
    champion: Ordinal | None
    score: float | None
    generality: float | None
    reason: RoundReason
    scored_in: int | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """How a run stands. Scores are in the user's own direction; a cost of None is unknown, never 0.

    Attributes:
        run_dir: the run's folder, or None if it lives in memory.
        task: the task's name.
        seed: the run's seed.
        status: how it stands.
        stop_reason: why the last session ended, or None as long as it has not said so.
        best: the best candidate of the last epoch, or None if nothing valid has been placed.
        counts: the totals.
        waiting: candidates that are evaluated and not placed yet.
        archive: the archives.
        rounds: how each round ended; empty for a run without rounds.
        proposers: the totals by proposer.
        screens: what the screens of novelty did.
        uncertain: what may have been spent besides.
        cost: dollars of all model calls that were answered.
        seconds: wall time of all sessions.
    """

    run_dir: Path | None
    task: str
    seed: int
    status: RunStatus
    stop_reason: str | None
    best: BestCandidate | None
    counts: Counts
    waiting: int
    archive: ArchiveSummary
    rounds: Sequence[RoundSummary]
    proposers: Mapping[str, ProposerCounts]
    screens: ScreenCounts
    uncertain: Uncertain
    cost: Dollars | None
    seconds: Seconds

    def as_json(self) -> dict[str, Json]:
        """Returns the summary as the command line prints it; numbers JSON cannot say become null."""
        return {
            "run_dir": None if self.run_dir is None else str(self.run_dir),
            "task": self.task,
            "seed": self.seed,
            "status": self.status,
            "stop_reason": self.stop_reason,
            "best": None if self.best is None else _best_json(self.best),
            "counts": _counts_json(self.counts, self.waiting),
            "archive": {
                "size": self.archive.size,
                "coverage": self.archive.coverage,
                "qd_score": _number(self.archive.qd_score),
                "qd_offset": self.archive.qd_offset,
                "islands": {str(number): size for number, size in self.archive.islands.items()},
                "older_scores": self.archive.older,
            },
            "rounds": [asdict(played) for played in self.rounds],
            "proposers": {name: _proposer_json(tally) for name, tally in self.proposers.items()},
            "novelty": screens_json(self.screens),
            "uncertain": {"calls": self.uncertain.calls, "cost_usd": self.uncertain.cost},
            "cost_usd": self.cost,
            "seconds": self.seconds,
        }


def summarise(history: RunHistory, *, folder: Path | None = None) -> Summary:
    """Sums up a run.

    Args:
        history: the run as far as it has been read.
        folder: its folder, or None if it lives in memory.

    Raises:
        StoreError: the store cannot be read.
        StoreCorruptError: what is stored cannot be understood.
    """
    facts, sessions, counts = read_facts(history.reader), history.reader.sessions(), history.counts()
    return Summary(
        run_dir=folder,
        task=facts.spec.name,
        seed=facts.seed,
        status=run_status(sessions, folder),
        stop_reason=sessions[-1].stop_reason if sessions else None,
        best=best_candidate(history, facts, folder),
        counts=counts,
        waiting=sum(c.status == "open" and c.outcome is not None for c in history.candidates.values()),
        archive=archive_summary(history, facts),
        rounds=[_round(ended, facts) for ended in history.rounds],
        proposers=history.proposers(),
        screens=history.screens,
        uncertain=uncertain(history),
        cost=counts.usage.cost,
        seconds=math.fsum(session.seconds for session in sessions),
    )


def _round(ended: RoundEnded, facts: RunFacts) -> RoundSummary:
    score = None if ended.fitness is None else facts.objective.outward(ended.fitness)
    return RoundSummary(ended.round, ended.champion, score, ended.generality, ended.reason, ended.scored_in)


def best_candidate(history: RunHistory, facts: RunFacts, folder: Path | None) -> BestCandidate | None:
    """Returns the best candidate of the last epoch, or None if nothing valid has been placed in it."""
    best = history.best()
    if best is None:
        return None
    epoch = history.scored_in(best.ordinal)
    assert epoch is not None  # only what has a score that counts can be the best
    outcome, score = best.outcome_in(epoch), best.score_in(epoch)
    assert outcome is not None
    assert outcome.result is not None
    assert score is not None
    return BestCandidate(
        ordinal=best.ordinal,
        score=facts.objective.outward(score),
        public=outcome.result.public,
        source_path=None if folder is None else _written(best, folder),
        context=_context(history, best.ordinal, epoch),
        scored_in=earlier_round(history, best.ordinal),
    )


def earlier_round(history: RunHistory, ordinal: Ordinal) -> int | None:
    """Returns the round (from 0) of a candidate's score if it is not of the last company; else None."""
    scored = history.scored_in(ordinal)
    return None if scored == history.epoch else scored


def archive_summary(history: RunHistory, facts: RunFacts) -> ArchiveSummary:
    """Sums up the archives of the last epoch."""
    islands, offset = history.members(), facts.spec.qd_offset
    living = {ordinal for members in islands.values() for ordinal in members}
    size, older = len(living), sum(earlier_round(history, ordinal) is not None for ordinal in living)
    sizes = {number: len(members) for number, members in islands.items()}
    cells = facts.cells
    if cells is None:
        return ArchiveSummary(size, None, None, offset, sizes, older)
    best = best_by_cell(history)
    members = [Member(ordinal, (score,)) for ordinal, score in best.values()]
    total = qd_score(members, facts.objective.inward(offset))
    return ArchiveSummary(size, coverage(len(best), cells), total, offset, sizes, older)


def best_by_cell(history: RunHistory) -> Mapping[Cell, tuple[Ordinal, Score]]:
    """Returns who is the best of each filled cell over all islands, and its score (higher is better)."""
    best: dict[Cell, tuple[Ordinal, Score]] = {}
    for members in history.members().values():
        for ordinal, cell in members.items():
            score = history.score(ordinal)
            if cell is None or score is None:
                continue
            other = best.get(cell)
            if other is None or (-score, ordinal) < (-other[1], other[0]):
                best[cell] = ordinal, score
    return dict(sorted(best.items()))


def uncertain(history: RunHistory) -> Uncertain:
    """Adds up the requests without a reply."""
    reserved: Sequence[Dollars | None] = [request.reserved for request in history.unanswered]
    known = [dollars for dollars in reserved if dollars is not None]
    return Uncertain(len(reserved), math.fsum(known) if len(known) == len(reserved) else None)


def _context(history: RunHistory, ordinal: Ordinal, epoch: int) -> str:
    events = (stored.event for stored in history.reader.events(ordinal=ordinal))
    return next(e.part for e in events if isinstance(e, Evaluated) and e.epoch == epoch)


def _written(best: Candidate, folder: Path) -> Path | None:
    """Returns where the best program lies, unless the file is missing or of an earlier best."""
    if best.program is None:
        return None
    name, digest = best.program[0]
    path = folder / "best" / name
    try:
        same = text_hash(path.read_text(encoding="utf-8", errors="surrogatepass")) == digest
    except (OSError, UnicodeDecodeError):
        return None
    return path if same else None


def _best_json(best: BestCandidate) -> Json:
    return {
        "ordinal": best.ordinal,
        "score": best.score,
        "public": {name: _scalar(value) for name, value in best.public.items()},
        "source_path": None if best.source_path is None else str(best.source_path),
        "context": best.context,
        "scored_in": best.scored_in,
    }


def _counts_json(counts: Counts, waiting: int) -> Json:
    return {
        "proposed": counts.proposed,
        "rejected": {str(step): number for step, number in sorted(counts.rejected.items())},
        "evaluated": counts.evaluated,
        "valid": counts.valid,
        "failed": {kind.value: number for kind, number in sorted(counts.failed.items())},
        "cached": counts.cached,
        "rescored": counts.rescored,
        "waiting": waiting,
    }


def _proposer_json(tally: ProposerCounts) -> Json:
    return {
        "calls": tally.usage.calls,
        "assigned": tally.assigned,
        "finished": tally.finished,
        "valid": tally.valid,
        "improved": tally.improved,
        "cost_usd": tally.usage.cost,
        "seconds": tally.seconds,
    }


def _scalar(value: Scalar) -> Json:
    return _number(value) if isinstance(value, float) else value


def _number(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
