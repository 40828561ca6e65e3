"""Thompson sampling: an arm is picked as often as it is likely to be the best."""

from __future__ import annotations

import numpy as np
from typing_extensions import override

from speciate.bandits.beta import chances_of_best
from speciate.bandits.tallies import TallyBandit


class ThompsonBandit(TallyBandit):
    """Believes of each arm's mean reward what Beta(1 + S, 1 + n − S) says after n pulls (Agrawal 2012).

    https://proceedings.mlr.press/v23/agrawal12.html. S is the sum of its rewards from 0 to 1 (see `Rewards`);
    a fractional reward counts by its fraction instead of by a coin toss with that chance, so the state needs
    no chance. The probabilities of arms are computed, not sampled, so they can be looked at.

    Args:
        arms: names.
        scale: in which units gains count.
    """

    @override
    def _shares(self, usable: np.ndarray) -> np.ndarray:
        pulls, means = self.pulls[usable], self.means[usable]
        won = np.clip(pulls * means, 0.0, pulls)
        shares = np.zeros(len(self.arms))
        shares[usable] = chances_of_best(1 + won, 1 + pulls - won)
        return shares
