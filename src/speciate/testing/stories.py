"""Small runs told event by event, for tests of what reads histories."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from speciate.records import (
    Asked,
    Cell,
    Chosen,
    Descriptor,
    Direction,
    Dollars,
    Evaluated,
    Event,
    Failure,
    FailureKind,
    Json,
    Ordinal,
    Outcome,
    Patched,
    Placed,
    Placement,
    PlacementKind,
    RejectedEvent,
    Replied,
    Result,
    Sampling,
    Scalar,
    Score,
    Seconds,
    Started,
    Step,
    TextRef,
    Usage,
    text_hash,
)
from speciate.store import MemoryStore, RunHistory, Store
from speciate.tasks import DescriptorSpec, EvaluationKind, EvaluationSpec, ObjectiveSpec, TaskSpec

CONTEXT = "context of epoch 0"


class Story:
    """Tells a run of the task ``toy``, whose one objective is ``length``.

    Scores are given as the store keeps them: higher is better.

    Args:
        store: where the history goes; None keeps it in memory.
    """

    def __init__(self, store: Store | None = None) -> None:
        self.store = store or MemoryStore()
        self._told = 0
        self._best: Score | None = None

    @property
    def history(self) -> RunHistory:
        """The run as told so far."""
        return RunHistory(self.store)

    def begin(
        self,
        *,
        direction: Direction = "maximize",
        descriptors: Sequence[DescriptorSpec] = (),
        qd_offset: float = 0.0,
        kind: EvaluationKind = "split",
        validated: bool = True,
        config: dict[str, Json] | None = None,
    ) -> Story:
        """Writes the manifest; with descriptors, the archive is a grid. Returns the story itself."""
        spec = TaskSpec(
            name="toy",
            objectives=(ObjectiveSpec(name="length", direction=direction),),
            descriptors=tuple(descriptors),
            qd_offset=qd_offset,
            evaluation=EvaluationSpec(kind=kind),
        )
        archive: Json = {"kind": "grid" if descriptors else "elites"}
        task: Json = {
            "name": spec.name,
            "source": None,
            "spec": spec.model_dump(mode="json"),
            "forgeable": kind not in ("split", "trusted"),
            "validated": validated,
        }
        settings: Json = {"seed": 7, "population": {"archive": archive}, **(config or {})}
        self.store.begin({"speciate": "0.1.0", "task": task, "config": settings, "seed": 7})
        return self

    def write(self, *events: Event, texts: Sequence[str] = ()) -> None:
        """Appends events in one transaction."""
        asyncio.run(self.store.append(events, {text_hash(text): text for text in texts}))

    def choose(
        self,
        *,
        parents: Sequence[Ordinal] = (0,),
        proposer: str = "genetic",
        operator: str = "genetic",
        seen: int | None = None,
        epoch: int = 0,
    ) -> Ordinal:
        """Issues the next ordinal and returns it; the first one is the initial program."""
        ordinal = self._told
        self._told += 1
        initial = ordinal == 0
        self.write(
            Chosen(
                ordinal=ordinal,
                epoch=epoch,
                seen=ordinal if seen is None else seen,
                operator="initial" if initial else operator,
                proposer="initial" if initial else proposer,
                parents=() if initial else tuple(parents),
            )
        )
        return ordinal

    def asks(self, ordinal: Ordinal, *, reserved: Dollars | None = 0.5, model: str = "m") -> None:
        """A request is sent."""
        self.write(
            Asked(
                ordinal=ordinal,
                part="propose",
                model=model,
                messages=(),
                sampling=Sampling(),
                request="r",
                reserved=reserved,
            )
        )

    def replies(
        self,
        ordinal: Ordinal,
        *,
        cost: Dollars | None = 0.25,
        seconds: Seconds = 2.0,
        model: str = "m-2026",
    ) -> None:
        """The reply arrives."""
        text = "an answer"
        reply = Replied(
            ordinal=ordinal,
            part="propose",
            text=TextRef(text_hash(text)),
            model=model,
            usage=Usage(calls=1, input_tokens=100, output_tokens=10, cost=cost),
            seconds=seconds,
        )
        self.write(reply, texts=[text])

    def ends(
        self, ordinal: Ordinal, outcome: Outcome, *, summary: str = "", cached: Ordinal | None = None
    ) -> None:
        """A program is made and evaluated; it waits for its place."""
        source = f"program {ordinal}\n"
        self.write(
            Patched(ordinal=ordinal, program=(("initial.py", text_hash(source)),), summary=summary),
            Started(ordinal=ordinal, part=CONTEXT),
            Evaluated(ordinal=ordinal, part=CONTEXT, outcome=outcome, cached=cached),
            texts=[source],
        )

    def scores(
        self,
        ordinal: Ordinal,
        score: Score,
        *,
        public: dict[str, Scalar] | None = None,
        descriptor: Descriptor | None = None,
        cell: Cell | None = None,
        evicted: Sequence[Ordinal] = (),
        seconds: Seconds = 0.5,
        summary: str = "",
    ) -> Ordinal:
        """It is valid and gets a place; returns its ordinal."""
        result = Result((score,), public=public or {}, descriptor=descriptor)
        self.ends(ordinal, Outcome(result, seconds=seconds), summary=summary)
        best = self._best is None or score > self._best
        self._best = score if best else self._best
        placement = Placement(PlacementKind.NEW, cell, tuple(evicted))
        self.write(Placed(ordinal=ordinal, placements=((0, placement),), best=best))
        return ordinal

    def fails(self, ordinal: Ordinal, kind: FailureKind, *, seconds: Seconds = 0.5) -> Ordinal:
        """Its evaluation fails; returns its ordinal."""
        self.ends(ordinal, Outcome(failure=Failure(kind, "it broke"), seconds=seconds))
        self.write(Placed(ordinal=ordinal))
        return ordinal

    def is_rejected(self, ordinal: Ordinal, at: Step, reason: str) -> Ordinal:
        """It is turned away for good; returns its ordinal."""
        refusal = RejectedEvent(ordinal=ordinal, at=at, reason=reason, message="No.", final=True)
        self.write(refusal, Placed(ordinal=ordinal))
        return ordinal
