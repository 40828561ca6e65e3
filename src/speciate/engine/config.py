"""The complete configuration of a run: each room's own config, composed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from speciate.archives import PopulationConfig
from speciate.bandits import BanditConfig
from speciate.engine.budget import BudgetConfig
from speciate.evaluators import EvaluationConfig
from speciate.llm import LLMConfig
from speciate.mutation import AttemptsConfig, ContextConfig, GeneticConfig, MixtureConfig, SamplingConfig
from speciate.novelty import NoveltyConfig
from speciate.records import Json, Seconds
from speciate.scratchpad import ScratchpadConfig
from speciate.selection import InspirationConfig, SelectionConfig

GENETIC = "genetic"
"""Spec of the built-in genetic operators."""


class PipelineConfig(BaseModel):
    """How candidates overlap.

    Attributes:
        in_flight: candidates that develop at once; None takes the evaluator's slots for proposers that
            ask nobody and 8 as soon as a model takes part.
        window: a candidate chooses as of `window` ordinals ago (order ``ordinal``); None is 4 × in_flight.
        order: ``ordinal`` places results in ordinal order and is deterministic whatever the timing;
            ``arrival`` places them as they come.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    in_flight: int | None = Field(default=None, ge=1, le=4096)
    window: int | None = Field(default=None, ge=1, le=100_000)
    order: Literal["ordinal", "arrival"] = "ordinal"


class TaskConfig(BaseModel):
    """Values for the task's declared parameters.

    Attributes:
        parameters: value by name; one that is not named keeps the task's own.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    parameters: Mapping[str, Json] = Field(default_factory=dict)


class OpponentsConfig(BaseModel):
    """Who a new round's candidates meet.

    Attributes:
        champions: the champions of so many rounds before join the task's own opponents; 0 lets none join.
        max: most opponents at once. The task's own are always there; of the champions the newest stay.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    champions: int = Field(default=20, ge=0)
    max: int = Field(default=24, ge=1)


class TopologyConfig(BaseModel):
    """To whom a node listens.

    Attributes:
        kind: ``all``: to every other node. ``ring``: to its two neighbours by name. ``random``: to `links`
            others, drawn anew after each round. ``adaptive``: to the `links` others whose archives fill most
            cells that its own leaves empty.
        links: how many others, for ``random`` and ``adaptive``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["all", "ring", "random", "adaptive"] = "all"
    links: int = Field(default=2, ge=1)


class SharingConfig(BaseModel):
    """Which of the champions announced are fetched, and in which order.

    Attributes:
        order: who comes first: the ``oldest``, the most ``novel`` (an empty cell here, then the fewest
            announcements of that cell so far), or the best in ``quality`` (as the sender says).
        only: ``all``, or those alone that would be ``opening`` a cell here.
        most: at most so many after a round, or None.
        bytes: at most so many bytes of programs after a round, or None.
        rounds: ``all`` that have arrived, or the ``same`` round's alone, as in DEI (see docs/ensembles.md).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    order: Literal["oldest", "novel", "quality"] = "oldest"
    only: Literal["all", "opening"] = "all"
    most: int | None = Field(default=None, ge=0)
    bytes: int | None = Field(default=None, ge=0)
    rounds: Literal["all", "same"] = "all"


