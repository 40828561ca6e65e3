"""The sections of a report, each a pure function from a run to Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from speciate.records import Json, Objective, Scalar
from speciate.reports.convergence import convergence, milestones
from speciate.reports.costs import Work, by_operator, by_proposer, timing
from speciate.reports.failures import FailureRow, RejectionRow, failures, rejections
from speciate.reports.lineage import PathStep, operators_along, path_to
from speciate.reports.manifest import RunFacts
from speciate.reports.remarks import remarks
from speciate.reports.prompts import asking_section, read_asking
from speciate.reports.scratchpad import read_notebook, scratchpad_section
from speciate.reports.screens import screens_section
from speciate.reports.staleness import staleness
from speciate.reports.summary import Summary
from speciate.reports.tables import plain, table
from speciate.reports.words import dollars, duration, exact, gain, number, share
from speciate.store import RunHistory, Session

MOST_STEPS = 30
"""Rows of the table of ancestors; of a longer path the steps that gained most are shown."""

MOST_METRICS = 12
"""Metrics of the best that are shown."""

_ALT = {
    "curve.png": "Scores of all candidates and the best so far",
    "pareto.png": "The first two objectives of all valid candidates, and which are not dominated",
    "lineage.png": "The tree of valid candidates and the path to the best",
    "archive_map.png": "The best score in each cell of the archive",
}


@dataclass(frozen=True, slots=True)
class Report:
    """What a report is written from.

    Attributes:
        history: the run.
        facts: its manifest.
        summary: its summary.
    """

    history: RunHistory
    facts: RunFacts
    summary: Summary

    @property
    def objective(self) -> Objective:
        """The first objective."""
        return self.facts.objective


def render(report: Report, *, pictures: Sequence[str], missing: str | None) -> str:
    """Returns the whole page.

    Args:
        report: the run.
        pictures: names of the pictures beside the page.
        missing: why there are no pictures, or None when all that could be drawn were.
    """
    shown = {name: f"![{_ALT[name]}]({name})" for name in pictures}
    notes = [*remarks(report.history, report.facts, report.summary)]
    if missing is not None:
        notes.append(f"**No pictures:** {plain(missing, most=200)}.")
    asking = read_asking(report.history, report.facts)
    sections = [
        f"# {plain(report.facts.spec.name)}: report of a run",
        "\n>\n".join(f"> {note}" for note in notes),
        _section("Result", result(report)),
        _section("How the score came up", shown.get("curve.png", ""), progress(report)),
        _section("Between the objectives", shown["pareto.png"]) if "pareto.png" in shown else "",
        _section("How the best came about", shown.get("lineage.png", ""), ancestry(report)),
        _section("Archive", shown.get("archive_map.png", ""), archive(report)),
        _section("Who proposed", proposers(report)),
        _section("What was screened", screens_section(report.history.screens, report.summary.counts.valid)),
        _section("Prompts", asked) if (asked := asking_section(asking)) else "",
        _section("Scratchpad", noted) if (noted := notes_kept(report)) else "",
        _section("What failed", failed(report)),
        _section("Time", time_spent(report)),
        _section("Settings", settings(report)),
        _section("Versions", versions(report)),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def result(report: Report) -> str:
    """What ran and what it came to."""
    summary, objective = report.summary, report.objective
    better = "higher" if objective.direction == "maximize" else "lower"
    seed = report.history.candidates.get(0)
    first = None if seed is None else seed.score_in(report.history.epoch)
    rows = [
        ("objective", f"{plain(objective.name)}, {better} is better"),
        ("initial program", number(None if first is None else objective.outward(first))),
        ("best", "nothing valid yet" if summary.best is None else _best_words(report)),
        *_further_objectives(report),
        ("status", summary.status + (f" ({plain(summary.stop_reason)})" if summary.stop_reason else "")),
        ("candidates", _candidate_words(summary)),
        ("cost", f"{dollars(summary.cost)} in {summary.counts.usage.calls} model calls"),
        ("time", duration(summary.seconds)),
        ("seed", str(summary.seed)),
    ]
    return table(("", report.facts.spec.name), rows)


def progress(report: Report) -> str:
    """When shares of the gain were reached."""
    curve = convergence(report.history, report.objective)
    reached = milestones(curve, report.objective)
    if not reached:
        return "Nothing became better than the initial program."
    last = {m.ordinal: m for m in reached}  # one leap may take several of the shares
    rows = [
        (f"{100 * m.share:.0f} %", number(m.score), str(m.closed), str(m.valid), str(m.ordinal))
        for m in last.values()
    ]
    changes = int((curve.improved & (curve.ordinals != 0)).sum())
    return (
        f"The best changed {changes} time{'s' * (changes != 1)} after the initial program. "
        "Shares of the whole gain were reached as follows.\n\n"
        + table(
            ("share of the gain ", "best score ", "candidates closed ", "valid ones ", "by candidate "), rows
        )
    )


def ancestry(report: Report) -> str:
    """The line of parents that led to the best, and what its operators did."""
    if report.summary.best is None:
        return "There is no best yet."
    path = path_to(report.history, report.summary.best.ordinal, report.objective)
    if len(path) == 1:
        return "The initial program is still the best."
    shown = notable(path)
    left_out = len(path) - len(shown)
    models = any(step.model for step in shown)
    head = (
        "step ",
        "candidate ",
        "other parents",
        "operator",
        "model" if models else "proposer",
        "score ",
        "change ",
        "what was done",
    )
    rows = [_step_row(step, models=models) for step in shown]
    works = [(plain(name), str(done.steps), gain(done.gain)) for name, done in operators_along(path).items()]
    return "\n\n".join(
        [
            f"The best is {len(path) - 1} steps from the initial program; changes above zero are better."
            + (f" The {left_out} steps that gained least are left out." if left_out else ""),
            table(head, rows),
            table(("operator", "steps on the path ", "change together "), works),
        ]
    )


def notable(path: Sequence[PathStep], most: int = MOST_STEPS) -> Sequence[PathStep]:
    """Returns the steps to show, in their order: both ends, and those between that gained most."""
    if len(path) <= most:
        return path
    between = sorted(path[1:-1], key=lambda step: (-(step.gain or 0.0), step.generation))
    kept = {path[0].generation, path[-1].generation, *(s.generation for s in between[: most - 2])}
    return [step for step in path if step.generation in kept]


def archive(report: Report) -> str:
    """How well the archives are filled."""
    found, population = report.summary.archive, report.facts.population
    words = f"{found.size} candidates live on {population.islands} island{'s' * (population.islands != 1)} "
    words += f"(kind {population.archive.kind})."
    if found.coverage is not None:
        words += (
            f" {100 * found.coverage:.3g} % of the {report.facts.cells} cells are filled. The QD-Score is "
            f"{number(found.qd_score)} with offset {number(found.qd_offset)}."
        )
    return words


def proposers(report: Report) -> str:
    """What each proposer and each operator came to."""
    return "\n\n".join(
        [
            _work_table("proposer", by_proposer(report.history)),
            _work_table("operator", by_operator(report.history)),
        ]
    )


def notes_kept(report: Report) -> str:
    """What the scratchpad says and what it was worth, or nothing for a run without one."""
    notebook = read_notebook(report.history, report.facts)
    return "" if notebook is None else scratchpad_section(notebook)


def failed(report: Report) -> str:
    """Failed evaluations and rejected attempts, by cause."""
    tables = [_failure_table(failures(report.history)), _rejection_table(rejections(report.history))]
    return "\n\n".join(filter(None, tables)) or "Nothing failed and nothing was turned away."


def time_spent(report: Report) -> str:
    """Where the time went, and how old the knowledge of the choices was."""
    spent, lags = timing(report.history), staleness(report.history)
    rows = [
        ("wall time of all sessions", duration(spent.wall)),
        ("evaluations, added up", duration(spent.evaluations)),
        ("CPU time of evaluations", duration(spent.evaluation_cpu)),
        ("model calls, added up", duration(spent.models)),
    ]
    words = [table(("", "time "), rows)]
    if spent.busy is not None:
        words.append(f"On average {spent.busy:.2g} evaluations and model calls went on at once.")
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


def _section(title: str, *parts: str) -> str:
    return "\n\n".join([f"## {title}", *(part for part in parts if part)])


def _best_words(report: Report) -> str:
    best = report.summary.best
    assert best is not None
    words = f"**{exact(best.score)}**, candidate {best.ordinal}"
    metrics = [f"{plain(n)} = {_metric(v)}" for n, v in best.public.items() if v != best.score]
    shown = ", ".join(metrics[:MOST_METRICS]) + (", …" if len(metrics) > MOST_METRICS else "")
    return words + (f" ({shown})" if metrics else "")


def _metric(value: Scalar) -> str:
    return exact(value) if isinstance(value, float) else plain(str(value))


def _further_objectives(report: Report) -> list[tuple[str, str]]:
    best, epoch = report.history.best(), report.history.epoch
    outcome = None if best is None else best.outcome_in(epoch)
    if outcome is None or outcome.fitness is None:
        return []
    specs = report.facts.spec.objectives[1:]
    return [
        (f"its {plain(spec.name)}", number(Objective(spec.name, spec.direction).outward(score)))
        for spec, score in zip(specs, outcome.fitness[1:], strict=True)
    ]


def _candidate_words(summary: Summary) -> str:
    counts = summary.counts
    words = [
        f"{counts.proposed} proposed",
        f"{sum(counts.rejected.values())} turned away",
        f"{counts.evaluated} evaluated with the initial program",
        f"{counts.valid} of these valid",
    ]
    words += [f"{counts.cached} taken from an equal program"] if counts.cached else []
    words += [f"{counts.rescored} runs to score again"] if counts.rescored else []
    words += [f"{summary.waiting} waiting for their place"] if summary.waiting else []
    return ", ".join(words)


def _step_row(step: PathStep, *, models: bool) -> Sequence[str]:
    others = ", ".join(map(str, step.parents[1:])) or "–"
    maker = step.model or step.proposer if models else step.proposer
    return (
        str(step.generation),
        str(step.ordinal),
        others,
        plain(step.operator),
        plain(maker),
        number(step.score),
        gain(step.gain),
        plain(step.summary),
    )


def _work_table(name: str, works: Mapping[str, Work]) -> str:
    head = (
        name,
        "candidates ",
        "turned away ",
        "failed ",
        "valid ",
        "new best ",
        "calls ",
        "cost ",
        "model time ",
        "evaluation time ",
    )
    rows = [
        (
            plain(key),
            str(w.assigned),
            share(w.rejected, w.finished),
            share(w.failed, w.finished),
            share(w.valid, w.finished),
            str(w.improved),
            str(w.usage.calls),
            dollars(w.cost),
            duration(w.model_seconds),
            duration(w.evaluation_seconds),
        )
        for key, w in works.items()
    ]
    return table(head, rows) if rows else ""


def _failure_table(found: Sequence[FailureRow]) -> str:
    head = ("failure", "operator", "proposer", "candidates ", "time ", "first one ", "it said")
    rows = [
        (
            r.kind.value,
            plain(r.operator),
            plain(r.proposer),
            str(r.count),
            duration(r.seconds),
            str(r.example),
            plain(r.message),
        )
        for r in found
    ]
    return table(head, rows) if rows else ""


def _rejection_table(found: Sequence[RejectionRow]) -> str:
    head = ("turned away at", "reason", "attempts ", "candidates closed ", "first one ", "it said")
    rows = [
        (r.step, plain(r.reason), str(r.attempts), str(r.final), str(r.example), plain(r.message))
        for r in found
    ]
    return table(head, rows) if rows else ""


def _software(session: Session) -> str:
    facts = session.facts
    packages = facts.get("packages")
    others = [f"{name} {version}" for name, version in packages.items()] if isinstance(packages, dict) else []
    main = [f"{name} {facts[name]}" for name in ("speciate", "python", "platform") if name in facts]
    return plain(", ".join([*main, *others]), most=300)
