"""What every bandit owes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence

import numpy as np

from speciate.records import Dollars, Ordinal
from speciate.seeds import draw_index


class Bandit(ABC):
    """Chooses among arms, and learns from what their candidates reached.

    An arm is a name: of a proposer, of an operator or of a pair of both (`ArmKind`). The state is a fold over
    the history: `pulled` when a candidate is chosen, `reward` when its ordinal is closed, `rearm` when a run
    is resumed with other arms. Credit belongs to the ordinal, so it makes no difference how many others end
    in between. Whatever is named in the history and is no arm is taken note of and never picked, so arms
    may come and go; one that comes back knows what it knew.

    Implementers: no chance but `rng`, no clock. Rewards may be negative, huge or equal. What is not rewarded
    yet counts as a pull without reward (a virtual loss), so that a slow arm is not asked again and again for
    want of news, and a fast one does not win by answering first.
    """

    def __init__(self, arms: Sequence[str]) -> None:
        """Begins without pulls.

        Args:
            arms: names, at least one, none twice.

        Raises:
            ValueError: there is no arm, or one is named twice.
        """
        self.arms: tuple[str, ...] = ()
        self._in_flight: dict[Ordinal, str] = {}
        self.rearm(arms)

    def rearm(self, arms: Sequence[str]) -> None:
        """Changes the arms; what was learnt of those that stay, stays.

        Raises:
            ValueError: there is no arm, or one is named twice.
        """
        if not arms or len(set(arms)) != len(arms):
            raise ValueError(f"a bandit needs distinct arms, got {list(arms)}")
        self.arms = tuple(arms)

    @abstractmethod
    def _shares(self, usable: np.ndarray) -> np.ndarray:
        """Returns how likely each arm is to be picked among the usable ones.

        Args:
            usable: which arms may be picked, booleans in the order of `arms`, shape ``(n,)``, at least one.

        Returns:
            Numbers of at least 0 in the same order, shape ``(n,)``; those of unusable arms are ignored.
        """

    @abstractmethod
    def _pulled(self, arm: str, ordinal: Ordinal) -> None:
        """Takes note of a pull; `arm` need not be one of `arms`."""

    @abstractmethod
    def _rewarded(self, arm: str, ordinal: Ordinal, value: float | None, cost: Dollars | None) -> None:
        """Takes note of how a pull ended; see `reward`."""

    def probabilities(self, among: Collection[str] | None = None) -> np.ndarray:
        """Returns the probability of each arm, in the order of `arms`, shape ``(n,)``, sum 1.

        Args:
            among: the arms that may be picked here; None for all.

        Raises:
            ValueError: no arm is among them.
        """
        usable = np.array([among is None or arm in among for arm in self.arms])
        if not usable.any():
            raise ValueError(f"none of {sorted(among or ())} is an arm of this bandit: {list(self.arms)}")
        shares = np.where(usable, self._shares(usable), 0.0)
        if not shares.any():  # all that may be picked here have no share of their own
            shares = usable.astype(float)
        shares = shares / shares.max()
        probabilities: np.ndarray = shares / shares.sum()
        return probabilities

    def pick(self, rng: np.random.Generator, among: Collection[str] | None = None) -> str:
        """Draws an arm according to `probabilities`. Changes nothing; `pulled` follows."""
        return self.arms[draw_index(self.probabilities(among), rng)]

    def pulled(self, arm: str, ordinal: Ordinal) -> None:
        """Takes note that a candidate was given to `arm`."""
        self._in_flight[ordinal] = arm
        self._pulled(arm, ordinal)

    def reward(self, ordinal: Ordinal, value: float | None, *, cost: Dollars | None = 0.0) -> None:
        """Takes note of how a candidate ended. One that was never pulled is ignored.

        Args:
            ordinal: the candidate.
            value: how far its score lies above the better of parent and initial program, in units of the
                first objective, higher is better; None when it was rejected or failed.
            cost: dollars its model calls cost, or None when a price is unknown.
        """
        arm = self._in_flight.pop(ordinal, None)
        if arm is not None:
            self._rewarded(arm, ordinal, value, cost)
