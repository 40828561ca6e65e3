"""Who sits at which node: from the options of `ensemble` to settings."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final, Literal

from speciate.engine import BudgetConfig
from speciate.engine.settings import Layer
from speciate.errors import ConfigError
from speciate.records import Json
from speciate.tasks import Task

NODES = 4
"""Nodes where nobody says how many."""
ROUNDS, ITERATIONS = 5, 50
"""For tasks that name no rounds of their own."""

_SHARED: Final = ("candidates", "evaluations", "tokens", "calls", "cost")
"""Caps that are divided over the nodes."""
_NAMED: Final = re.compile(r"[^A-Za-z0-9_.-]+")
_LONGEST = 24


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What was asked for on the command line; None and empty leave it as it is.

    Attributes:
        models: who proposes, one a node.
        nodes: how many.
        latencies: declared seconds of a proposal: one for all nodes, or one each.
        rounds: of each node.
        iterations: of each round.
        topology: ``kind`` or ``kind:links``.
        clock: which.
    """

    models: tuple[str, ...] = ()
    nodes: int | None = None
    latencies: tuple[float, ...] = ()
    rounds: int | None = None
    iterations: int | None = None
    topology: str | None = None
    clock: Literal["virtual", "wall"] | None = None

    def layer(self) -> Layer:
        """Returns what was asked for but for the nodes.

        Raises:
            ConfigError: the topology cannot be read.
        """
        wanted: dict[str, Json] = {
            "rounds": self.rounds,
            "iterations": self.iterations,
            "topology": None if self.topology is None else _topology(self.topology),
            "clock": self.clock,
        }
        return {"ensemble": {name: value for name, value in wanted.items() if value is not None}}

    @property
    def seats_named(self) -> bool:
        """Whether who sits where was said on the command line."""
        return bool(self.models or self.latencies) or self.nodes is not None


def _topology(text: str) -> dict[str, Json]:
    kind, colon, links = text.partition(":")
    if not colon:
        return {"kind": kind}
    if kind in ("all", "ring"):
        raise ConfigError(f"--topology {kind} has as many links as it has, and takes no number: not {text!r}")
    if not links.isdecimal():
        raise ConfigError(f"--topology takes KIND or KIND:LINKS, for example random:3, not {text!r}")
    return {"kind": kind, "links": int(links)}


def seats(wishes: Wishes, models: Sequence[str], task: Task) -> list[Json]:
    """Returns the nodes' own settings, one a node.

    Args:
        wishes: the options.
        models: who proposes where no ``--model`` says otherwise.
        task: names the minds of an ensemble without models (`TaskSpec.nodes`).

    Raises:
        ConfigError: there are more models than nodes, or latencies for another number of nodes; or a latency
            is no time.
    """
    specs = wishes.models or tuple(models) or task.spec.nodes
    count = wishes.nodes or len(specs) or NODES
    if wishes.models and len(specs) > count:
        raise ConfigError(f"{len(specs)} models need as many nodes, and --nodes is {count}")
    placed = [specs[number % len(specs)] if specs else None for number in range(count)]
    found = [_seat(name, spec) for name, spec in zip(_names(placed), placed, strict=True)]
    if wrong := [seconds for seconds in wishes.latencies if not 0 < seconds < math.inf]:
        raise ConfigError(f"--latency is seconds above 0, not {wrong[0]:g}")
    latencies = wishes.latencies * count if len(wishes.latencies) == 1 else wishes.latencies
    if latencies and len(latencies) != count:
        raise ConfigError(f"--latency is given once or once a node: {len(latencies)} for {count} nodes")
    late = latencies or (None,) * count
    return [
        seat if seconds is None else {**seat, "latency": seconds}
        for seat, seconds in zip(found, late, strict=True)
    ]


def _seat(name: str, spec: str | None) -> dict[str, Json]:
    return {"name": name} if spec is None else {"name": name, "model": spec}


def _names(specs: Sequence[str | None]) -> list[str]:
    """Names nodes after who proposes there, with a number where several are alike."""
    short = ["n" if spec is None else _short(spec) for spec in specs]
    many, names = Counter(short), list[str]()
    for name in short:
        if name != "n" and many[name] == 1:
            names.append(name)
            continue
        dash = "" if name == "n" else "-"
        numbered = (f"{name}{dash}{number}" for number in count(1))
        names.append(next(one for one in numbered if one not in names and one not in many))
    return names


def _short(spec: str) -> str:
    """Returns the telling part of a model's spec: ``openai:gpt-5-mini?…`` is ``gpt-5-mini``."""
    kind, _, rest = spec.partition(":")
    telling = re.split(r"[?@]", rest)[0].rstrip("/").rsplit("/", 1)[-1] or kind
    return _NAMED.sub("-", telling).strip("-.")[:_LONGEST] or "node"


def divided(budget: BudgetConfig, given: set[str], nodes: int) -> dict[str, Json]:
    """Returns each node's share of the ensemble's caps, by name.

    Args:
        budget: the caps of all.
        given: which of them a user gave: others are sized for a single run, and do not count.
        nodes: over how many they are divided.

    Raises:
        ConfigError: a cap is too small to give each node something.
    """
    shares: dict[str, Json] = {}
    values: Mapping[str, int | float | None] = {
        "candidates": budget.candidates,
        "evaluations": budget.evaluations,
        "tokens": budget.tokens,
        "calls": budget.calls,
        "cost": budget.cost,
    }
    for name in _SHARED:
        cap = values[name]
        if name not in given or cap is None:
            continue
        share = cap / nodes if name == "cost" else cap // nodes
        if cap > 0 and not share:
            raise ConfigError(
                f"budget.{name} is {cap}: too little for {nodes} nodes, over which it is divided"
            )
        shares[name] = share
    return shares


def caps_named(layers: Sequence[Layer]) -> set[str]:
    """Returns the names of the caps that layers set."""
    tables = [layer.get("budget") for layer in layers]
    return {name for table in tables if isinstance(table, Mapping) for name in table}
