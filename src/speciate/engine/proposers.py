"""Who proposes: from specs to proposers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from speciate.engine.config import GENETIC, RunConfig
from speciate.errors import ConfigError, nearest
from speciate.llm import model_kinds, parse_spec, prompt_variant
from speciate.mutation import (
    GeneticProposer,
    ModelProposer,
    Proposer,
    check_phrasings,
    is_named,
    open_proposer,
    prompt_for,
    proposer_names,
    proposer_origin,
)
from speciate.tasks import Task


def proposer_specs(task: Task, config: RunConfig) -> tuple[str, ...]:
    """Returns who proposes: whoever the settings name, else whoever the task names.

    Raises:
        ConfigError: one of them is named twice.
    """
    specs = config.models or task.spec.proposers
    if twice := [spec for place, spec in enumerate(specs) if spec in specs[:place]]:
        raise ConfigError(f"{twice[0]!r} is named twice among the models; name each proposer once")
    return specs


def is_model(spec: str) -> bool:
    """Returns whether a spec means a model rather than a proposer that needs none.

    Raises:
        ConfigError: it means nothing; the nearest known name is told.
    """
    kind = spec.partition(":")[0]
    if kind in model_kinds():
        return True
    if spec == GENETIC or is_named(spec):
        return False
    others = (GENETIC, *proposer_names())
    models = ", ".join(f"{name}:" for name in model_kinds())
    raise ConfigError(
        f"nobody who proposes is called {spec!r}{nearest(kind, (*others, *model_kinds()))}; "
        f"known are {', '.join(others)}, and models, which start with one of {models}"
    )


def build_proposers(specs: Sequence[str], task: Task, config: RunConfig) -> dict[str, Proposer]:
    """Builds the proposers of a run, by spec.

    Raises:
        ConfigError: a spec means nothing or does not fit the task, or an operator is given a weight that none
            of them has.
    """
    proposers = {spec: _proposer(spec, task, config) for spec in specs}
    _check_operators(config, tuple(proposers.values()))
    return proposers


def proposer_origins(specs: Sequence[str]) -> Mapping[str, str]:
    """Returns, for those of the specs that other packages bring along, package, version and factory."""
    return {spec: proposer_origin(spec) for spec in specs if spec != GENETIC and not is_model(spec)}


def _proposer(spec: str, task: Task, config: RunConfig) -> Proposer:
    if is_model(spec):
        if parse_spec(spec).embeds:
            raise ConfigError(f"{spec!r} turns texts into vectors and cannot propose: see novelty.embedding")
        prompt_for(task, "system", prompt_variant(spec))  # a variant that the task lacks is told at once
        check_phrasings(task, config.prompts.full, prompt_variant(spec))
        return ModelProposer(spec, sampling=config.sampling, context=config.prompts, attempts=config.attempts)
    return GeneticProposer(config.genetic) if spec == GENETIC else open_proposer(spec, task)


def _check_operators(config: RunConfig, proposers: Sequence[Proposer]) -> None:
    """Refuses weights of operators that no proposer has; they would silently do nothing."""
    own = [name for proposer in proposers if proposer.weights is not None for name in proposer.operators]
    tables: tuple[tuple[str, Mapping[str, float], Sequence[str]], ...] = (
        ("model", config.mutation.model, ModelProposer.operators),
        ("genetic", config.mutation.genetic, GeneticProposer.operators),
        # A preset may name weights for proposers that this run does not have.
        ("own", config.mutation.own if own else {}, tuple(dict.fromkeys(own))),
    )
    for kind, weights, known in tables:
        for name in weights:
            if name not in known:
                raise ConfigError(
                    f"mutation.{kind}.{name}: there is no such operator{nearest(name, known)} "
                    f"(known: {', '.join(known) or 'none'})"
                )
