"""Is this history true? Checks every invariant and decides again whatever can be decided again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from speciate.engine.arms import arms_of, decide_arms
from speciate.engine.candidate import decide_place, propose
from speciate.engine.choosing import decide_choice
from speciate.engine.chores import chore_of, owes_notes
from speciate.engine.epochs import decide_refill, decide_rescored, write_context
from speciate.engine.fold import begin
from speciate.engine.islands import decide_moves, decide_opening
from speciate.engine.keepers import build_keeper, build_reworder
from speciate.engine.life import Life
from speciate.engine.proposers import build_proposers
from speciate.engine.rounds import Rounds
from speciate.engine.run import Run
from speciate.engine.views import screening
from speciate.errors import SpeciateError, StoreCorruptError
from speciate.novelty import fingerprint
from speciate.records import (
    INITIAL,
    ArmsChanged,
    Asked,
    Choice,
    Chosen,
    EpochOpened,
    Evaluated,
    Event,
    IslandOpened,
    Migrated,
    Noted,
    NoveltyCheck,
    Ordinal,
    Patched,
    Placed,
    Proposal,
    Rejected,
    RejectedEvent,
    Replied,
    Reworded,
    RoundEnded,
    Started,
    key,
    text_hash,
    text_refs,
)
from speciate.store import Stored

Check = Literal[
    "order",
    "text",
    "choice",
    "proposal",
    "fingerprint",
    "novelty",
    "placement",
    "migration",
    "cache",
    "epoch",
    "round",
    "arms",
    "island",
    "advice",
    "wording",
    "population",
]


_CHECKS: Mapping[str, Check] = {"noted": "advice", "reworded": "wording"}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a history that is not as it should be.

    Attributes:
        check: which kind of check found it.
        ordinal: the candidate concerned.
        message: what is there and what should be.
    """

    check: Check
    ordinal: Ordinal
    message: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What the doctor saw.

    Attributes:
        events: how many events were read.
        redecided: how many decisions were made again and compared.
        findings: what is wrong; empty when all is well.
    """

    events: int
    redecided: int
    findings: tuple[Finding, ...]

    @property
    def healthy(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


async def examine(run: Run, rounds: Rounds | None = None) -> Diagnosis:
    """Reads a whole history beside a run built from its settings, and decides again.

    Choices, proposals (genetic ones, and the reading of recorded replies), fingerprints, placements,
    migrations and reused outcomes are decided again from the state before each event. Scores are not
    measured again, no model is asked, nothing is written; the run's state is the history's afterwards.

    Args:
        run: a run built offline from the history's own settings and not yet folded.
        rounds: decides again what rounds have decided; None leaves that unchecked.
    """
    doctor = _Doctor(run, rounds if run.config.ensemble.rounds else None)
    findings: list[Finding] = []
    ordinal = INITIAL
    begin(run)
    try:
        for stored in run.store.events():
            ordinal = stored.event.ordinal
            findings += doctor.order(stored)
            findings += doctor.texts(stored.event)
            findings += await doctor.decisions(stored.event)
            run.state.apply(stored.event)
            findings += doctor.follow(stored.event)
        findings += doctor.population(ordinal)
    except (LookupError, ValueError) as error:  # what follows would only repeat this
        findings.append(Finding("order", ordinal, f"{stored.event.step} fits nothing: {error!r}"))
    except StoreCorruptError as error:  # nothing is known of what follows
        findings.append(Finding("order", ordinal, f"after this candidate: {error}"))
    return Diagnosis(doctor.events, doctor.redecided, tuple(findings))


class _Doctor:
    def __init__(self, run: Run, rounds: Rounds | None) -> None:
        self._run = run
        self._rounds = rounds
        self.events = 0
        self.redecided = 0
        self._owed: str | None = None
        self._update: tuple[str, int] | None = None
        self._notes: Sequence[Event] = ()

    def follow(self, event: Event) -> Iterator[Finding]:
        """Takes note of what must come after this event, which is applied by now."""
        match event:
            case Placed(part=""):
                self._owe(event.ordinal, "migrated" if decide_moves(self._run, event.ordinal) else None)
            case Migrated():
                self._owe(event.ordinal, None)
            case _:
                self._owed = None
        if isinstance(event, Migrated | IslandOpened | EpochOpened):
            yield from self.population(event.ordinal)

    def population(self, ordinal: Ordinal) -> Iterator[Finding]:
        """Checks that the parts of the population agree after this candidate."""
        for fault in self._run.state.population.faults():
            yield Finding("population", ordinal, fault)

    def _owe(self, ordinal: Ordinal, first: str | None) -> None:
        opens = decide_opening(self._run, ordinal) is not None
        self._owed = first or ("island_opened" if opens else None)

    def _following(self, event: ArmsChanged) -> ArmsChanged | None:
        """Lets the run have whoever proposes after this event; returns how the arms change with them."""
        run = self._run
        config = run.config.model_copy(update={"models": event.proposers})
        run.config, run.proposers = config, build_proposers(event.proposers, run.task, config)
        run.arms = arms_of(config, run.proposers)
        run.keeper = build_keeper(run.task, config, run.proposers, run.gateway)
        run.reworder = build_reworder(run.task, config, run.proposers, run.gateway)
        return decide_arms(run)

    async def _noted(self, event: Noted | Reworded) -> list[Finding]:
        chore, check = chore_of(event), _CHECKS[event.step]
        agenda = chore.agenda(self._run)
        job = None if agenda is None else agenda.job
        if job is None or job.number != event.update:
            return [Finding(check, event.ordinal, f"update {event.update} of the {chore.about} was not due")]
        update = chore.about, event.update
        if self._update != update:  # all its parts are decided before the first one changes anything
            self._update, self._notes = update, (await chore.draft(self._run, job))()
        again = next((note for note in self._notes if key(note) == key(event)), None)
        return self._compare(check, event, event, again)

    def order(self, stored: Stored) -> Iterator[Finding]:
        """Checks that each event stands where only it can stand."""
        event, state = stored.event, self._run.state
        self.events += 1
        if stored.seq != self.events:
            yield Finding("order", event.ordinal, f"has number {stored.seq} where {self.events} is due")
        if self._owed is not None and event.step != self._owed:
            yield Finding("order", event.ordinal, f"{event.step} where {self._owed} is due")
        if isinstance(event, Chosen):
            if owes_notes(self._run):
                yield Finding("advice", event.ordinal, "was chosen before what was due was noted")
            if event.ordinal != state.issued:
                yield Finding("order", event.ordinal, f"was chosen when {state.issued} was due")
            if event.seen != state.closed:
                yield Finding("order", event.ordinal, f"says it saw {event.seen}, not {state.closed}")
        elif missing := self._missing(event):
            yield Finding("order", event.ordinal, f"{event.step} without {missing} before it")

    def _missing(self, event: Event) -> str | None:
        """Names the event that must stand before this one, if it does not."""
        state = self._run.state
        if life := state.open.get(event.ordinal):
            return _missing(event, life)
        measured = isinstance(event, Evaluated) and event.cached is None
        return "started" if measured and event.ordinal not in state.rescoring else None

    def texts(self, event: Event) -> Iterator[Finding]:
        """Checks that every text an event refers to is there and is what its hash says."""
        for digest in text_refs(event):
            try:
                self._run.store.text(digest)
            except StoreCorruptError as error:
                yield Finding("text", event.ordinal, str(error))

    async def decisions(self, event: Event) -> list[Finding]:
        """Decides again what led to an event."""
        run = self._run
        life = run.state.open.get(event.ordinal)
        try:
            match event:
                case Chosen() if not event.choice.planted:
                    return self._compare("choice", event, event.choice, decide_choice(run))
                case Patched() | RejectedEvent(at="propose") if life and not life.chosen.choice.planted:
                    return await self._proposal(event, life)
                case RejectedEvent(novelty=NoveltyCheck()) if life:
                    return await self._refusal(event, life)
                case Placed(part="") if life:
                    return self._compare("placement", event, event, decide_place(run, event.ordinal))
                case Placed() if event.ordinal in run.state.rescored:
                    return self._compare("placement", event, event, decide_refill(run, event.ordinal))
                case EpochOpened():
                    return self._epoch(event)
                case RoundEnded() if self._rounds:
                    return self._compare("round", event, event, self._rounds.decide_end(run))
                case Noted() | Reworded():
                    return await self._noted(event)
                case IslandOpened():
                    return self._compare("island", event, event, decide_opening(run, event.ordinal))
                case ArmsChanged():
                    return self._compare("arms", event, event, self._following(event))
                case Migrated():
                    return self._compare("migration", event, event.moves, decide_moves(run, event.ordinal))
                case Evaluated() if life and event.cached is not None:
                    return self._compare("cache", event, event.cached, self._twin(event, life.chosen.choice))
                case _:
                    return []
        except (SpeciateError, LookupError) as error:
            return [Finding("order", event.ordinal, f"{event.step} cannot be decided again: {error}")]

    def _epoch(self, event: EpochOpened) -> list[Finding]:
        if self._rounds is None:
            again = () if event.kept else decide_rescored(self._run)
            return self._compare("epoch", event, event.rescored, again)
        text, _ = write_context(self._rounds.decide_company(self._run))
        found = self._compare("epoch", event, event.context.text, text_hash(text))
        homes = self._rounds.decide_homes(self._run)
        recorded = None if event.kept and not event.rescored else event.rescored
        return found + self._compare("epoch", event, recorded, homes)

    def _compare(self, check: Check, event: Event, recorded: object, again: object) -> list[Finding]:
        self.redecided += 1
        if recorded == again:
            return []
        return [Finding(check, event.ordinal, f"recorded {recorded}, decided again {again}")]

    async def _proposal(self, event: Patched | RejectedEvent, life: Life) -> list[Finding]:
        tried = tuple(_rejections(life.events))
        run, choice = self._run, life.chosen.choice
        made = await propose(run, choice, tried)
        if isinstance(event, Patched):
            again = made.program.manifest if isinstance(made, Proposal) else made
            found = self._compare("proposal", event, event.program, again)
            if isinstance(made, Proposal):
                mark = fingerprint(made.program, run.task.spec.language, run.task.canonical)
                found += self._compare("fingerprint", event, event.fingerprint, mark)
                found += await self._novelty(event, choice, made)
            return found
        reason = made.reason if isinstance(made, Rejected) else "a proposal"
        return self._compare("proposal", event, event.reason, reason)

    async def _refusal(self, event: RejectedEvent, life: Life) -> list[Finding]:
        """Decides again why a program was turned away that was much like another."""
        tried = tuple(_rejections(life.events))
        run, choice = self._run, life.chosen.choice
        made = await propose(run, choice, tried)
        if isinstance(made, Proposal):
            return await self._novelty(event, choice, made)
        return self._compare("novelty", event, event.reason, made.reason)

    async def _novelty(self, event: Patched | RejectedEvent, choice: Choice, made: Proposal) -> list[Finding]:
        """Compares a program with earlier ones again, where it is known which ones there were.

        In the order of arrival it is not: more may have come while a judge was thinking.
        """
        run = self._run
        if not run.config.novelty.embeds or run.in_arrival_order:
            return []
        again = await run.novelty.check(screening(run, choice, made))
        found = self._compare("novelty", event, _timeless(event.novelty), _timeless(again.check))
        if isinstance(event, RejectedEvent) == again.novel:
            found += self._compare("novelty", event, event.step, again)
        return found

    def _twin(self, event: Evaluated, choice: Choice) -> Ordinal | None:
        return self._run.state.twin(event.ordinal, event.attempt, before=self._run.horizon(choice))


def _timeless(check: NoveltyCheck | None) -> NoveltyCheck | None:
    return None if check is None else replace(check, seconds=0.0)


def _missing(event: Event, life: Life) -> str | None:
    """Names the event that must stand before this one in a life, if it does not."""
    needed: tuple[int, str, str] | None = None
    match event:
        case Replied():
            needed = (event.attempt, "asked", event.part)
        case Started():
            needed = (event.attempt, "patched", "")
        case Evaluated() if event.cached is None:
            needed = (event.attempt, "started", event.part)
        case Asked() | RejectedEvent() | Patched() if event.attempt > 0:
            needed = (event.attempt - 1, "rejected", "")
        case Placed() if not life.ended:
            return "an end"
        case _:
            pass
    return None if needed is None or needed in life.events else needed[1]


def _rejections(events: Mapping[tuple[int, str, str], Event]) -> Iterator[Rejected]:
    for attempt in range(len(events)):
        event = events.get((attempt, "rejected", ""))
        if not isinstance(event, RejectedEvent):
            return
        yield Rejected(event.at, event.reason, event.message, attempt, event.final)
