"""Steps 1 to 3 of a candidate's life as values: a choice, a proposal, a rejection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from speciate.records.program import Program
from speciate.records.types import Ordinal, Seconds

Step = Literal["propose", "screen"]

PLANTED = "initial"
"""Operator of candidates that nobody proposed: the initial program, and opponents of the first round."""

SEEDED = "seed"
"""Operator of an island's own initial program: nobody proposed it either, and it is placed there alone."""

RECEIVED = "received"
"""Operator of a peer's champion: it was proposed in another run, and is scored here like any candidate."""

WITHOUT_ADVICE = 0
"""`Choice.advice` of a candidate that goes without the scratchpad, so that its worth can be measured."""


ORIGINAL_WORDING = 0
"""`Choice.wording` of a candidate whose model is shown the system prompt as the task has it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What `choose` decided.

    Attributes:
        ordinal: the number issued to this candidate.
        epoch: the epoch it belongs to.
        seen: how much history the choice knew: the number of placed ordinals.
        island: the island its parent lives on and where it will be placed.
        operator: how to change the parent (``diff``, ``full``, ``crossover``, ``fix``, ``genetic`` ...).
        proposer: which proposer is asked, by name.
        parents: ordinals of the parents; the first is the one that is changed. Empty for a program from
            nothing (operator ``new``) and for planted ones.
        inspirations: ordinals of further programs to look at.
        advice: number of the scratchpad's recommendation in its prompt, `WITHOUT_ADVICE` if it was drawn to
            go without, or None where there was none to give.
        phrasing: which of several ways its model is asked for the operator; ``default`` where there is one.
        wording: number of the system prompt's wording that its model is shown (`ORIGINAL_WORDING` is the
            task's own), or None where wordings are not evolved or not read.
    """

    ordinal: Ordinal
    epoch: int
    seen: int
    island: int
    operator: str
    proposer: str
    parents: tuple[Ordinal, ...]
    inspirations: tuple[Ordinal, ...] = ()
    advice: int | None = None
    phrasing: str = "default"
    wording: int | None = None

    @property
    def planted(self) -> bool:
        """Whether nobody proposed it here: it was there from the beginning, or is a peer's champion."""
        return self.operator in (PLANTED, SEEDED, RECEIVED)


NoveltyVerdict = Literal["apart", "similar", "novel", "not_novel", "undecided"]
"""What came of a comparison: not above the threshold; above it, and nobody judges; or what the judge said,
where ``undecided`` is also said of a program that could not be embedded."""


@dataclass(frozen=True, slots=True)
class NoveltyCheck:
    """How a program compared with earlier ones, by its embedding.

    Attributes:
        verdict: what came of it.
        similarity: the largest cosine, to six decimals; None if there was nothing to compare.
        nearest: the candidate that is most alike, or None.
        audited: whether a refused program was let through, to learn whether the refusal was right.
        seconds: time of embedding and search on this machine; calls of models are timed apart.
    """

    verdict: NoveltyVerdict
    similarity: float | None = None
    nearest: Ordinal | None = None
    audited: bool = False
    seconds: Seconds = 0.0


@dataclass(frozen=True, slots=True)
class Proposal:
    """A new program that has not been evaluated.

    Attributes:
        program: the new source.
        attempt: which attempt of the candidate made it, from 0.
        summary: one line on what was changed, from the proposer.
        traits: numbers its children will inherit (see `Entry`).
        novelty: how it compared with earlier programs, or None if it was not compared.
    """

    program: Program
    attempt: int = 0
    summary: str = ""
    traits: Mapping[str, float] = field(default_factory=dict)
    novelty: NoveltyCheck | None = None


@dataclass(frozen=True, slots=True)
class Rejected:
    """An attempt that ended before evaluation.

    Attributes:
        step: where it ended.
        reason: a short code, one word for one cause everywhere (``"no_match"``, ``"duplicate"`` ...).
        message: what a model needs to do better; may reach the next prompt.
        attempt: which attempt it was, from 0.
        final: whether the candidate is closed by it (attempts used up).
        novelty: how the program compared with earlier ones, or None if it was not compared.
    """

    step: Step
    reason: str
    message: str
    attempt: int = 0
    final: bool = False
    novelty: NoveltyCheck | None = None
