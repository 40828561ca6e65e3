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
from speciate.records import Json
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


class EnsembleConfig(BaseModel):
    """Rounds that end in a champion. One node is Digital Red Queen (Kumar 2026, https://arxiv.org/abs/2601.03335).

    Attributes:
        rounds: how many; 0 is a run without rounds, in one company from beginning to end.
        iterations: iterations of a round.
        children: candidates of one iteration.
        initial: so many candidates are made from nothing (operator ``new``) before the iterations: in each
            round if its archives begin empty, else in the first one.
        skip: a round ends, after its first iteration at the earliest, as soon as its best score (the first
            objective, in its own direction) passes this; None never skips.
        archives: ``round`` begins each round with empty archives, into which the initial program, the task's
            opponents and past champions are scored first; ``persistent`` scores the occupants again.
        opponents: who the candidates meet. Counts for tasks whose scores depend on company.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rounds: int = Field(default=0, ge=0)
    iterations: int = Field(default=250, ge=1)
    children: int = Field(default=1, ge=1)
    initial: int = Field(default=8, ge=0)
    skip: float | None = None
    archives: Literal["round", "persistent"] = "persistent"
    opponents: OpponentsConfig = OpponentsConfig()


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
