"""The events a run's history is made of.

Each event is keyed by (ordinal, attempt, step, part); a history holds each key at most once. `part`
tells apart several events of one step: the purpose of a model call, the context of an evaluation,
the island of a placement. An event holds the *result* of whatever used chance, a model, a clock or a
peer, so that a fold over events never decides anything again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Literal, TypeAlias

from speciate.records.asides import Noted, Reworded
from speciate.records.exchange import Reply, Role, Sampling, Usage
from speciate.records.keyed import Keyed, TextRef
from speciate.records.outcome import Outcome
from speciate.records.peers import Drained, Joined, Published, Received
from speciate.records.placement import Move, Placement
from speciate.records.program import text_hash
from speciate.records.proposal import Choice, NoveltyCheck, Rejected, Step
from speciate.records.types import Json, Ordinal, Seconds, TextHash

Part: TypeAlias = str | TextRef
"""A piece of a message: short ones as they are, longer ones by reference."""


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A `Message` whose longer parts are references."""

    role: Role
    parts: tuple[Part, ...]


_choice_parts = attrgetter(*(field.name for field in fields(Choice)))  # in order; asked for at every step


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen(Keyed):
    """Step 1. The ordinal is issued; see `Choice` for the fields."""

    step: Literal["chosen"] = "chosen"
    epoch: int = 0
    seen: int = 0
    island: int = 0
    operator: str = ""
    proposer: str = ""
    parents: tuple[Ordinal, ...] = ()
    inspirations: tuple[Ordinal, ...] = ()
    advice: int | None = None
    phrasing: str = "default"
    wording: int | None = None

    @property
    def choice(self) -> Choice:
        """The choice as the value the steps hand on."""
        return Choice(*_choice_parts(self))

    @classmethod
    def of(cls, choice: Choice) -> Chosen:
        """The event that records `choice`."""
        return cls(**{f.name: getattr(choice, f.name) for f in fields(choice)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Keyed):
    """A request is about to be sent. Written before it is; without a `Replied` it is uncertain spend.

    Attributes:
        part: the purpose of the call (``"propose"``, ``"judge"`` ...).
        model: the model's spec, as the user wrote it.
        messages: what is sent, long texts by reference.
        sampling: the settings asked for.
        request: hash of the request, the key of recordings.
        reserved: worst-case dollars set aside for it, or None when the price is unknown.
    """

    step: Literal["asked"] = "asked"
    model: str
    messages: tuple[StoredMessage, ...]
    sampling: Sampling
    request: str
    reserved: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Replied(Keyed):
    """A reply arrived (or the last try failed). Written before it is parsed; see `Reply`."""

    step: Literal["replied"] = "replied"
    text: TextRef
    model: str
    usage: Usage
    finish: str = "stop"
    sent: Mapping[str, Json] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()
    retries: int = 0
    seconds: Seconds = 0.0
    error: str | None = None

    @classmethod
    def of(cls, asked: Asked, reply: Reply) -> Replied:
        """The event that records the reply to `asked`; the text goes to the store beside it."""
        return cls(
            ordinal=asked.ordinal,
            attempt=asked.attempt,
            part=asked.part,
            text=TextRef(text_hash(reply.text)),
            model=reply.model,
            usage=reply.usage,
            finish=reply.finish,
            sent=reply.sent,
            dropped=reply.dropped,
            retries=reply.retries,
            seconds=reply.seconds,
            error=reply.error,
        )

    def reply(self, text: str) -> Reply:
        """The reply as the value callers get; `text` is what the reference stands for."""
        return Reply(
            text=text,
            model=self.model,
            usage=self.usage,
            finish=self.finish,
            sent=self.sent,
            dropped=self.dropped,
            retries=self.retries,
            seconds=self.seconds,
            error=self.error,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Patched(Keyed):
    """A new program exists: the end of steps 2 and 3.

    Attributes:
        program: pairs of (file name, content hash).
        summary: one line from the proposer.
        fingerprint: what novelty remembers it by, or an empty string.
        traits: inherited numbers (see `Entry`).
        novelty: how it compared with earlier programs, or None if it was not compared.
    """

    step: Literal["patched"] = "patched"
    program: tuple[tuple[str, TextHash], ...]
    fingerprint: str = ""
    summary: str = ""
    traits: Mapping[str, float] = field(default_factory=dict)
    novelty: NoveltyCheck | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedEvent(Keyed):
    """An attempt ended before evaluation; after a `final` one only `Placed` follows. See `Rejected`."""

    step: Literal["rejected"] = "rejected"
    at: Step
    reason: str
    message: str
    final: bool = False
    novelty: NoveltyCheck | None = None

    @property
    def rejected(self) -> Rejected:
        """The rejection as the value the steps hand on."""
        return Rejected(self.at, self.reason, self.message, self.attempt, self.final, self.novelty)

    @classmethod
    def of(cls, ordinal: Ordinal, rejected: Rejected) -> RejectedEvent:
        """The event that records `rejected`."""
        return cls(
            ordinal=ordinal,
            attempt=rejected.attempt,
            at=rejected.step,
            reason=rejected.reason,
            message=rejected.message,
            final=rejected.final,
            novelty=rejected.novelty,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Started(Keyed):
    """An evaluation begins. `part` is the context's hash."""

    step: Literal["started"] = "started"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated(Keyed):
    """An evaluation ended. `part` is the context's hash.

    Attributes:
        outcome: how it ended.
        epoch: the epoch it was scored in.
        cached: ordinal whose outcome was reused, or None.
    """

    step: Literal["evaluated"] = "evaluated"
    outcome: Outcome
    epoch: int = 0
    cached: Ordinal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed(Keyed):
    """The ordinal is closed, in its turn: its outcome has been offered to the archives.

    Every ordinal ends in exactly one `Placed` of the epoch it was chosen in; one that was rejected or
    failed has no placements. `part` is empty then; when an occupant is scored again in a later epoch,
    `part` is that epoch's number.

    Attributes:
        epoch: the epoch whose archives it entered.
        placements: pairs of (island, placement).
        best: whether it is the best so far on the first objective, of the epoch or, where archives are kept,
            of all whose scores still stand.
        gain: how far its first objective lies above the better of parent and initial program, as they stood
            when it was chosen (in archives that were kept, perhaps by scores of earlier epochs); None if it
            has no score or there was nothing to compare it with.
        twin: an occupant of its island that behaved the same in every case, or None.
    """

    step: Literal["placed"] = "placed"
    epoch: int = 0
    placements: tuple[tuple[int, Placement], ...] = ()
    best: bool = False
    gain: float | None = None
    twin: Ordinal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Migrated(Keyed):
    """Migration took place right after `ordinal` was placed."""

    step: Literal["migrated"] = "migrated"
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class IslandOpened(Keyed):
    """One more island was opened right after `ordinal` was placed. `part` is its number.

    Attributes:
        island: its number.
        copies: who lives there too from now on, with how its archive took them. Copies are no candidates:
            they have no ordinal of their own and are counted nowhere.
    """

    step: Literal["island_opened"] = "island_opened"
    island: int
    copies: tuple[tuple[Ordinal, Placement], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmsChanged(Keyed):
    """A run was resumed with other proposers, after `ordinal` was issued. `part` counts such changes from 1.

    Attributes:
        proposers: who proposes from now on.
        arms: what the bandit chooses among from now on.
        kept: whether a scratchpad is kept for them.
        reworded: whether wordings of the system prompt are evolved for them.
    """

    step: Literal["arms_changed"] = "arms_changed"
    proposers: tuple[str, ...]
    arms: tuple[str, ...]
    kept: bool = False
    reworded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochOpened(Keyed):
    """A new epoch began right after `ordinal` was placed. `part` is the epoch's number.

    Attributes:
        epoch: the new epoch.
        context: reference to the stored context (canonical JSON).
        rescored: pairs of (island, ordinal) to score again, in the order in which they refill the archives.
        kept: whether the archives go on as they are: nobody is scored again, and each occupant's score stays
            that of the epoch in which it was scored. Otherwise they begin empty.
    """

    step: Literal["epoch_opened"] = "epoch_opened"
    epoch: int
    context: TextRef
    rescored: tuple[tuple[int, Ordinal], ...] = ()
    kept: bool = False


RoundReason: TypeAlias = Literal["iterations", "skip"]
"""Why a round ended: all its candidates are placed, or its best was good enough to skip the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded(Keyed):
    """A round ended right after `ordinal` was issued and all candidates were placed. `part` is its number.

    Attributes:
        round: its number, from 0.
        epoch: the epoch in which its candidates were scored.
        champion: the best candidate of the archives, or None if nothing in them is valid.
        fitness: the champion's first objective as it stood in the archives, higher is better; None without
            a champion.
        generality: share of held-out opponents that the champion beats or ties one to one; None for tasks
            that hold out none, and without a champion.
        reason: why it ended.
        scored_in: the earlier epoch of which `fitness` is, where archives kept the champion with its old
            score; None for `epoch` itself.
    """

    step: Literal["round_ended"] = "round_ended"
    round: int
    epoch: int
    champion: Ordinal | None
    fitness: float | None
    reason: RoundReason
    generality: float | None = None
    scored_in: int | None = None


Event: TypeAlias = (
    Chosen
    | Asked
    | Replied
    | Patched
    | RejectedEvent
    | Started
    | Evaluated
    | Placed
    | Migrated
    | IslandOpened
    | Noted
    | Reworded
    | ArmsChanged
    | RoundEnded
    | EpochOpened
    | Joined
    | Published
    | Received
    | Drained
)
