"""How often one candidate may be tried, and how the next try begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict, Field

from speciate.records import Rejected

FRESH_START = frozenset({"provider", "refused", "empty", "cut", "too_large"})
"""Reasons of step ``propose`` after which there is no conversation worth continuing."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a candidate stands after some rejected attempts.

    Attributes:
        samples: samples that are used up.
        failures: patch failures within the running sample.
        turns: how many of the last attempts belong to the running conversation; 0 begins a new one.
        switched: whether diffs were given up for full rewrites.
    """

    samples: int = 0
    failures: int = 0
    turns: int = 0
    switched: bool = False


class AttemptsConfig(BaseModel):
    """Bounds on the attempts of one candidate: at most `patch` times `resamples`.

    A sample is one fresh prompt. A patch that does not apply goes back to the model with the error,
    within the same sample; a program that was refused by a screen, or a reply that is none, ends it.
    The defaults are those of ShinkaEvolve (Lange 2025, https://arxiv.org/abs/2509.19349).

    Attributes:
        patch: attempts at a patch within one sample.
        resamples: samples of one candidate, the first included.
        diff_failures: diffs that fail in a row before the model is asked for full rewrites; None never.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    patch: int = Field(default=3, ge=1)
    resamples: int = Field(default=3, ge=1)
    diff_failures: int | None = Field(default=3, ge=1)

    def conclude(self, rejected: Rejected, earlier: Sequence[Rejected]) -> Rejected:
        """Returns `rejected`, marked as final if it is already or uses up the candidate's attempts.

        Args:
            rejected: how the last attempt ended.
            earlier: the rejected attempts before it, oldest first.
        """
        used_up = self.stand([*earlier, rejected]).samples >= self.resamples
        return replace(rejected, final=rejected.final or used_up)

    def stand(self, rejections: Sequence[Rejected], *, diffs: bool = False) -> Stand:
        """Returns where a candidate stands.

        Args:
            rejections: its rejected attempts, oldest first.
            diffs: whether it asks for diffs, so that `diff_failures` applies.
        """
        stand, in_a_row = Stand(), 0
        for rejection in rejections:
            if rejection.step == "screen" or rejection.reason in FRESH_START:
                in_a_row = 0 if rejection.step == "screen" else in_a_row
                stand = Stand(stand.samples + 1, switched=stand.switched)
                continue
            in_a_row += 1
            stand = self._failed(stand)
            if diffs and not stand.switched and in_a_row == self.diff_failures:
                stand = Stand(stand.samples, stand.failures, turns=0, switched=True)
        return stand

    def _failed(self, stand: Stand) -> Stand:
        if stand.failures + 1 == self.patch:
            return Stand(stand.samples + 1, switched=stand.switched)
        return Stand(stand.samples, stand.failures + 1, stand.turns + 1, stand.switched)
