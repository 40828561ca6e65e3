"""What each screen of novelty stopped, and what it took: calls, dollars and seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from speciate.records import Dollars, Json, Seconds, Usage
from speciate.reports.tables import table
from speciate.reports.words import dollars, duration, share
from speciate.store import CallCounts, ScreenCounts

_EMBED = ("embed", "embed_parent")
_JUDGE = ("judge",)


@dataclass(frozen=True, slots=True)
class Gate:
    """What one screen did.

    Attributes:
        name: the screen.
        looked_at: attempts (for behaviour, candidates) that came to it.
        stopped: those that it turned away.
        undecided: those of which it could not say anything; policy decided.
        calls: model calls made for it.
        failed_calls: those of them that brought nothing but an error.
        cost: dollars of these calls, or None when a price is unknown.
        seconds: wall time of these calls and of its own work, or None where that is not measured.
    """

    name: str
    looked_at: int
    stopped: int
    undecided: int = 0
    calls: int = 0
    failed_calls: int = 0
    cost: Dollars | None = 0.0
    seconds: Seconds | None = None

    @property
    def stopped_share(self) -> float | None:
        """Share that was turned away, or None if nothing came."""
        return self.stopped / self.looked_at if self.looked_at else None


def gates(counts: ScreenCounts, valid: int) -> Sequence[Gate]:
    """Returns the screens that had something to do, in the order in which programs come to them.

    Args:
        counts: what happened.
        valid: candidates with a score, among which behaviours are compared.
    """
    duplicates = sum(counts.duplicates.values())
    refused = sum(counts.refused.values())
    embedded, judged = _calls(counts, _EMBED), _calls(counts, _JUDGE)
    by_judge = counts.verdicts.get("not_novel", 0) + counts.verdicts.get("novel", 0)
    alone = counts.refused.get("similar", 0)
    undecided = counts.verdicts.get("undecided", 0)
    asked_judge = judged.usage.calls > 0 or by_judge > 0
    rows = [
        Gate("fingerprint", counts.passed + duplicates + refused, duplicates),
        Gate(
            "embedding",
            counts.compared,
            alone if asked_judge else refused,
            0 if asked_judge else undecided,
            *_spent(embedded),
            seconds=embedded.seconds + counts.seconds,
        ),
        Gate(
            "judge",
            by_judge + undecided if asked_judge else 0,
            refused - alone,
            undecided,
            *_spent(judged),
            seconds=judged.seconds,
        ),
        Gate("behaviour", valid if counts.twins else 0, counts.twins_dropped),
    ]
    return [gate for gate in rows if gate.looked_at]


def _calls(counts: ScreenCounts, purposes: Sequence[str]) -> CallCounts:
    made = [counts.calls[purpose] for purpose in purposes if purpose in counts.calls]
    return CallCounts(
        sum((calls.usage for calls in made), Usage()),
        sum(calls.seconds for calls in made),
        sum(calls.failed for calls in made),
    )


def _spent(calls: CallCounts) -> tuple[int, int, Dollars | None]:
    return calls.usage.calls, calls.failed, calls.usage.cost


def screens_json(counts: ScreenCounts) -> dict[str, Json]:
    """Returns the counts as the command line prints them."""
    embedded, judged = _calls(counts, _EMBED), _calls(counts, _JUDGE)
    return {
        "duplicates": sum(counts.duplicates.values()),
        "compared": counts.compared,
        "suspicious": counts.suspicious,
        "verdicts": {str(verdict): number for verdict, number in sorted(counts.verdicts.items())},
        "refused": {str(verdict): number for verdict, number in sorted(counts.refused.items())},
        "audited": counts.audited,
        "seconds": counts.seconds,
        "embedding": _calls_json(embedded),
        "judge": _calls_json(judged),
        "behavioural_duplicates": counts.twins,
        "behavioural_duplicates_dropped": counts.twins_dropped,
    }


def _calls_json(calls: CallCounts) -> dict[str, Json]:
    return {
        "calls": calls.usage.calls,
        "failed": calls.failed,
        "cost_usd": calls.usage.cost,
        "seconds": calls.seconds,
    }


def screens_section(counts: ScreenCounts, valid: int) -> str:
    """Returns what was screened, in Markdown; empty if nothing came to any screen."""
    rows = [_row(gate) for gate in gates(counts, valid)]
    if not rows:
        return ""
    head = ("screen", "looked at ", "stopped ", "share ", "undecided ", "calls ", "failed ", "cost ", "took ")
    return "\n\n".join([table(head, rows), *_remarks(counts)])


def _row(gate: Gate) -> tuple[str, ...]:
    return (
        gate.name,
        str(gate.looked_at),
        str(gate.stopped),
        share(gate.stopped, gate.looked_at),
        str(gate.undecided),
        str(gate.calls),
        str(gate.failed_calls),
        dollars(gate.cost),
        "–" if gate.seconds is None else duration(gate.seconds),
    )


def _remarks(counts: ScreenCounts) -> list[str]:
    said: list[str] = []
    if counts.compared:
        said.append(f"Above the threshold: {counts.suspicious} of {counts.compared} programs compared.")
    if counts.audited:
        said.append(f"Let through although they were to be stopped, to learn from them: {counts.audited}.")
    if counts.twins:
        said.append(f"Behaved like an occupant of their island in every case: {counts.twins}.")
    return said


def screens_words(counts: ScreenCounts) -> Mapping[str, str]:
    """Returns a line for each screen that stopped or doubted something, by its name, for terminals."""
    lines: dict[str, str] = {}
    if counts.compared:
        lines["compared"] = (
            f"{counts.compared} programs, {counts.suspicious} suspicious, "
            f"{sum(counts.refused.values())} refused"
        )
    judged = _calls(counts, _JUDGE)
    if judged.usage.calls:
        novel, not_novel = counts.verdicts.get("novel", 0), counts.verdicts.get("not_novel", 0)
        lines["judge"] = (
            f"{judged.usage.calls} calls, {dollars(judged.usage.cost)}: {novel} novel, {not_novel} not, "
            f"{counts.verdicts.get('undecided', 0)} undecided"
        )
    if counts.twins:
        lines["same behaviour"] = f"{counts.twins} candidates did what an occupant does in every case"
    return lines
