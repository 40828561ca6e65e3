"""What is said about a run: a summary in words, and the same in JSON."""

from __future__ import annotations

import math
import shlex
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from speciate.cli.heat_map import heat_map
from speciate.cli.output import Output, columns
from speciate.cli.programs import write_best, write_champions
from speciate.cli.words import clock_time, tally_words
from speciate.records import Json, Seconds
from speciate.reports import (
    ArchiveSummary,
    Summary,
    archive_map,
    dollars,
    exact,
    number,
    read_facts,
    scored_in,
    screens_words,
    share,
    summarise,
)
from speciate.store import RunHistory, open_reader

STOP_REASONS = {
    "candidates": "the cap on candidates is reached (--candidates)",
    "evaluations": "the cap on evaluations is reached (--evaluations)",
    "seconds": "the cap on wall time is reached (--max-seconds)",
    "cost": "the cap on cost has no room for another call at its worst (--max-cost)",
    "tokens": "the cap on tokens has no room for another call at its worst (--max-tokens)",
    "calls": "the cap on model calls has no room for another call (--max-calls)",
    "rounds": "all rounds are played",
    "success": "the task's success threshold is reached",
    "interrupted": "by Ctrl-C or SIGTERM",
    "failed": "the set-up broke",
}


MOST_ROUNDS = 24
"""Rounds that a summary shows, half of them first and half last ones."""

CAPS_OF_CALLS = frozenset({"cost", "tokens", "calls"})
"""Stop reasons that refuse a call before it is made."""


def finish(
    output: Output, folder: Path, *, needed: float | None = None, also: Mapping[str, Json] | None = None
) -> None:
    """Writes the best program of a run that has just ended and tells how it went.

    Args:
        output: where the words go.
        folder: the run's folder.
        needed: the least cap that would have let the refused call be made, or None if none was refused.
        also: what goes into the JSON besides.
    """
    reader = open_reader(folder)
    try:
        history = RunHistory(reader)
        write_best(history, folder)
        champions = write_champions(history, folder)
        summary = summarise(history, folder=folder)
        cells = archive_map(history, read_facts(reader))
    finally:
        reader.close()
    words = describe(summary, engine=time.process_time(), needed=needed)
    if cells is not None:
        words += ["", *heat_map(cells)]
    if champions is not None:
        words += ["", f"Champions: {champions}"]
    output.say(*words, "", *next_commands(summary, folder, needed=needed))
    output.result({**summary.as_json(), **(also or {})})


def describe(summary: Summary, *, engine: Seconds | None = None, needed: float | None = None) -> list[str]:
    """Returns a summary in words, a line an item.

    Args:
        summary: how the run stands.
        engine: CPU time of this process, or None if it evolved nothing.
        needed: see `finish`.
    """
    lines = [f"{summary.task}, seed {summary.seed}: {_status(summary, needed)}", *_best(summary)]
    counts, archive = summary.counts, summary.archive
    failed = {kind.value: count for kind, count in counts.failed.items()}
    rejected = {str(step): count for step, count in counts.rejected.items()}
    rows = [
        ("candidates", f"{counts.proposed} proposed, {counts.valid} valid with the initial program"),
        ("rejected", tally_words(rejected)),
        *screens_words(summary.screens).items(),
        ("failed", tally_words(failed)),
        ("archive", _archive(archive)),
        ("cost", _cost(summary)),
        ("time", f"{clock_time(summary.seconds)} wall time"),
        ("", f"evaluations {counts.evaluation_seconds:.1f} s, added up over all slots"),
        ("", f"model calls {counts.model_seconds:.1f} s, added up over all in flight"),
    ]
    if engine is not None:
        rows.append(("", f"engine {engine:.1f} s of CPU in this session"))
    lines += columns(rows)
    return lines + _proposers(summary) + _rounds(summary)


