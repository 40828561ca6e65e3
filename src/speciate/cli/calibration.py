"""What `novelty` shows. Heavy: imported as the command runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from speciate.cli.output import Output, columns
from speciate.errors import UsageError
from speciate.novelty import (
    THRESHOLDS,
    Comparison,
    Rate,
    Reliability,
    ThresholdRow,
    compare_again,
    recorded_comparisons,
    reliability,
    tapes_of,
    threshold_for,
    threshold_rows,
)
from speciate.records import Json
from speciate.reports import number, read_facts
from speciate.store import open_reader

SHARES = (0.01, 0.05, 0.10, 0.20)
"""Shares of suspicious programs for which thresholds are named."""


def calibrate_runs(
    runs: Sequence[Path], thresholds: Sequence[float] | None, *, recorded: bool, output: Output
) -> None:
    """Shows what thresholds would have found suspicious.

    Raises:
        UsageError: there is nothing to compare, or a threshold is no cosine.
        StoreError: a history cannot be read.
    """
    if thresholds and not all(-1 <= threshold <= 1 for threshold in thresholds):
        raise UsageError("a threshold is a cosine: from -1 to 1")
    found = [comparison for run in runs for comparison in _comparisons(run, recorded=recorded)]
    if not found:
        raise UsageError(
            "these runs compared nothing: leave --recorded out"
            if recorded
            else "these runs have no programs that could be compared with earlier ones"
        )
    rows = threshold_rows(found, thresholds or THRESHOLDS)
    judge = reliability(tapes_of(found))
    output.say(*_table(rows), "", *_proposers(found), "", *_named(found))
    if judge.verdicts:
        output.say("", *_judge_words(judge))
    output.result(_as_json(found, rows, judge))


def _comparisons(run: Path, *, recorded: bool) -> list[Comparison]:
    with closing(open_reader(run)) as reader:
        return recorded_comparisons(reader) if recorded else compare_again(reader, read_facts(reader).spec)


def _table(rows: Sequence[ThresholdRow]) -> list[str]:
    lines: list[Sequence[str]] = [
        ("threshold", "suspicious", "share", "same behaviour", "better than parent")
    ]
    for row in rows:
        lines.append(
            (
                f"{row.threshold:g}",
                f"{row.suspicious} of {row.compared}",
                f"{row.share:.1%}",
                f"{row.same} of {row.judged}" if row.judged else "unknown",
                f"{row.better} of {row.all_better}",
            )
        )
    return columns(lines)


def _by_proposer(found: Sequence[Comparison]) -> Mapping[str, list[Comparison]]:
    groups: defaultdict[str, list[Comparison]] = defaultdict(list)
    for comparison in found:
        groups[comparison.proposer].append(comparison)
    return groups


def _proposers(found: Sequence[Comparison]) -> list[str]:
    lines: list[Sequence[str]] = [("proposer", "programs", "half of them are above")]
    for name, group in _by_proposer(found).items():
        lines.append((name, str(len(group)), number(threshold_for(group, 0.5))))
    return columns(lines)


def _named(found: Sequence[Comparison]) -> list[str]:
    named = [(f"{share:.0%} suspicious", number(threshold_for(found, share))) for share in SHARES]
    return columns([("for at most", "threshold"), *named])


def _judge_words(judge: Reliability) -> list[str]:
    return columns(
        [
            ("judge", "share", "95 % interval", "of"),
            *(
                (
                    name,
                    "unknown" if rate.share is None else f"{rate.share:.0%}",
                    _interval(rate),
                    str(rate.total),
                )
                for name, rate in _rates(judge).items()
            ),
        ]
    )


def _rates(judge: Reliability) -> Mapping[str, Rate]:
    return {
        "undecided": judge.undecided,
        "agrees with behaviour": judge.agreement,
        "novel, but the same": judge.false_accept,
        "not novel, but different": judge.false_reject,
    }


def _interval(rate: Rate) -> str:
    low, high = rate.interval
    return f"{low:.0%} to {high:.0%}"


def _as_json(
    found: Sequence[Comparison], rows: Sequence[ThresholdRow], judge: Reliability
) -> dict[str, Json]:
    rates: dict[str, Json] = {
        name: {"share": rate.share, "low": rate.interval[0], "high": rate.interval[1], "of": rate.total}
        for name, rate in (
            ("undecided", judge.undecided),
            ("agreement", judge.agreement),
            ("false_accept", judge.false_accept),
            ("false_reject", judge.false_reject),
        )
    }
    return {
        "compared": len(found),
        "thresholds": [
            {
                "threshold": row.threshold,
                "suspicious": row.suspicious,
                "share": row.share,
                "same_behaviour": row.same,
                "behaviour_known": row.judged,
                "better": row.better,
                "all_better": row.all_better,
            }
            for row in rows
        ],
        "threshold_for": {str(share): threshold_for(found, share) for share in SHARES},
        "proposers": {
            name: {"programs": len(group), "median": threshold_for(group, 0.5)}
            for name, group in _by_proposer(found).items()
        },
        "judge": {"verdicts": judge.verdicts, **rates} if judge.verdicts else None,
    }
