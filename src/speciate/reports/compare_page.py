"""Several runs side by side in words, tables, JSON and a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from speciate.errors import MissingExtraError, RunFolderError
from speciate.records import Json, Objective
from speciate.reports.bands import Series, draw_bands
from speciate.reports.compare import SHARES, Comparison
from speciate.reports.markup import Table, as_markdown
from speciate.reports.settings_apart import words
from speciate.reports.tables import plain
from speciate.reports.words import dollars, exact, number
from speciate.statistics import Interval, Pair

ALPHA = 0.05
"""Level at which a difference counts as shown."""

PICTURE = "compare.png"
PAGE = "compare.md"


def comparison_page(comparison: Comparison, *, picture: str | None = None) -> str:
    """Returns the comparison in Markdown.

    Args:
        comparison: the data.
        picture: name of the picture beside the page, or None without one.
    """
    task = comparison.runs[0].facts.spec.name
    parts = [
        f"# {plain(task)}: {len(comparison.runs)} runs compared",
        "\n>\n".join(f"> {plain(remark, most=500)}" for remark in comparison.remarks),
        "" if picture is None else f"![The best score so far of each run]({picture})",
        as_markdown(runs_table(comparison)),
        _part(settings_table(comparison)),
        _part(pairs_table(comparison.pairs, comparison.objective)),
        not_shown(comparison.pairs),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def runs_table(comparison: Comparison) -> Table:
    """Returns one row a run: scores at the equal budget and what was spent."""
    budget = f"{number(comparison.budget)} {comparison.unit}"
    shares = tuple(f"{share:.0%} " for share in SHARES)
    rows = []
    for place, run in enumerate(comparison.runs):
        at = [_score(comparison.at(place, share)) for share in SHARES]
        counts = run.summary.counts
        spent = (str(counts.proposed), str(counts.evaluations), dollars(run.summary.cost))
        rows.append((run.name, str(run.facts.seed), *at, _score(comparison.final(place)), *spent))
    return Table(
        f"Best {comparison.objective.name} at shares of the equal budget of {budget}, and at each run's end.",
        ("run", "seed ", *shares, "end ", "candidates ", "evaluations ", "cost "),
        tuple(rows),
    )


def settings_table(comparison: Comparison) -> Table | None:
    """Returns the settings that differ, one row a setting; None if there are none."""
    if not comparison.differences:
        return None
    return Table(
        "Settings that differ.",
        ("setting", *(run.name for run in comparison.runs)),
        tuple((one.key, *(words(value) for value in one.values)) for one in comparison.differences),
    )


def pairs_table(
    pairs: Sequence[Pair], objective: Objective, caption: str = "", *, alpha: float = ALPHA
) -> Table | None:
    """Returns one row a pair of groups, in the user's own direction; None without pairs.

    Args:
        pairs: the comparisons.
        objective: the measure they are of.
        caption: another caption, or empty for the usual one.
        alpha: level at which a difference counts as shown.
    """
    if not pairs:
        return None
    rows = []
    for pair in pairs:
        superiority = f"{pair.superiority:.2f}"
        p = (number(pair.p, digits=3), number(pair.adjusted, digits=3))
        winner = pair.winner(alpha) or "not shown"
        rows.append((pair.first, pair.second, _difference(pair, objective), superiority, *p, winner))
    return Table(
        caption
        or "Pairs of settings: difference of medians with its 95 % interval, chance A that a run of the "
        "first beats one of the second (Vargha and Delaney), Mann-Whitney p and p after Holm's correction.",
        ("first", "second", "difference ", "A ", "p ", "Holm ", "better"),
        tuple(rows),
    )


def not_shown(pairs: Sequence[Pair]) -> str:
    """Returns a sentence on the pairs without a winner, or nothing if there are none."""
    open_ = [f"{pair.first} and {pair.second}" for pair in pairs if pair.winner(ALPHA) is None]
    if not open_:
        return ""
    pairs_named = "; between ".join(open_)
    return f"Not shown: a difference between {pairs_named}. That is no evidence that they are equal."


def comparison_json(comparison: Comparison) -> dict[str, Json]:
    """Returns the comparison as one JSON object; scores are in the user's own direction."""
    return {
        "task": comparison.runs[0].facts.spec.name,
        "objective": comparison.objective.name,
        "direction": comparison.objective.direction,
        "budget": {"unit": comparison.unit, "amount": comparison.budget},
        "runs": [
            {
                "run_dir": run.name,
                "seed": run.facts.seed,
                "status": run.summary.status,
                "score": comparison.final(place),
                "score_at_budget": {f"{share:g}": comparison.at(place, share) for share in SHARES},
                "candidates": run.summary.counts.proposed,
                "evaluations": run.summary.counts.evaluations,
                "cost_usd": run.summary.cost,
                "seconds": run.summary.seconds,
            }
            for place, run in enumerate(comparison.runs)
        ],
        "differences": {one.key: list(one.values) for one in comparison.differences},
        "groups": [{"name": group.name, "runs": list(group.runs)} for group in comparison.groups],
        "comparisons": [pair_json(pair, comparison.objective) for pair in comparison.pairs],
        "remarks": [*comparison.remarks, *filter(None, [not_shown(comparison.pairs)])],
    }


