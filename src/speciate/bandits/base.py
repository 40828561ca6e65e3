"""What every bandit owes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np


class Bandit(ABC):
    """Chooses among proposers, the arms, and learns from what their candidates reached.

    The state is a fold over the history: `pulled` when a candidate is chosen, `reward` when its ordinal
    is closed. An arm that is named in the history and is no arm any more is taken note of and never
    picked; a new arm begins without pulls. So a run can be resumed with other proposers.

    Implementers: no chance but `rng`, no clock. Rewards may be negative, huge or equal.
    """

    def __init__(self, arms: Sequence[str]) -> None:
        """Begins without pulls.

        Args:
            arms: names of the proposers, at least one, none twice.

        Raises:
            ValueError: there is no arm, or one is named twice.
        """
        if not arms or len(set(arms)) != len(arms):
            raise ValueError(f"a bandit needs distinct arms, got {list(arms)}")
        self.arms = tuple(arms)

    @abstractmethod
    def probabilities(self) -> np.ndarray:
        """Returns the probability of each arm, in the order of `arms`, shape ``(n,)``, sum 1."""

    def pick(self, rng: np.random.Generator) -> str:
        """Draws an arm according to `probabilities`. Changes nothing; `pulled` follows."""
        cumulative = np.cumsum(self.probabilities())
        position = int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right"))
        return self.arms[min(position, len(self.arms) - 1)]

    @abstractmethod
    def pulled(self, arm: str) -> None:
        """Takes note that a candidate was given to `arm`. In flight it counts as a pull without reward."""

    @abstractmethod
    def reward(self, arm: str, value: float | None) -> None:
        """Takes note of how a candidate of `arm` ended.

        Args:
            arm: the arm that was pulled.
            value: how far its score lies above the better of parent and initial program, in units of the
                first objective, higher is better; None when it was rejected or failed.
        """
