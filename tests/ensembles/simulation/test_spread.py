"""Distributions of seconds, and chance by name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.ensembles.simulation import Spread, chances, read_spread
from speciate.errors import ConfigError

shares = st.floats(0, 1)
spreads = st.one_of(
    st.builds(Spread, st.just("constant"), st.floats(0, 1e6)),
    st.builds(lambda low, more: Spread("uniform", low, low + more), st.floats(0, 1e6), st.floats(0, 1e6)),
    st.builds(Spread, st.just("lognormal"), st.floats(0, 1e6), st.floats(0, 3)),
)


@given(spread=spreads, one=shares, other=shares)
def test_quantiles_rise_and_none_is_longer_than_the_longest(spread: Spread, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0 <= spread.at(low) <= spread.at(high) <= spread.longest


@given(name=st.text())
def test_chances_hang_on_the_name_alone_and_lie_between_0_and_1(name: str) -> None:
    assert chances(name) == chances(name)
    assert all(0 <= chance < 1 for chance in chances(name))
    assert chances(name) != chances(f"{name}.")


def test_chances_are_spread_evenly() -> None:
    drawn = [chance for number in range(500) for chance in chances(str(number))]
    assert abs(sum(drawn) / len(drawn) - 0.5) < 0.02
    assert abs(sum(chance < 0.1 for chance in drawn) / len(drawn) - 0.1) < 0.02


def test_a_lognormal_has_its_median_and_is_cut_off() -> None:
    spread = Spread("lognormal", 2.0, 1.0)
    assert spread.median == pytest.approx(2.0)
    assert spread.longest == spread.at(0.9995) == pytest.approx(2.0 * 21.98, rel=0.01)


def test_spreads_are_read_as_they_are_written() -> None:
    assert read_spread("2") == Spread("constant", 2.0)
    assert read_spread("uniform:1:3") == Spread("uniform", 1.0, 3.0)
    assert read_spread("lognormal:2:0.8") == Spread("lognormal", 2.0, 0.8)


@pytest.mark.parametrize(
    "text", ["", "-1", "nan", "inf", "uniform:3:1", "uniform:1", "normal:1:2", "lognormal:1:x"]
)
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"no time|no distribution"):
        read_spread(text)
