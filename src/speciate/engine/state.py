"""What a history amounts to: a fold over its events that never decides anything."""

from __future__ import annotations

from collections.abc import Callable

from speciate.archives import Population, apply_moves
from speciate.bandits import ArmKind, Bandit, arm_name
from speciate.engine.company import Company
from speciate.engine.life import Life
from speciate.engine.peers import Peers
from speciate.evaluators import OutcomeCache
from speciate.novelty import EMBED, EMBED_PARENT, NoveltyMemory
from speciate.records import (
    INITIAL,
    RECEIVED,
    SEEDED,
    ArmsChanged,
    Aside,
    Asked,
    Chosen,
    Context,
    Drained,
    EpochOpened,
    Evaluated,
    Event,
    FailureKind,
    IslandOpened,
    Joined,
    Member,
    Migrated,
    Noted,
    Ordinal,
    Outcome,
    Patched,
    Placed,
    Published,
    Received,
    RejectedEvent,
    Replied,
    Reworded,
    RoundEnded,
    Score,
    Seconds,
    Started,
    TextHash,
    aside,
)
from speciate.reflection import Agenda
from speciate.scratchpad import Pad
from speciate.selection import Occupants, OccupantsView
from speciate.wordings import Wordings

UNREPEATABLE = (FailureKind.WALL_LIMIT, FailureKind.SCORE)
"""Failures that a busy machine can cause: they say nothing about an equal program."""


