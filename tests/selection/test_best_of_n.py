"""BestOfN returns to the start."""

from __future__ import annotations

import pytest

from speciate.seeds import stream
from speciate.selection import BestOfN, Ranked

CROWD = [Ranked(5, 1, 2.0, 0), Ranked(3, 2, 1.0, 0)]


def test_it_draws_the_initial_program_though_it_left_the_archive() -> None:
    assert BestOfN().draw(CROWD, stream(0, 1, "parent")) == 0


def test_it_has_no_probabilities_then() -> None:
    with pytest.raises(LookupError, match="candidate 0 has left"):
        BestOfN().probabilities(CROWD)


def test_another_candidate_may_be_the_start() -> None:
    assert BestOfN(3).probabilities(CROWD).tolist() == [0.0, 1.0]