def _rounds(summary: Summary) -> list[str]:
    """Returns a table of the rounds, the first and the last ones if they are many."""
    if not summary.rounds:
        return []
    rows: list[Sequence[str]] = [("round", "champion", "score in its round", "generality", "")]
    for played in summary.rounds:
        rows.append(
            (
                str(played.number + 1),
                "none" if played.champion is None else f"#{played.champion}",
                "" if played.score is None else number(played.score) + scored_in(played.scored_in),
                "" if played.generality is None else f"{played.generality:.0%}",
                "skipped the rest" if played.reason == "skip" else "",
            )
        )
    if len(rows) > MOST_ROUNDS:
        rows[MOST_ROUNDS // 2 + 1 : -MOST_ROUNDS // 2] = [("…", "", "", "", "")]
    return columns(rows)


def next_commands(summary: Summary, folder: Path, *, needed: float | None = None) -> list[str]:
    """Returns what a user may want to do next; for `needed` see `finish`."""
    run = shlex.quote(str(folder))
    rows = [(f"speciate report {run}", "curve, lineage and tables")]
    if summary.best is not None:
        rows.insert(0, (f"speciate show {run} --best", "the best program"))
    if summary.status in ("interrupted", "killed", "stopped"):
        rows.append((f"speciate resume {run}", "go on"))
    elif (cap := _twice_the_cap(summary, needed or 0)) is not None:
        rows.append((f"speciate resume {run} {cap}", "go on"))
    return ["Next:", *columns(rows)]


def _twice_the_cap(summary: Summary, needed: float) -> str | None:
    """Returns the option that raises the cap which ended the run, or None if no cap did.

    Twice what is spent, and for a refused call twice what it needed, for that counts it at its worst.
    """
    usage = summary.counts.usage
    match summary.stop_reason:
        case "candidates":
            return f"--candidates {2 * max(1, summary.counts.proposed)}"
        case "evaluations":
            return f"--evaluations {2 * max(1, summary.counts.evaluations)}"
        case "seconds":
            return f"--max-seconds {2 * math.ceil(summary.seconds)}"
        case "tokens":
            return f"--max-tokens {2 * max(1, usage.input_tokens + usage.output_tokens, int(needed))}"
        case "calls":
            return f"--max-calls {2 * max(1, usage.calls, int(needed))}"
        case "cost":
            return f"--max-cost {2 * max(0.01, summary.cost or 0.0, needed):.2f}"
        case _:
            return None


def _status(summary: Summary, needed: float | None) -> str:
    stop = summary.stop_reason
    if stop is None:
        return summary.status
    why = STOP_REASONS.get(stop, stop)
    if stop in CAPS_OF_CALLS and not summary.counts.usage.calls and not summary.uncertain.calls:
        why = why.replace("another call", "even one call")
        if needed is not None and stop != "calls":
            why += f": it may take {dollars(needed) if stop == 'cost' else f'{needed:.0f} tokens'}"
    return f"{summary.status}, {why}"


def _best(summary: Summary) -> list[str]:
    best = summary.best
    if best is None:
        return ["No valid candidate so far."]
    where = "" if best.source_path is None else f": {best.source_path}"
    return [f"Best score {exact(best.score)}{scored_in(best.scored_in)}, candidate {best.ordinal}{where}"]


def _archive(archive: ArchiveSummary) -> str:
    text = f"{archive.size} programs"
    if len(archive.islands) > 1:
        text += f" on {len(archive.islands)} islands ({', '.join(map(str, archive.islands.values()))})"
    if archive.older:
        text += f", {archive.older} of them with scores of earlier rounds"
    if archive.coverage is not None:
        text += f", coverage {archive.coverage:.1%}"
    if archive.qd_score is not None:
        text += f", QD-Score {number(archive.qd_score)} (offset {number(archive.qd_offset)})"
    return text


def _cost(summary: Summary) -> str:
    text = f"{dollars(summary.cost)} for {summary.counts.usage.calls} model calls"
    if asked := summary.counts.queries.calls:
        text += f", {asked} of them by candidates under evaluation"
    if summary.uncertain.calls:
        text += f"; {summary.uncertain.calls} more unanswered, at most {dollars(summary.uncertain.cost)}"
    return text


def _proposers(summary: Summary) -> list[str]:
    rows: list[Sequence[str]] = [("proposer", "share", "finished", "valid", "improved", "calls", "cost")]
    assigned = sum(tally.assigned for tally in summary.proposers.values())
    for name, tally in summary.proposers.items():
        counts = (str(tally.finished), str(tally.valid), str(tally.improved), str(tally.usage.calls))
        rows.append((name, share(tally.assigned, assigned), *counts, dollars(tally.usage.cost)))
    return columns(rows) if len(rows) > 1 else []
