"""How the run was run: time, settings, versions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from speciate.records import Json
from speciate.reports.report import Report
from speciate.reports.tables import plain, table
from speciate.reports.words import duration, number
from speciate.store import Session


def time_spent(report: Report) -> str:
    """Where the time went, and how old the knowledge of the choices was."""
    spent, lags = report.timing, report.staleness
    rows = [
        ("wall time of all sessions", duration(spent.wall)),
        ("evaluations, added up", duration(spent.evaluations)),
        ("CPU time of evaluations", duration(spent.evaluation_cpu)),
        ("model calls, added up", duration(spent.models)),
    ]
    words = [table(("", "time "), rows)]
    if spent.busy is not None:
        words.append(
            f"On average {number(spent.busy, digits=3)} evaluations and model calls went on at once."
        )
    if (median := lags.quantile(0.5)) is not None:
        words.append(
            f"When a candidate was chosen, {median:.0f} candidates before it were not in place yet (median; "
            f"90 % of the time at most {lags.quantile(0.9):.0f}, never more than {lags.quantile(1.0):.0f})."
        )
    return "\n\n".join(words)


def settings(report: Report) -> str:
    """The settings that differ from the defaults."""
    changed = report.facts.changed
    if changed is None:
        return "The run did not record which settings differ from the defaults."
    rows = [(f"`{name}`", plain(value)) for name, value in flat(changed)]
    words = table(("setting", "value"), rows) if rows else "All settings are the defaults."
    later = later_settings(report.history.reader.sessions())
    return "\n\n".join([words, table(("from session ", "setting", "value"), later)] if later else [words])


def later_settings(sessions: Sequence[Session]) -> list[tuple[str, str, str]]:
    """Returns what was set otherwise than in the session before: the session, the setting, its value."""
    rows = []
    for before, session in pairwise(sessions):
        old, new = (dict(flat(one.facts.get("settings"))) for one in (before, session))
        changed = (name for name in sorted(old.keys() | new.keys()) if old.get(name) != new.get(name))
        rows += [
            (str(session.number), f"`{name}`", plain(new.get(name, "the default again"))) for name in changed
        ]
    return rows


def versions(report: Report) -> str:
    """What the run ran with, session by session; a session like the one before is not told again."""
    sessions = report.history.reader.sessions()
    if not sessions:
        return f"speciate {plain(report.facts.version)}"
    rows, before = [], ""
    for session in sessions:
        words = _software(session)
        rows.append(
            (
                str(session.number),
                duration(session.seconds),
                plain(session.stop_reason or "–"),
                "the same" if words == before else words,
            )
        )
        before = words
    return table(("session ", "time ", "ended by", "software"), rows)


def flat(value: Json, prefix: str = "") -> list[tuple[str, str]]:
    """Returns nested settings as pairs of dotted name and value, in their order."""
    if isinstance(value, dict) and value:
        return [
            pair for key, inner in value.items() for pair in flat(inner, f"{prefix}.{key}" if prefix else key)
        ]
    return [(prefix, str(value))] if prefix else []


def _software(session: Session) -> str:
    facts = session.facts
    packages = facts.get("packages")
    others = [f"{name} {version}" for name, version in packages.items()] if isinstance(packages, dict) else []
    main = [f"{name} {facts[name]}" for name in ("speciate", "python", "platform") if name in facts]
    return plain(", ".join([*main, *others]), most=300)