class State:
    """Archives, credit and memory as of the last event applied. Totals for people are folded by `store`.

    Attributes:
        issued: the next ordinal; how many have been chosen so far.
        closed: how many ordinals have been placed, the initial program included.
        proposed: how many of those issued were not planted.
        evaluations: runs of candidates as the cap counts them: repeats too, re-scoring not.
        champions: the champion of each round that has ended, or None where there was none.
        begun: candidates proposed in the present round.
        pace: seconds that the model calls of each candidate of the present round took, by ordinal.
        last_pace: the same of the round that ended last.
        peers: what came of the exchange of champions.
        seeded: islands whose own initial program is planted.
        stale: candidates placed since the last new best of this epoch, or since an island opened in it.
        initial: the initial program in this epoch, or with its older score where archives are kept; None
            without a score.
        rearmed: how often the arms of the bandit have changed.
        open: candidates that are not closed yet.
        uncertain: requests without a reply.

    Args:
        context: the context of epoch 0.
        population: the empty archives of epoch 0.
        load_context: reads a context by the hash of its text.
        bandit: learns which arm pays.
        arms: what its arms stand for.
        novelty: remembers what has been proposed.
        cache: remembers what has been evaluated.
        pad: the scratchpad, or None for a run without one.
        wordings: the wordings of the system prompt, or None where they do not evolve.
        proposers: who proposes.
    """

    def __init__(
        self,
        context: Context,
        *,
        population: Population,
        load_context: Callable[[TextHash], Context],
        bandit: Bandit,
        arms: ArmKind = "proposers",
        novelty: NoveltyMemory,
        cache: OutcomeCache,
        pad: Pad | None = None,
        wordings: Wordings | None = None,
        proposers: tuple[str, ...] = (),
    ) -> None:
        self.population = population
        self._load_context = load_context
        self.bandit = bandit
        self._arms = arms
        self.novelty = novelty
        self.cache = cache
        self.pad = pad
        self.wordings = wordings
        self.proposers = proposers
        self._asides: dict[tuple[Aside, Ordinal], dict[tuple[int, str, str], Event]] = {}
        self.issued = 0
        self.closed = 0
        self.proposed = 0
        self.evaluations = 0
        self.champions: list[Ordinal | None] = []
        self.begun = 0
        self.pace: dict[Ordinal, Seconds] = {}
        self.last_pace: dict[Ordinal, Seconds] = {}
        self.peers = Peers()
        self.rearmed = 0
        self.seeded: set[int] = set()
        self.open: dict[Ordinal, Life] = {}
        self.uncertain: list[Asked] = []
        self.epoch = 0
        self._older: dict[Ordinal, Company] = {}
        self.to_rescore: list[tuple[int, Ordinal]] = []
        self._meet(context)
        self._empty()

    def _enter_epoch(self, event: EpochOpened) -> None:
        if event.kept:
            self._date_scores()
        self.epoch = event.epoch
        self._meet(self._load_context(event.context.text))
        if not event.kept:
            self._empty()
        self.stale = 0
        self.to_rescore = list(event.rescored)

    def _meet(self, context: Context) -> None:
        self.context = context
        self.context_hash = context.hash

    def _date_scores(self) -> None:
        """Notes of what company the scores are that stay; nobody else can be a parent from now on."""
        staying = [*self.population.occupants(), self.initial, self.population.best()]
        ordinals = {INITIAL, *(member.ordinal for member in staying if member is not None)}
        self._older = {ordinal: self.company_of(ordinal) for ordinal in sorted(ordinals)}

    def company_of(self, ordinal: Ordinal) -> Company:
        """Returns in which company a candidate has the score by which it stands.

        That is the present one, except in archives that outlived an epoch (see `EpochOpened.kept`).
        """
        return self._older.get(ordinal) or Company(self.epoch, self.context_hash)

    def _empty(self) -> None:
        self.population = self.population.emptied()
        self._view = OccupantsView(self.population)
        self.initial: Member | None = None
        self.stale = 0
        self._older = {}
        self.rescoring: set[Ordinal] = set()
        self.rescored: dict[Ordinal, Outcome] = {}

    def apply(self, event: Event) -> None:
        """Takes one event into account. Events of closed candidates are refused.

        Raises:
            KeyError: the event belongs to a candidate that was never chosen or is closed.
        """
        match event:
            case Chosen():
                self._chosen(event)
            case Placed(part=""):
                self._placed(event)
            case Placed():
                self._refilled(event)
            case Migrated():
                apply_moves(self.population, event.moves)
            case Asked() | Replied() if about := aside(event):
                self._aside(event, about)
            case Noted() | Reworded():
                self._noted(event)
            case IslandOpened():
                self._opened(event)
            case ArmsChanged():
                self.rearmed += 1
                self.begin_with(event.proposers, event.arms, kept=event.kept, reworded=event.reworded)
            case RoundEnded():
                self.champions.append(event.champion)
                self.begun = 0
                self.last_pace, self.pace = self.pace, {}
            case Joined() | Published() | Received() | Drained():
                self.peers.apply(event)
            case EpochOpened():
                self._enter_epoch(event)
            case Evaluated() if event.ordinal not in self.open:
                self.rescored[event.ordinal] = event.outcome
            case Started() if event.ordinal not in self.open:
                self.rescoring.add(event.ordinal)
            case _:
                self._lived(event)

    def _chosen(self, event: Chosen) -> None:
        self.issued = max(self.issued, event.ordinal + 1)
        parent = event.parents[0] if event.parents else None
        advice = self.pad.text(event.advice) if self.pad else ""
        events: dict[tuple[int, str, str], Event] = {(0, event.step, ""): event}
        self.open[event.ordinal] = Life(event, self._baseline(parent), events, advice=advice)
        if self.pad:
            self.pad.chosen(event.choice)
        if self.wordings:
            self.wordings.chosen(event.choice)
        if event.choice.planted:
            self.seeded |= {event.island} if event.operator == SEEDED else set()
            self.peers.sown += event.operator == RECEIVED
            return
        self.proposed += 1
        self.begun += 1
        if parent is not None:
            self.population.note_offspring(parent)
        if self.novelty.watches:
            self.novelty.chosen(event.ordinal, self.population.columns(event.island).ordinals)
        self.bandit.pulled(arm_name(self._arms, event.proposer, event.operator), event.ordinal)

    def _baseline(self, parent: Ordinal | None) -> Score | None:
        member = None if parent is None else self.population.member(parent)
        known = [one.fitness[0] for one in (self.initial, member) if one is not None]
        return max(known, default=None)

    def _lived(self, event: Event) -> None:
        life = self.open[event.ordinal]
        life.events[event.attempt, event.step, event.part] = event
        match event:
            case Asked():
                self._spend(event)
            case Replied():
                self._spend(event)
                self._embedded(event, life)
            case RejectedEvent(final=True):
                life.rejected = True
            case Patched():
                self._patched(event, life)
            case Evaluated():
                self._evaluated(event, life)
            case _:
                pass

    def _embedded(self, event: Replied, life: Life) -> None:
        """Notes where the vector of a parent can be read that its child had to ask for."""
        if event.part == EMBED_PARENT and event.error is None and life.chosen.parents:
            self.novelty.note_vector(life.chosen.parents[0], event.text.text, told_by=event.ordinal)

    def _patched(self, event: Patched, life: Life) -> None:
        self.novelty.note(event.ordinal, life.chosen.island, event.fingerprint)
        vector = life.events.get((event.attempt, "replied", EMBED))
        if isinstance(vector, Replied) and vector.error is None:
            self.novelty.note_vector(event.ordinal, vector.text.text, told_by=event.ordinal)

    def _evaluated(self, event: Evaluated, life: Life) -> None:
        life.outcome = event.outcome
        self.evaluations += event.outcome.evaluations
        patched = life.events[event.attempt, "patched", ""]
        failure = event.outcome.failure
        again = failure is None or failure.kind not in UNREPEATABLE
        if again and event.cached is None and isinstance(patched, Patched):
            self.cache.note(event.ordinal, patched, event.part)

    def twin(self, ordinal: Ordinal, attempt: int, *, before: Ordinal) -> Ordinal | None:
        """Returns the first candidate, of those before an ordinal, that scored an equal program in this
        epoch; None if there is none."""
        patched = self.find(ordinal, attempt, "patched")
        if not isinstance(patched, Patched):
            return None
        return self.cache.find(patched, self.context_hash, before=before)

    def _placed(self, event: Placed) -> None:
        life = self.open.pop(event.ordinal)
        self.novelty.closed(event.ordinal)
        outcome = life.outcome
        if outcome is not None and outcome.result is not None:
            member = Member.of(event.ordinal, outcome.result)
            self.population.apply(member, event.placements)
            if event.ordinal == INITIAL:
                self.initial = member
        self.closed += 1
        if not life.chosen.choice.planted:
            self.pace[event.ordinal] = life.seconds
            self.stale = 0 if event.best else self.stale + 1
        self.bandit.reward(event.ordinal, event.gain, cost=life.cost)
        if self.pad:
            self.pad.placed(event, self._best())
        if self.wordings:
            self.wordings.placed(event, self._best(), life.failure)

    def _best(self) -> Ordinal | None:
        best = self.population.best()
        return None if best is None else best.ordinal

    def _aside(self, event: Asked | Replied, about: Aside) -> None:
        """Takes note of a call that no candidate made: its ordinal may be closed."""
        calls = self._asides.setdefault((about, event.ordinal), {})
        calls[event.attempt, event.step, event.part] = event
        self._spend(event)

    def _noted(self, event: Noted | Reworded) -> None:
        about: Aside = "scratchpad" if isinstance(event, Noted) else "wordings"
        agenda: Agenda | None = None
        if isinstance(event, Noted) and self.pad is not None:
            agenda = self.pad
            self.pad.noted(event)
        if isinstance(event, Reworded) and self.wordings is not None:
            agenda = self.wordings
            self.wordings.reworded(event)
        if agenda is not None and (agenda.job is None or agenda.job.ordinal != event.ordinal):
            self._asides.pop((about, event.ordinal), None)

    def _spend(self, event: Asked | Replied) -> None:
        """Keeps the list of requests without a reply."""
        if isinstance(event, Asked):
            self.uncertain.append(event)
        else:
            self.uncertain = [asked for asked in self.uncertain if _call(asked) != _call(event)]

    def find(self, ordinal: Ordinal, attempt: int, step: str, part: str = "") -> Event | None:
        """Returns an event of an open candidate, or of an update that is being made."""
        life = self.open.get(ordinal)
        found = life.events.get((attempt, step, part)) if life else None
        calls = (calls for (_, due), calls in self._asides.items() if due == ordinal)
        return found or next((call for of in calls if (call := of.get((attempt, step, part)))), None)

    def begin_with(
        self, proposers: tuple[str, ...], arms: tuple[str, ...], *, kept: bool, reworded: bool
    ) -> None:
        """Lets others propose from now on.

        Args:
            proposers: who.
            arms: what the bandit chooses among.
            kept: whether a scratchpad is kept for them.
            reworded: whether wordings of the system prompt evolve for them.
        """
        self.proposers = proposers
        self.bandit.rearm(arms)
        self.keep(kept=kept, reworded=reworded)

    def keep(self, *, kept: bool, reworded: bool) -> None:
        """Lets a scratchpad be kept and wordings evolve from now on, or no more; see `Agenda.keep`."""
        if self.pad is not None:
            self.pad.keep(kept)
        if self.wordings is not None:
            self.wordings.keep(reworded)

    def _opened(self, event: IslandOpened) -> None:
        named = [*self.population.occupants(), self.initial, self.population.best()]
        known = {member.ordinal: member for member in named if member is not None}
        self.population.open_island((known[ordinal], placement) for ordinal, placement in event.copies)
        self.stale = 0

    def _refilled(self, event: Placed) -> None:
        outcome = self.rescored[event.ordinal]
        self.to_rescore = [pair for pair in self.to_rescore if pair[1] != event.ordinal]
        if outcome.result is None:
            return
        member = Member.of(event.ordinal, outcome.result)
        self.population.apply(member, event.placements)
        if event.ordinal == INITIAL:
            self.initial = member

    @property
    def round(self) -> int:
        """The present round: how many have ended."""
        return len(self.champions)

    def occupants(self, island: int) -> Occupants:
        """Returns an island's occupants as selection sees them, best first."""
        return self._view.of(island)


def _call(event: Asked | Replied) -> tuple[Ordinal, int, str]:
    return event.ordinal, event.attempt, event.part