def pair_json(pair: Pair, objective: Objective, *, alpha: float = ALPHA) -> dict[str, Json]:
    """Returns a comparison of two groups as JSON, in the user's own direction."""
    low, middle, high = outward_interval(pair.difference, objective)
    return {
        "first": pair.first,
        "second": pair.second,
        "runs": list(pair.sizes),
        "difference": middle,
        "low": low,
        "high": high,
        "superiority": pair.superiority,
        "p": pair.p,
        "p_holm": pair.adjusted,
        "better": pair.winner(alpha),
    }


def outward_interval(
    found: Interval | None, objective: Objective
) -> tuple[float | None, float | None, float | None]:
    """Returns low, estimate and high in the user's own direction; None thrice without an interval."""
    if found is None:
        return None, None, None
    low, high = sorted((objective.outward(found.low), objective.outward(found.high)))
    return low + 0.0, objective.outward(found.estimate) + 0.0, high + 0.0  # 0.0 turns −0 into 0


def draw_comparison(comparison: Comparison, path: Path) -> None:
    """Draws all runs in one picture; runs of equal settings as one line with a band.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OSError: the file cannot be written.
    """
    draw_bands(
        comparison.grid,
        comparison_series(comparison),
        objective=comparison.objective,
        spent=f"{comparison.unit} spent",
        title=f"{comparison.runs[0].facts.spec.name}: best so far",
        path=path,
    )


def comparison_series(comparison: Comparison) -> list[Series]:
    """Returns one line a group; with three runs or more it is the median, and the quartiles make a band."""
    found = []
    outward = np.vectorize(comparison.objective.outward, otypes=[float])
    for group in comparison.groups:
        curves = outward(comparison.curves[list(group.runs)])
        if len(curves) < 3:
            found += [
                Series(comparison.runs[place].name, curve)
                for place, curve in zip(group.runs, curves, strict=True)
            ]
        else:
            low, middle, high = np.quantile(curves, [0.25, 0.5, 0.75], axis=0)
            found.append(Series(f"{group.name} ({len(curves)} runs)", middle, low, high))
    return found


def write_comparison(comparison: Comparison, out: Path) -> tuple[list[Path], str | None]:
    """Writes the page and its picture.

    Returns:
        The files, the page first, and why there is no picture or None.

    Raises:
        RunFolderError: it cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        missing = None
        try:
            draw_comparison(comparison, out / PICTURE)
        except MissingExtraError as error:
            missing = str(error)
        page = comparison_page(comparison, picture=None if missing else PICTURE)
        (out / PAGE).write_text(page, encoding="utf-8")
    except OSError as error:
        raise RunFolderError(f"cannot write to {out}: {error.strerror or error}") from error
    return [out / PAGE, *([] if missing else [out / PICTURE])], missing


def _difference(pair: Pair, objective: Objective) -> str:
    low, middle, high = outward_interval(pair.difference, objective)
    if middle is None or low is None or high is None:
        return "–"
    return f"{middle:+.4g} [{low:+.4g}, {high:+.4g}]"


def _score(value: float | None) -> str:
    return "–" if value is None else exact(value)


def _part(table: Table | None) -> str:
    return "" if table is None else as_markdown(table)
