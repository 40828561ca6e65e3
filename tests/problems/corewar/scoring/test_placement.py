from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speciate.errors import UsageError
from speciate.problems.corewar import Settings, Warrior
from speciate.problems.corewar.instructions import EMPTY
from speciate.problems.corewar.scoring.placement import draw, draw_drq
from speciate.seeds import stream


def warriors(*lengths: int, core_size: int = 8000) -> list[Warrior]:
    return [Warrior((EMPTY,) * length, core_size=core_size) for length in lengths]


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 9), st.integers(1, 30), st.integers(1, 40), st.integers(0, 1 << 30))
def test_warriors_keep_their_distance_round_the_core(
    count: int, distance: int, length: int, seed: int
) -> None:
    rules = Settings(core_size=400, max_length=40, min_distance=distance)
    company = warriors(*[length] * count)
    if count * max(distance, length) > 400:
        with pytest.raises(UsageError, match="smaller min_distance"):
            draw(company, rules, 1, stream(seed, 0, "test"))
        return
    for row in draw(company, rules, 3, stream(seed, 0, "test")):
        assert row[0] == 0
        assert len(row) == count
        around = sorted(row)
        gaps = [
            (there - here) % 400 or 400 for here, there in zip(around, [*around[1:], around[0]], strict=True)
        ]
        assert min(gaps) >= max(distance, length)


def test_all_arrangements_are_equally_likely() -> None:
    rules = Settings(core_size=9, max_length=2, min_distance=2)
    rows = draw(warriors(1, 1, 1), rules, 12_000, stream(5, 0, "test"))
    seen = Counter(map(tuple, rows))
    expected = [(0, b, c) for b in range(2, 8) for c in range(2, 8) if abs(b - c) >= 2]
    assert sorted(seen) == expected
    assert all(abs(times - 600) < 120 for times in seen.values())  # 5 standard deviations


def test_as_many_as_fit_may_come() -> None:
    rules = Settings(core_size=80, max_length=20, min_distance=20)
    assert sorted(draw(warriors(20, 20, 20, 20), rules, 1, stream(1, 0, "test"))[0]) == [0, 20, 40, 60]


def test_drq_places_as_its_code_does() -> None:
    """Written as the published simulator does it: the module's generator, seeded with the round."""
    lengths = (5, 100, 33)
    expected = []
    state = random.getstate()
    try:
        for number in range(4):
            random.seed(number)
            expected.append([n * 2666 + random.randint(0, max(0, 2666 - lengths[n] - 100)) for n in range(3)])
    finally:
        random.setstate(state)
    assert draw_drq(warriors(*lengths), Settings(), 4, 0) == expected
    assert draw_drq(warriors(*lengths), Settings(), 2, 2) == expected[2:]


def test_drq_leaves_a_crowded_company_where_its_segments_begin() -> None:
    assert draw_drq(warriors(*[60] * 64), Settings(), 1, 0)[0] == [seat * 125 for seat in range(64)]


def test_drq_refuses_a_company_whose_code_would_overlap() -> None:
    with pytest.raises(UsageError, match="81 warriors leave 98 cells to each and one is 100 long"):
        draw_drq(warriors(100, *[1] * 80), Settings(), 1, 0)
