"""How models were asked: phrasings of full rewrites, wordings of the system prompt, and what came of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from speciate.errors import StoreCorruptError
from speciate.records import ORIGINAL_WORDING, Chosen, Event, Json, Placed, Replied, Reworded, Usage, aside
from speciate.reflection import Trials, improves
from speciate.reports.manifest import RunFacts
from speciate.reports.scratchpad import lift_json, lift_words, trials_json, trials_words
from speciate.reports.tables import plain, table
from speciate.reports.words import dollars, share
from speciate.store import Candidate, RunHistory
from speciate.wordings import Wording, Wordings, WordingsConfig

PHRASED = "full"
"""The operator that has phrasings."""

MOST_ROWS = 30
"""Wordings in the table of a report; of more the newest are shown."""

_UNSEEN = "(the task's own)"


@dataclass(frozen=True, slots=True)
class Phrased:
    """What came of one phrasing of full rewrites.

    Attributes:
        name: the phrasing.
        version: version and hash of its prompt, or an empty string where that was not recorded.
        trials: its candidates that have ended.
        valid: how many of these have a score.
    """

    name: str
    version: str
    trials: Trials
    valid: int


@dataclass(frozen=True, slots=True)
class Asking:
    """How the models of a run were asked.

    Attributes:
        phrasings: what came of each phrasing, in the order in which they were first drawn.
        wordings: the wordings of the system prompt, or None where they do not evolve.
        errors: why updates of the wordings came to nothing, each with how often.
        usage: tokens and money of all that was asked for them.
    """

    phrasings: Sequence[Phrased]
    wordings: Wordings | None
    errors: Mapping[str, int]
    usage: Usage


def read_asking(history: RunHistory, facts: RunFacts, events: Iterable[Event] | None = None) -> Asking:
    """Reads how the models of a run were asked.

    Args:
        history: the run.
        facts: its manifest.
        events: its events in order of arrival; None reads them.

    Raises:
        StoreCorruptError: the manifest cannot be understood, or the history cannot be read.
    """
    wordings, errors, usage = _begin(facts), Counter[str](), Usage()
    gains: dict[int, float | None] = {}
    for event in (stored.event for stored in history.reader.events()) if events is None else events:
        match event:
            case Chosen() if wordings is not None:
                wordings.chosen(event.choice)
            case Placed(part=""):
                candidate = history.candidates.get(event.ordinal)
                if candidate is None:
                    break  # another process has written it since
                gains[event.ordinal] = event.gain
                if wordings is not None:
                    wordings.placed(event, None, _failure(candidate))
            case Reworded():
                errors.update([event.error] if event.error else [])
                if wordings is not None:
                    wordings.reworded(event)
            case Replied() if aside(event) == "wordings":
                usage += event.usage
            case _:
                pass
    return Asking(_phrasings(history, gains), wordings, dict(errors), usage)


def _begin(facts: RunFacts) -> Wordings | None:
    prompts = facts.config.get("prompts")
    try:
        settings = prompts.get("evolve", {}) if isinstance(prompts, dict) else {}
        config = WordingsConfig.model_validate(settings)
    except ValidationError as error:
        raise StoreCorruptError(f"the settings of the wordings cannot be understood: {error}") from error
    return Wordings(config, _UNSEEN) if config.enabled else None


def _failure(candidate: Candidate) -> str | None:
    outcome = candidate.outcome
    if outcome is None:
        return "rejected"
    return outcome.failure.kind.value if outcome.failure else None


def _phrasings(history: RunHistory, gains: Mapping[int, float | None]) -> list[Phrased]:
    found, versions = dict[str, Phrased](), prompt_versions(history)
    for candidate in history.candidates.values():
        choice = candidate.choice
        if choice.operator != PHRASED or candidate.model is None or candidate.closed is None:
            continue
        name = choice.phrasing
        prompt = PHRASED if name == "default" else f"{PHRASED}.{name}"
        one = found.get(name) or Phrased(name, versions.get(prompt, ""), Trials(), 0)
        trials = one.trials.add(improves(gains.get(choice.ordinal)))
        found[name] = Phrased(name, one.version, trials, one.valid + (candidate.status == "valid"))
    return list(found.values())


def prompt_versions(history: RunHistory, candidate: Candidate | None = None) -> Mapping[str, str]:
    """Returns version and hash of each prompt, by name, as the run recorded them.

    Args:
        history: the run.
        candidate: those in force when it was chosen; None for those of the run's beginning.
    """
    recorded = history.reader.manifest().get("prompts")
    if candidate is not None:
        chosen = next((s.at for s in history.reader.events(ordinal=candidate.ordinal)), None)
        for session in history.reader.sessions():
            if chosen is not None and session.started <= chosen and "prompts" in session.facts:
                recorded = session.facts["prompts"]
    return {name: str(one) for name, one in recorded.items()} if isinstance(recorded, dict) else {}


def asking_json(asking: Asking) -> dict[str, Json]:
    """Returns how models were asked as one JSON object."""
    wordings = asking.wordings
    return {
        "phrasings": [
            {"name": one.name, "version": one.version, "valid": one.valid, "trials": trials_json(one.trials)}
            for one in asking.phrasings
        ],
        "wordings": None if wordings is None else [_wording_json(one) for one in wordings.all.values()],
        "updates": 0 if wordings is None else wordings.updates,
        "failed_updates": 0 if wordings is None else wordings.failures,
        "errors": dict(asking.errors),
        "calls": asking.usage.calls,
        "cost_usd": asking.usage.cost,
    }


def _wording_json(one: Wording) -> dict[str, Json]:
    return {
        "number": one.number,
        "parent": one.parent,
        "summary": one.summary,
        "text": None if one.number == ORIGINAL_WORDING else one.text,
        "standing": not one.retired,
        "born": one.born,
        "children": [[ordinal, gain] for ordinal, gain in one.children],
        "without_score": len(one.failures),
        "trials": trials_json(one.trials),
        "original": trials_json(one.control),
        "lift": lift_json(one.lift),
    }


def asking_lines(asking: Asking) -> list[str]:
    """Returns how models were asked as a person reads it on a terminal."""
    lines = ["Phrasings of full rewrites"]
    for one in asking.phrasings:
        version = f" ({one.version})" if one.version else ""
        valid = share(one.valid, one.trials.ended)
        lines.append(f"  {one.name}{version}: {trials_words(one.trials)} improved, {valid} valid")
    lines += [] if asking.phrasings else ["  none asked for yet"]
    wordings = asking.wordings
    if wordings is None:
        return [*lines, "", "Wordings of the system prompt do not evolve: --set prompts.evolve.enabled=true"]
    lines += ["", f"Wordings of the system prompt after {wordings.updates} updates{_failed_words(asking)}"]
    lines.append(f"cost       {dollars(asking.usage.cost)} in {asking.usage.calls} model calls")
    lines += [f"  came to nothing {number} times: {error}" for error, number in asking.errors.items()]
    for wording in wordings.all.values():
        head = f"  {wording.number} ({_standing(wording)}) {wording.summary}".rstrip()
        lines += ["", head, f"      {_worth(wording)}"]
        lines += [f"      | {line}".rstrip() for line in wording.text.splitlines()]
    return lines


def asking_section(asking: Asking) -> str:
    """Returns the section of a report, in Markdown; empty where there was one way of asking."""
    parts = []
    if len(asking.phrasings) > 1:
        rows = [
            (
                one.name,
                one.version,
                str(one.trials.ended),
                share(one.valid, one.trials.ended),
                share(one.trials.improved, one.trials.ended),
            )
            for one in asking.phrasings
        ]
        parts.append(table(("phrasing", "version", "candidates ", "valid ", "improved "), rows))
    if asking.wordings is not None:
        parts.append(_wordings_part(asking, asking.wordings))
    if parts:
        parts.append("*Improved*: better than both its parent and the initial program.")
    return "\n\n".join(parts)


def _wordings_part(asking: Asking, wordings: Wordings) -> str:
    rows = [_row(one) for one in list(wordings.all.values())[-MOST_ROWS:]]
    head = (
        "wording ", "made from ", "what is different", "standing", "candidates ", "without score ",
        "improved ", "original ", "lift (95 %)",
    )  # fmt: skip
    return "\n\n".join(
        [
            f"Wordings of the system prompt: {wordings.updates} updates{_failed_words(asking)}; "
            f"{dollars(asking.usage.cost)} in {asking.usage.calls} model calls.",
            table(head, rows),
            "*Original*: candidates of the same time with the task's own wording. Intervals are not "
            "corrected for the number of wordings.",
        ]
    )


def _row(one: Wording) -> Sequence[str]:
    own = one.number == ORIGINAL_WORDING
    return (
        str(one.number),
        "–" if one.parent is None else str(one.parent),
        "the task's own" if own else plain(one.summary or "–", most=200),
        _standing(one),
        str(one.trials.ended),
        share(len(one.failures), one.trials.ended),
        share(one.trials.improved, one.trials.ended),
        "–" if own else share(one.control.improved, one.control.ended),
        "–" if own or one.lift is None else lift_words(one.lift),
    )


def _worth(one: Wording) -> str:
    words = f"{trials_words(one.trials)} improved, {len(one.failures)} without a score"
    if one.number == ORIGINAL_WORDING:
        return words
    lift = "" if one.lift is None else f"; lift {lift_words(one.lift)}"
    return f"{words}; of the original's at the same time {trials_words(one.control)}{lift}"


def _standing(one: Wording) -> str:
    if one.number == ORIGINAL_WORDING:
        return "original"
    return "retired" if one.retired else f"from {one.parent}"


def _failed_words(asking: Asking) -> str:
    failed = sum(asking.errors.values())
    return f", {failed} of which came to nothing" if failed else ""
