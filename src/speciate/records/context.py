"""The company in which a program is scored."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from speciate.records.program import Program, text_hash
from speciate.records.types import Json


@dataclass(frozen=True)
class Context:
    """Everything besides the program that its score depends on. An outcome's key is (program, context).

    Attributes:
        opponents: programs it meets; empty for tasks without opponents. A multiset: order and repeats count.
        settings: task settings in force, JSON values.
        seeds: seeds of the task's own randomness.
    """

    opponents: tuple[Program, ...] = ()
    settings: Mapping[str, Json] = field(default_factory=dict)
    seeds: tuple[int, ...] = ()

    @property
    def hash(self) -> str:
        """Identity of the context: equal contexts have equal hashes."""
        parts = [[p.hash for p in self.opponents], dict(self.settings), list(self.seeds)]
        return text_hash(json.dumps(parts, sort_keys=True))
