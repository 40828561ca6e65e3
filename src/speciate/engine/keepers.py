"""Who looks back on a run: who keeps its scratchpad, and who varies the wordings of its system prompt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from speciate.engine.config import RunConfig
from speciate.engine.proposers import is_model
from speciate.mutation import Proposer, prompt_for
from speciate.records import ModelGateway
from speciate.scratchpad import Keeper
from speciate.seeds import stream
from speciate.tasks import Task
from speciate.wordings import Reworder, Wordings


def keeper_spec(config: RunConfig, proposers: Mapping[str, Proposer]) -> str | None:
    """Returns the model that keeps the scratchpad; None without one, or where nobody would read it."""
    readers = [name for name, proposer in proposers.items() if proposer.advised]
    return _who(readers, config.scratchpad.model) if config.scratchpad.enabled else None


def reworder_spec(config: RunConfig, proposers: Mapping[str, Proposer]) -> str | None:
    """Returns the model that varies wordings; None where they do not evolve or nobody would read them."""
    readers = [name for name, proposer in proposers.items() if proposer.worded]
    return _who(readers, config.prompts.evolve.proposer) if config.prompts.evolve.enabled else None


def _who(readers: list[str], named: str | None) -> str | None:
    """Returns who is named, else the first of the readers that is a model; nobody without readers."""
    if not readers:
        return None
    return named or next((name for name in readers if is_model(name)), None)


def build_keeper(
    task: Task, config: RunConfig, proposers: Mapping[str, Proposer], gateway: ModelGateway
) -> Keeper | None:
    """Builds what asks the keeper, or None if there is none."""
    model = keeper_spec(config, proposers)
    return None if model is None else Keeper(model, task, gateway, _random(config), config.scratchpad)


def build_reworder(
    task: Task, config: RunConfig, proposers: Mapping[str, Proposer], gateway: ModelGateway
) -> Reworder | None:
    """Builds what asks for other wordings, or None if nobody does."""
    model = reworder_spec(config, proposers)
    return None if model is None else Reworder(model, task, gateway, _random(config), config.prompts.evolve)


def build_wordings(task: Task, config: RunConfig) -> Wordings | None:
    """Builds the archive of wordings, with the task's own in it; None where they do not evolve."""
    evolve = config.prompts.evolve
    return Wordings(evolve, prompt_for(task, "system").render({})) if evolve.enabled else None


def _random(config: RunConfig) -> Callable[[str, int], np.random.Generator]:
    return partial(_stream, config.seed)


def _stream(seed: int, purpose: str, ordinal: int) -> np.random.Generator:
    return stream(seed, ordinal, purpose)
