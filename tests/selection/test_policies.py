"""Each policy against the contract."""

from __future__ import annotations

import math

from speciate.selection import (
    Beam,
    BestOfN,
    Cells,
    HillClimb,
    ParentPolicy,
    PowerLaw,
    Tournament,
    Uniform,
    Weighted,
)
from speciate.testing.policies import PolicyContract


class TestUniform(PolicyContract):
    def make(self) -> ParentPolicy:
        return Uniform()


class TestHillClimb(PolicyContract):
    def make(self) -> ParentPolicy:
        return HillClimb()


class TestPowerLaw(PolicyContract):
    def make(self) -> ParentPolicy:
        return PowerLaw(1.0)


class TestPowerLawAtInfinity(PolicyContract):
    def make(self) -> ParentPolicy:
        return PowerLaw(math.inf)


class TestWeightedByDeviation(PolicyContract):
    def make(self) -> ParentPolicy:
        return Weighted(10.0, "mad")


class TestWeightedAsInThePaper(PolicyContract):
    def make(self) -> ParentPolicy:
        return Weighted(10.0, "none")


class TestWeightedByOffspringAlone(PolicyContract):
    def make(self) -> ParentPolicy:
        return Weighted(0.0)


class TestBestOfN(PolicyContract):
    def make(self) -> ParentPolicy:
        return BestOfN(0)


class TestBeam(PolicyContract):
    def make(self) -> ParentPolicy:
        return Beam(3)


class TestTournament(PolicyContract):
    def make(self) -> ParentPolicy:
        return Tournament(3)


class TestCells(PolicyContract):
    def make(self) -> ParentPolicy:
        return Cells()
