"""Who keeps the scratchpad of a run."""

from __future__ import annotations

from collections.abc import Mapping

from speciate.engine.config import RunConfig
from speciate.engine.proposers import is_model
from speciate.mutation import Proposer
from speciate.records import ModelGateway
from speciate.scratchpad import Keeper
from speciate.seeds import stream
from speciate.tasks import Task


def keeper_spec(config: RunConfig, proposers: Mapping[str, Proposer]) -> str | None:
    """Returns the model that keeps the scratchpad; None without one, or where nobody would read it."""
    readers = [name for name, proposer in proposers.items() if proposer.advised]
    if not (config.scratchpad.enabled and readers):
        return None
    return config.scratchpad.model or next((name for name in readers if is_model(name)), None)


def build_keeper(
    task: Task, config: RunConfig, proposers: Mapping[str, Proposer], gateway: ModelGateway
) -> Keeper | None:
    """Builds what asks the keeper, or None if there is none."""
    model = keeper_spec(config, proposers)
    if model is None:
        return None
    seed = config.seed
    return Keeper(model, task, gateway, lambda purpose, n: stream(seed, n, purpose), config.scratchpad)
