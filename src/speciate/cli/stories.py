"""Everything on one candidate: as values first, as words second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from speciate.cli.differences import difference
from speciate.records import (
    WITHOUT_ADVICE,
    Asked,
    Message,
    NoveltyCheck,
    Objective,
    Ordinal,
    Outcome,
    Patched,
    Placed,
    Program,
    Replied,
    Reply,
    aside,
    queried,
)
from speciate.reports import exact, prompt_versions, read_facts
from speciate.store import Candidate, RunHistory


@dataclass(frozen=True, slots=True)
class Portrait:
    """All that is known of a candidate.

    Attributes:
        candidate: its life, without long texts.
        objectives: the task's objectives; the first one is the score.
        outcome: its whole outcome in the epoch it was chosen in, or None.
        lineage: its line of first parents, from the initial program to itself.
        program: its source, or None if it was rejected.
        difference: unified diff to its first parent, or None without program or parent.
        novelty: how its program compared with earlier ones, or None if it was not compared.
        twin: an occupant of its island that behaved the same in every case, or None.
    """

    candidate: Candidate
    objectives: tuple[Objective, ...]
    outcome: Outcome | None
    lineage: tuple[Ordinal, ...]
    program: Program | None
    difference: str | None
    novelty: NoveltyCheck | None
    twin: Ordinal | None

    @property
    def score(self) -> float | None:
        """The first objective in the user's own direction, or None."""
        score = self.candidate.score
        return None if score is None else self.objectives[0].outward(score)

    @property
    def scores(self) -> dict[str, float] | None:
        """All objectives in the user's own direction, or None without a result."""
        if self.outcome is None or self.outcome.fitness is None:
            return None
        pairs = zip(self.objectives, self.outcome.fitness, strict=True)
        return {objective.name: objective.outward(value) for objective, value in pairs}

    def as_json(self) -> dict[str, object]:
        """Returns it as one JSON object; objectives inside the outcome are inward, higher is better."""
        candidate = self.candidate
        return {
            "ordinal": candidate.ordinal,
            "status": candidate.status,
            "score": self.score,
            "scores": self.scores,
            "choice": candidate.choice,
            "attempts": candidate.attempts,
            "rejections": candidate.rejections,
            "summary": candidate.summary,
            "traits": candidate.traits,
            "model": candidate.model,
            "usage": candidate.usage,
            "cached": candidate.cached,
            "outcome": self.outcome,
            "placements": [{"island": i, **asdict(placement)} for i, placement in candidate.placements],
            "best": candidate.best,
            "lineage": self.lineage,
            "difference": self.difference,
            "novelty": self.novelty,
            "twin": self.twin,
            "files": None if self.program is None else dict(self.program.files),
        }


@dataclass(frozen=True, slots=True)
class Exchange:
    """One question to a model and its answer, or None if it is not in the history."""

    attempt: int
    purpose: str
    model: str
    messages: Sequence[Message]
    reply: Reply | None


def portrait(history: RunHistory, candidate: Candidate) -> Portrait:
    """Gathers all that a history tells of a candidate."""
    ordinal, parents = candidate.ordinal, candidate.choice.parents
    program = None if candidate.program is None else history.program(ordinal)
    changed = None
    if program is not None and parents:
        changed = difference(history.program(parents[0]), program)
    events = [stored.event for stored in history.reader.events(ordinal=ordinal)]
    return Portrait(
        candidate=candidate,
        objectives=tuple(Objective(o.name, o.direction) for o in read_facts(history.reader).spec.objectives),
        outcome=None if candidate.outcome is None else history.outcome(ordinal),
        lineage=tuple(ancestor.ordinal for ancestor in history.lineage(ordinal)),
        program=program,
        difference=changed,
        novelty=next((event.novelty for event in events if isinstance(event, Patched)), None),
        twin=next((event.twin for event in events if isinstance(event, Placed) and event.part == ""), None),
    )


def exchanges(history: RunHistory, ordinal: Ordinal) -> list[Exchange]:
    """Returns what was asked and answered to make a candidate, oldest first."""
    events = [stored.event for stored in history.reader.events(ordinal=ordinal)]
    answered = {(event.attempt, event.part) for event in events if isinstance(event, Replied)}
    return [
        Exchange(
            event.attempt,
            event.part,
            event.model,
            history.prompt(ordinal, event.attempt, event.part),
            history.reply(ordinal, event.attempt, event.part)
            if (event.attempt, event.part) in answered
            else None,
        )
        for event in events
        if isinstance(event, Asked) and not aside(event) and not queried(event)
    ]


def prompts_of(history: RunHistory, candidate: Candidate) -> dict[str, str]:
    """Returns version and hash of the prompts that a candidate was asked with, by name, as recorded."""
    choice = candidate.choice
    operator = choice.operator if choice.phrasing == "default" else f"{choice.operator}.{choice.phrasing}"
    evolved = ("wordings.keep",) if choice.wording else ("system",)
    versions = prompt_versions(history, candidate)
    return {name: versions[name] for name in (*evolved, operator) if name in versions}


