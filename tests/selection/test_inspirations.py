"""Inspirations: the best and some others, never a parent, never twice."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from speciate.seeds import stream
from speciate.selection import InspirationConfig, Ranked, draw_inspirations
from speciate.testing.policies import occupants

CROWD = [Ranked(10 + i, i + 1, -float(i), 0) for i in range(8)]
_orders: st.SearchStrategy[Literal["ascending", "descending", "as_drawn"]] = st.sampled_from(
    ["ascending", "descending", "as_drawn"]
)


@given(occupants(), st.data(), st.integers(0, 6), st.integers(0, 6), _orders)
def test_they_are_as_many_as_asked_for_no_parents_and_different(
    crowd: list[Ranked],
    data: st.DataObject,
    random: int,
    top: int,
    order: Literal["ascending", "descending", "as_drawn"],
) -> None:
    parents = data.draw(st.sets(st.sampled_from([o.ordinal for o in crowd]), max_size=2))
    config = InspirationConfig(random=random, top=top, order=order)
    drawn = draw_inspirations(crowd, parents, config, stream(1, 1, "inspirations"))
    others = [o.ordinal for o in crowd if o.ordinal not in parents]
    assert len(drawn) == len(set(drawn)) == min(random + top, len(others))
    assert parents.isdisjoint(drawn)
    assert set(others[:top]) <= set(drawn) <= set(others)


def test_the_order_is_by_rank_or_as_drawn() -> None:
    def drawn(order: Literal["ascending", "descending", "as_drawn"]) -> list[int]:
        config = InspirationConfig(random=3, top=2, order=order)
        return list(draw_inspirations(CROWD, [10], config, stream(5, 1, "inspirations")))

    assert drawn("descending") == sorted(drawn("as_drawn"))
    assert drawn("ascending") == sorted(drawn("as_drawn"), reverse=True)
    assert drawn("as_drawn")[:2] == [11, 12]


def test_the_random_ones_are_uniform_over_the_rest() -> None:
    config = InspirationConfig(random=2, top=1)
    rng = stream(0, 0, "statistics of inspirations")
    counts = Counter(o for _ in range(2000) for o in draw_inspirations(CROWD, [11], config, rng))
    assert counts.pop(10) == 2000
    assert set(counts) == set(range(12, 18))
    assert all(abs(count - 2000 / 3) < 4.5 * (2000 * 1 / 3 * 2 / 3) ** 0.5 for count in counts.values())


def test_nobody_inspires_where_nobody_is() -> None:
    assert draw_inspirations([], [0], InspirationConfig(), stream(0, 0, "i")) == ()
    assert draw_inspirations(CROWD[:1], [10], InspirationConfig(), stream(0, 0, "i")) == ()


@pytest.mark.parametrize("settings", [{"random": -1}, {"top": -1}, {"order": "random"}, {"most": 3}])
def test_impossible_and_unknown_settings_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        InspirationConfig.model_validate(settings)
