"""The scratchpad of a run: what it says, and what its advice was worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from speciate.errors import StoreCorruptError
from speciate.records import Chosen, Event, Json, Noted, Ordinal, Placed, Usage
from speciate.reflection import Lift, Trials
from speciate.reports.manifest import RunFacts
from speciate.reports.tables import plain, table
from speciate.reports.words import dollars, share
from speciate.scratchpad import Pad, Recommendation, ScratchpadConfig
from speciate.store import RunHistory

MOST_ROWS = 30
"""Recommendations in the table of a report; of more the newest are shown."""

HARDLY_ANY = 8
"""Fewer candidates with or without advice say nothing about its worth."""


_NOBODY = "where no model proposes there is nobody to advise"


@dataclass(frozen=True, slots=True)
class Notebook:
    """The scratchpad of a run and what became of it.

    Attributes:
        pad: what it says and what is known of its worth.
        config: its settings.
        lengths: characters of all that it said after each update, oldest first.
        usage: tokens and money of all that was asked for it.
        errors: why updates came to nothing, each with how often.
        summaries: the newest summaries, by ordinal.
    """

    pad: Pad
    config: ScratchpadConfig
    lengths: tuple[int, ...]
    usage: Usage
    errors: dict[str, int]
    summaries: tuple[tuple[Ordinal, str], ...]


def read_notebook(
    history: RunHistory, facts: RunFacts, events: Iterable[Event] | None = None
) -> Notebook | None:
    """Reads the scratchpad of a run, or None if the run's settings want none.

    Args:
        history: the run.
        facts: its manifest.
        events: its events in order of arrival, choices, placements and notes among them; None reads them.

    Raises:
        StoreCorruptError: the manifest cannot be understood, or the history cannot be read.
    """
    try:
        config = ScratchpadConfig.model_validate(facts.config.get("scratchpad", {}))
    except ValidationError as error:
        raise StoreCorruptError(f"the settings of the scratchpad cannot be understood: {error}") from error
    if not config.enabled:
        return None
    pad, lengths, errors = Pad(config), list[int](), Counter[str]()
    summaries: tuple[tuple[Ordinal, str], ...] = ()
    for event in history.events() if events is None else events:
        match event:
            case Chosen():
                pad.chosen(event.choice)
            case Placed():
                pad.placed(event, None)
            case Noted():
                before = pad.updates
                pad.noted(event)
                lengths += [pad.characters] if pad.updates > before else []
                errors.update([f"{event.kind}: {event.error}"] if event.error else [])
                summaries = event.lines if event.kind == "summaries" and event.lines else summaries
            case _:
                pass
    return Notebook(pad, config, tuple(lengths), history.aside.usage, dict(errors), summaries)


def notebook_json(notebook: Notebook) -> dict[str, Json]:
    """Returns the whole scratchpad as one JSON object."""
    pad = notebook.pad
    return {
        "insights": list(pad.insights),
        "recommendations": [_recommendation_json(one) for one in pad.everything()],
        "updates": pad.updates,
        "failed_updates": pad.failures,
        "errors": dict(notebook.errors),
        "characters": pad.characters,
        "lengths": list(notebook.lengths),
        "contradictions": pad.contradictions,
        "surplus": pad.surplus,
        "advised": trials_json(pad.advised),
        "without": trials_json(pad.control),
        "lift": lift_json(pad.lift),
        "calls": notebook.usage.calls,
        "cost_usd": notebook.usage.cost,
        "summaries": {str(ordinal): text for ordinal, text in notebook.summaries},
    }


def notebook_lines(notebook: Notebook) -> list[str]:
    """Returns the scratchpad as a person reads it on a terminal."""
    pad = notebook.pad
    if not pad.updates:
        return [f"Scratchpad: no update yet; {_NOBODY}"]
    lines = [f"Scratchpad after {pad.updates} updates{_failed_words(notebook)}", f"worth      {worth(pad)}"]
    lines.append(f"cost       {dollars(notebook.usage.cost)} in {notebook.usage.calls} model calls")
    lines.append(f"length     {_length_words(notebook)}")
    lines += [f"  not noted {number} times, {error}" for error, number in notebook.errors.items()]
    lines += ["", "Insights", *(f"  - {text}" for text in pad.insights or ("none yet",))]
    lines += ["", "Recommendations"]
    for one in pad.everything():
        lines += [f"  {one.number} ({one.standing}) {one.text}", f"      {_children_words(one)}"]
    return lines if pad.everything() else [*lines, "  none yet"]


def scratchpad_section(notebook: Notebook) -> str:
    """Returns the section of a report, in Markdown."""
    pad = notebook.pad
    if not pad.updates:
        return f"No update yet; {_NOBODY}."
    parts = [
        f"{pad.updates} updates{_failed_words(notebook)}; {dollars(notebook.usage.cost)} in "
        f"{notebook.usage.calls} model calls. Length: {_length_words(notebook)}.",
        f"**What it was worth:** {worth(pad)}.",
    ]
    if pad.insights:
        parts.append("\n".join(f"- {plain(text, most=500)}" for text in pad.insights))
    rows = [_row(one) for one in pad.everything()[-MOST_ROWS:]]
    if rows:
        head = ("no. ", "recommendation", "standing", "children ", "improved ", "without ", "lift (95 %)")
        parts.append(table(head, rows))
        parts.append(
            "*Improved*: better than both its parent and the initial program. *Without*: candidates of the "
            "same time that were drawn to go without advice. Intervals are not corrected for their number."
        )
    return "\n\n".join(parts)


def worth(pad: Pad) -> str:
    """Returns in words what the scratchpad as a whole makes better, and what cannot be said."""
    lift = pad.lift
    if lift is None or min(pad.advised.ended, pad.control.ended) < HARDLY_ANY:
        counted = f"{pad.advised.ended} with advice, {pad.control.ended} drawn to go without"
        return f"too few candidates to say ({counted})"
    shown = "" if lift.low > 0 or lift.high < 0 else "; no difference is shown"
    return (
        f"{trials_words(pad.advised)} improved with advice, {trials_words(pad.control)} without: "
        f"lift {lift_words(lift)}, above 0 with probability {lift.chance:.2f}{shown}"
    )


def _failed_words(notebook: Notebook) -> str:
    failed = notebook.pad.failures
    return f", {failed} of which came to nothing or stopped half-way" if failed else ""


def _length_words(notebook: Notebook) -> str:
    pad, longest = notebook.pad, max(notebook.lengths, default=0)
    more = f"{pad.contradictions} contradictions" if pad.contradictions != 1 else "1 contradiction"
    return (
        f"{pad.characters} characters (longest {longest}), {more}, "
        f"{pad.surplus} recommendations without a place"
    )


def _children_words(one: Recommendation) -> str:
    lift = one.lift
    said = "" if lift is None else f"; lift {lift_words(lift)}, above 0 with probability {lift.chance:.2f}"
    return (
        f"{trials_words(one.trials)} of its children improved, "
        f"{trials_words(one.control)} without advice{said}"
    )


def _row(one: Recommendation) -> Sequence[str]:
    lift = one.lift
    return (
        str(one.number),
        plain(one.text, most=200),
        one.standing,
        str(one.trials.ended),
        share(one.trials.improved, one.trials.ended),
        share(one.control.improved, one.control.ended),
        "–" if lift is None else lift_words(lift),
    )


def trials_words(trials: Trials) -> str:
    """Returns how many improved, of how many."""
    return f"{trials.improved} of {trials.ended} ({share(trials.improved, trials.ended)})"


def lift_words(lift: Lift) -> str:
    """Returns a lift in per cent with its interval."""
    return f"{100 * lift.difference:+.0f} % ({100 * lift.low:+.0f} to {100 * lift.high:+.0f})"


def _recommendation_json(one: Recommendation) -> dict[str, Json]:
    return {
        "number": one.number,
        "text": one.text,
        "standing": one.standing,
        "born": one.born,
        "children": [[ordinal, gain] for ordinal, gain in one.children],
        "trials": trials_json(one.trials),
        "without": trials_json(one.control),
        "lift": lift_json(one.lift),
    }


def trials_json(trials: Trials) -> dict[str, Json]:
    """Returns trials as JSON."""
    return {"ended": trials.ended, "improved": trials.improved}


def lift_json(lift: Lift | None) -> dict[str, Json] | None:
    """Returns a lift as JSON, null where nothing can be compared."""
    if lift is None:
        return None
    return {"difference": lift.difference, "low": lift.low, "high": lift.high, "chance": lift.chance}
