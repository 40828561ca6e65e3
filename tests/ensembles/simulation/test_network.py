"""What becomes of announcements on their way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.ensembles.simulation import Network, Partition, Spread, Weather
from speciate.errors import ConfigError
from speciate.records import MessageId

NAMES = [f"n{number}" for number in range(40)]
messages = st.builds(MessageId, st.sampled_from(NAMES), st.just("a"), st.integers(0, 1000))
ROUGH = Weather(loss=0.3, duplicate=0.3, delay=Spread("lognormal", 1.0, 1.0), partition=Partition(5.0, 9.0))


@given(asked=st.lists(st.tuples(messages, st.sampled_from(NAMES), st.floats(0, 20)), max_size=20))
def test_the_order_in_which_fates_are_asked_for_decides_nothing(
    asked: list[tuple[MessageId, str, float]],
) -> None:
    forwards, backwards = Network(ROUGH, 7), Network(ROUGH, 7)
    first = [forwards.delays(*each) for each in asked]
    again = [backwards.delays(*each) for each in reversed(asked)]
    assert first == again[::-1]
    assert all(0 <= delay <= forwards.slowest for delays in first for delay in delays)


def test_shares_of_lost_and_doubled_are_as_asked_for() -> None:
    network = Network(Weather(loss=0.25, duplicate=0.5), 3)
    fates = [
        len(network.delays(MessageId(a, "x", n), b, 0.0)) for a in NAMES for b in NAMES for n in range(2)
    ]
    assert abs(fates.count(0) / len(fates) - 0.25) < 0.03
    assert abs(fates.count(2) / (fates.count(1) + fates.count(2)) - 0.5) < 0.03


def test_what_was_sent_later_may_come_earlier() -> None:
    network = Network(Weather(delay=Spread("uniform", 0.0, 10.0)), 0)
    arrivals = [n + network.delays(MessageId("a", "x", n), "b", float(n))[0] for n in range(20)]
    assert arrivals != sorted(arrivals)


def test_a_partition_holds_back_what_goes_across_until_it_ends() -> None:
    network = Network(Weather(partition=Partition(5.0, 9.0)), 1)
    near = next(name for name in NAMES[1:] if network.group(name) == network.group("n0"))
    far = next(name for name in NAMES[1:] if network.group(name) != network.group("n0"))
    message = MessageId("n0", "x", 0)
    assert [network.delays(message, far, at) for at in (4.9, 5.0, 8.0, 9.0)] == [
        (0.0,),
        (4.0,),
        (1.0,),
        (0.0,),
    ]
    assert network.delays(message, near, 5.0) == (0.0,)


def test_seeds_give_other_fates() -> None:
    fates = [
        [len(Network(ROUGH, seed).delays(MessageId("n0", "x", n), "n1", 0.0)) for n in range(30)]
        for seed in (1, 2)
    ]
    assert fates[0] != fates[1]


def test_shares_are_shares_and_partitions_spans() -> None:
    with pytest.raises(ConfigError, match="share from 0 to 1"):
        Weather(loss=1.5)
    with pytest.raises(ConfigError, match="a partition has a begin"):
        Partition(3.0, 1.0)