def asked_lines(candidate: Candidate, prompts: Mapping[str, str]) -> list[str]:
    """Returns in words how a candidate's model was asked.

    Args:
        candidate: the candidate.
        prompts: version and hash of the prompts, by name.
    """
    choice = candidate.choice
    words = f"operator {choice.operator}"
    words += "" if choice.phrasing == "default" else f", phrasing {choice.phrasing}"
    words += "" if choice.wording is None else f", wording {choice.wording} of the system prompt"
    if choice.advice is not None:
        words += (
            ", drawn to go without advice" if choice.advice == WITHOUT_ADVICE else f", advice {choice.advice}"
        )
    versions = ", ".join(f"{name} {version}" for name, version in prompts.items())
    return [f"asked      {words}", *([f"prompts    {versions}"] if versions else [])]


def candidate_lines(told: Portrait) -> list[str]:
    """Returns a portrait in words."""
    candidate, choice = told.candidate, told.candidate.choice
    lines = [f"Candidate {candidate.ordinal}: {candidate.status}{_score(told)}"]
    if choice.parents:
        lines += [
            f"chosen     {choice.proposer}, operator {choice.operator}, island {choice.island}, "
            f"epoch {choice.epoch}, having seen {choice.seen} candidates",
            *asked_lines(candidate, {})[: candidate.model is not None],
            f"parents    {_ordinals(choice.parents)}; inspirations {_ordinals(choice.inspirations)}",
            f"lineage    {' > '.join(str(ordinal) for ordinal in told.lineage)}",
        ]
    lines.append(f"attempts   {candidate.attempts}")
    for refused in candidate.rejections:
        message = refused.message.replace("\n", "\n    ")
        lines.append(f"  rejected at {refused.step} ({refused.reason}): {message}")
    if candidate.summary:
        lines.append(f"summary    {candidate.summary}")
    lines += _novelty_lines(told)
    lines += _outcome_lines(told)
    for island, placement in candidate.placements:
        cell = "" if placement.cell is None else f", cell {placement.cell}"
        lines.append(f"placed     island {island}: {placement.kind}{cell}")
    if told.difference is not None:
        lines += ["", "--- difference to its parent", told.difference]
    if told.program is not None:
        for name, text in told.program.files:
            lines += ["", f"--- {name}", text.rstrip("\n")]
    return lines


def _novelty_lines(told: Portrait) -> list[str]:
    lines, check = [], told.novelty
    if check is not None and check.similarity is not None:
        let = "; was to be refused and let through, to learn from it" if check.audited else ""
        lines.append(
            f"novelty    {check.verdict}: cosine {check.similarity:.4f} to candidate {check.nearest}{let}"
        )
    if told.twin is not None:
        lines.append(f"behaviour  the same as candidate {told.twin} in every case")
    return lines


def _outcome_lines(told: Portrait) -> list[str]:
    outcome = told.outcome
    if outcome is None:
        return []
    lines = [
        f"evaluated  {outcome.seconds:.3f} s, CPU {outcome.cpu_seconds:.3f} s, memory {_memory(outcome)}"
    ]
    if told.candidate.cached is not None:
        lines.append(f"           taken over from candidate {told.candidate.cached}, an equal program")
    if outcome.failure is not None:
        lines.append(f"failure    {outcome.failure.kind}: {outcome.failure.message}")
        lines += [outcome.failure.feedback] if outcome.failure.feedback else []
    if outcome.result is not None:
        metrics: dict[str, Any] = {**outcome.result.public, **outcome.result.private}
        lines += [f"  {name} = {value}" for name, value in metrics.items()]
        lines += [outcome.result.feedback] if outcome.result.feedback else []
    return lines


def exchange_lines(exchange: Exchange) -> list[str]:
    """Returns a question and its answer in words."""
    lines = [f"=== attempt {exchange.attempt}, {exchange.purpose}, {exchange.model}"]
    for message in exchange.messages:
        lines += [f"--- {message.role}", message.text.rstrip("\n")]
    reply = exchange.reply
    if reply is None:
        return [*lines, "--- no reply is recorded"]
    if reply.error is not None:
        return [*lines, f"--- no answer: {reply.error}"]
    usage = f"{reply.usage.input_tokens} tokens in, {reply.usage.output_tokens} out, {reply.seconds:.1f} s"
    return [*lines, f"--- reply of {reply.model} ({usage})", reply.text.rstrip("\n")]


def _score(told: Portrait) -> str:
    return "".join(f", {name} {exact(value)}" for name, value in (told.scores or {}).items())


def _memory(outcome: Outcome) -> str:
    return "not measured" if outcome.memory_mb is None else f"{outcome.memory_mb:.0f} MB"


def _ordinals(ordinals: Sequence[Ordinal]) -> str:
    return ", ".join(str(ordinal) for ordinal in ordinals) or "none"
