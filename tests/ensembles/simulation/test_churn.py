"""Nodes that come and go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.ensembles.simulation import Churn, Lives
from speciate.errors import ConfigError

shares = st.floats(0, 1)


@given(late=shares, away=shares, dies=shares, seed=st.integers(0, 99), times=st.lists(st.floats(0, 200)))
def test_time_never_goes_back_and_the_dead_stay_dead(
    late: float, away: float, dies: float, seed: int, times: list[float]
) -> None:
    lives = Lives(Churn(late=late, away=away, dies=dies), ["a"], seed=seed, span=100.0)
    seen = [lives.when("a", own) for own in sorted(times)]
    alive = [time for time in seen if time is not None]
    assert alive == sorted(alive)
    assert seen == alive + [None] * (len(seen) - len(alive))
    assert all(own <= time for own, time in zip(sorted(times), alive, strict=False))


def test_without_churn_all_clocks_go_together() -> None:
    lives = Lives(Churn(), ["a", "b"], seed=0, span=10.0)
    assert [lives.when("b", own) for own in (0.0, 3.0, 1e9)] == [0.0, 3.0, 1e9]
    assert lives.begins("a") == 0.0


def test_who_was_away_lives_no_time_meanwhile() -> None:
    lives = Lives(Churn(away=1.0), ["a"], seed=0, span=10.0)
    life = lives.of("a")
    assert life.returns > life.leaves
    assert lives.when("a", life.leaves) == life.leaves
    assert lives.when("a", life.leaves + 1.0) == pytest.approx(life.returns + 1.0)


def test_shares_are_shares() -> None:
    with pytest.raises(ConfigError, match="churn dies is a share"):
        Churn(dies=2.0)
