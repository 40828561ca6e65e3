"""What the arms of a bandit stand for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

ArmKind = Literal["proposers", "operators", "pairs"]
"""Whether an arm is a proposer, an operator, or a proposer together with an operator."""


@dataclass(frozen=True, slots=True)
class Arms:
    """The arms of a run.

    Attributes:
        kind: what they stand for.
        operators: operators with a weight above 0, by proposer.
    """

    kind: ArmKind
    operators: Mapping[str, Collection[str]]

    @property
    def names(self) -> tuple[str, ...]:
        """All arms, each once, in the order of proposers and their operators."""
        return tuple(
            dict.fromkeys(
                arm_name(self.kind, proposer, operator)
                for proposer, operators in self.operators.items()
                for operator in (operators if self.kind != "proposers" else [""])
            )
        )


def arm_name(kind: ArmKind, proposer: str, operator: str) -> str:
    """Returns the arm that a candidate of this proposer and operator is a pull of."""
    match kind:
        case "proposers":
            return proposer
        case "operators":
            return operator
        case "pairs":
            return f"{proposer} {operator}"