class NodeConfig(BaseModel):
    """One node of an ensemble: what it has of its own. All else is as in the settings around it.

    Attributes:
        name: its name and folder, letters, digits, dashes, underscores and dots, but none in front; empty for
            ``n1``, ``n2`` …
        model: who proposes there, one for all; or None for `models`.
        models: who proposes there; empty for the same as everywhere.
        latency: declared seconds of one proposal beside those of its models, on the virtual clock.
        settings: further settings of this node alone, over the others.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(default="", pattern=r"^([A-Za-z0-9_-][A-Za-z0-9._-]{0,63})?$")
    model: str | None = None
    models: tuple[str, ...] = ()
    latency: Seconds = Field(default=1.0, gt=0, allow_inf_nan=False)
    settings: Mapping[str, Json] = Field(default_factory=dict)


class EnsembleConfig(BaseModel):
    """Rounds that end in a champion, and nodes that exchange them.

    One node is Digital Red Queen (Kumar 2026, https://arxiv.org/abs/2601.03335), several that exchange
    champions are DEI (arXiv 2605.27130).

    Attributes:
        rounds: how many; 0 is a run without rounds, in one company from beginning to end.
        iterations: iterations of a round.
        children: candidates of one iteration.
        initial: so many candidates are made from nothing (operator ``new``) before the iterations: in each
            round if its archives begin empty, else in the first one.
        skip: a round ends, after its first iteration at the earliest, as soon as its best score (the first
            objective, in its own direction) passes this; None never skips.
        archives: ``round`` begins each round with empty archives, into which the initial program, the task's
            opponents and past champions are scored first; ``persistent`` keeps the occupants.
        rescore: whether occupants of ``persistent`` archives are scored again in each round's new company.
            False leaves them the scores of the rounds in which they were evaluated, as DEI does: newcomers
            compete with scores that were reached in another company.
        opponents: who the candidates meet. Counts for tasks whose scores depend on company.
        name: the ensemble's name; nodes exchange champions with those of the same name.
        nodes: who takes part, for `speciate ensemble`.
        clock: ``virtual``: each node's time is what its proposals are declared to take, and equal seeds give
            equal histories; ``wall``: champions arrive when they arrive.
        latency: declared seconds of one of this node's proposals, on the virtual clock.
        topology: to whom a node listens.
        sharing: which champions it takes.
        seeding: where a peer's champion may live: in a cell that is ``empty``, also in one whose occupant it
            beats (``better``), or nowhere (``none``), so that it is an opponent only. Archives without cells
            take it or not as they take any candidate.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rounds: int = Field(default=0, ge=0)
    iterations: int = Field(default=250, ge=1)
    children: int = Field(default=1, ge=1)
    initial: int = Field(default=8, ge=0)
    skip: float | None = Field(default=None, allow_inf_nan=False)
    archives: Literal["round", "persistent"] = "persistent"
    rescore: bool = True
    opponents: OpponentsConfig = OpponentsConfig()
    name: str = Field(default="ensemble", pattern=r"^[A-Za-z0-9._-]{1,64}$")
    nodes: tuple[NodeConfig, ...] = ()
    clock: Literal["virtual", "wall"] = "virtual"
    latency: Seconds = Field(default=1.0, gt=0, allow_inf_nan=False)
    topology: TopologyConfig = TopologyConfig()
    sharing: SharingConfig = SharingConfig()
    seeding: Literal["empty", "better", "none"] = "empty"


class RunConfig(BaseModel):
    """All settings of a run. Unknown keys are errors.

    Attributes:
        seed: names every random stream.
        driver: ``sequential`` (each candidate sees all before it) or ``pipeline`` (candidates overlap).
        models: proposers by spec: models, ``"genetic"``, and installed proposers by name. Empty means those
            that the task names, which are the genetic operators alone unless it says otherwise.
        allow_invalid_seed: go on although the initial program is invalid (operator ``fix`` may mend it).
        success: stop when the first objective reaches the task's success threshold.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    seed: int = 0
    driver: Literal["sequential", "pipeline"] = "pipeline"
    models: tuple[str, ...] = ()
    allow_invalid_seed: bool = False
    success: bool = True
    task: TaskConfig = TaskConfig()
    ensemble: EnsembleConfig = EnsembleConfig()
    pipeline: PipelineConfig = PipelineConfig()
    budget: BudgetConfig = BudgetConfig()
    population: PopulationConfig = PopulationConfig()
    selection: SelectionConfig = SelectionConfig()
    inspirations: InspirationConfig = InspirationConfig()
    mutation: MixtureConfig = MixtureConfig()
    attempts: AttemptsConfig = AttemptsConfig()
    prompts: ContextConfig = ContextConfig()
    sampling: SamplingConfig = SamplingConfig()
    genetic: GeneticConfig = GeneticConfig()
    bandit: BanditConfig = BanditConfig()
    scratchpad: ScratchpadConfig = ScratchpadConfig()
    novelty: NoveltyConfig = NoveltyConfig()
    evaluation: EvaluationConfig = EvaluationConfig()
    llm: LLMConfig = LLMConfig()
