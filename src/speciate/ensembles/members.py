"""Who takes part in an ensemble: each node's settings, from those of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from speciate.engine import NodeConfig, RunConfig
from speciate.engine.settings import compose
from speciate.errors import ConfigError
from speciate.records import text_hash
from speciate.seeds import stream


@dataclass(frozen=True, slots=True)
class Member:
    """A node before it lives.

    Attributes:
        name: unique in the ensemble.
        incarnation: the same for equal seeds.
        config: its complete settings.
    """

    name: str
    incarnation: str
    config: RunConfig


def members_of(config: RunConfig) -> Sequence[Member]:
    """Returns the nodes that the settings name, in their order.

    Raises:
        ConfigError: there are none, two have one name, or a node's own settings are wrong.
    """
    nodes = config.ensemble.nodes
    if not nodes:
        raise ConfigError("an ensemble needs nodes: set ensemble.nodes, or name models by --model")
    if not config.ensemble.rounds:
        raise ConfigError("an ensemble plays rounds: set ensemble.rounds")
    names = [node.name or f"n{number}" for number, node in enumerate(nodes, 1)]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"two nodes of the ensemble are called {name}: give each a name of its own")
    return [
        Member(name, incarnation(config.seed, name), _own(config, node, number))
        for number, (name, node) in enumerate(zip(names, nodes, strict=True))
    ]


def incarnation(seed: int, name: str) -> str:
    """Returns the incarnation of a node whose ensemble has this seed: the same in every repetition."""
    return text_hash(f"{seed}/{name}")[:12]


def _own(config: RunConfig, node: NodeConfig, number: int) -> RunConfig:
    models = (node.model,) if node.model else node.models or config.models
    shared = config.ensemble.model_copy(update={"nodes": (), "latency": node.latency})
    seed = int(stream(config.seed, number, "node").integers(2**31))
    own = config.model_copy(update={"ensemble": shared, "models": models, "seed": seed})
    if not node.settings:
        return own
    # Unset, not default: a default that somebody chose stands over the task's own.
    return compose([own.model_dump(mode="json", exclude_unset=True), dict(node.settings)])
