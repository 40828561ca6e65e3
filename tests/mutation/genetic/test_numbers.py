import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.mutation.genetic.edits import splice
from speciate.mutation.genetic.numbers import moved, number_step, rounded
from speciate.mutation.genetic.python_ast import python_sites
from speciate.mutation.genetic.sites import Sites


def sites(text: str) -> Sites:
    return python_sites(text, ((0, len(text.encode())),))


def children(text: str, step: float = 0.1, count: int = 200) -> list[dict[str, object]]:
    """Returns the variables of many children."""
    found, answer = sites(text), []
    for seed in range(count):
        change = number_step(found, np.random.default_rng(seed), step)
        if change is not None:
            variables: dict[str, object] = {}
            exec(splice(found.data, change.edits).decode(), variables)
            answer.append(variables)
    return answer


@given(st.integers(-(10**30), 10**30), st.integers(0, 2**32), st.floats(1e-6, 1))
def test_integers_stay_integers_and_move(value: int, seed: int, step: float) -> None:
    new = moved(value, np.random.default_rng(seed), step, max(abs(float(value)), 1.0))
    assert isinstance(new, int)
    assert new != value


@given(
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(0, 2**32),
    st.floats(1e-6, 1),
    st.floats(1e-300, 1e300),
)
def test_floats_stay_finite_floats(value: float, seed: int, step: float, scale: float) -> None:
    new = moved(value, np.random.default_rng(seed), step, scale)
    assert isinstance(new, float)
    assert math.isfinite(new)


def test_zero_leaves_its_place() -> None:
    values = [moved(0.0, np.random.default_rng(seed), 0.1, 1.0) for seed in range(50)]
    assert sum(v != 0 for v in values) > 45
    assert max(abs(v) for v in values) < 1


def test_signs_turn_seldom() -> None:
    values = [moved(5.0, np.random.default_rng(seed), 0.01, 5.0) for seed in range(2000)]
    assert 10 < sum(v < 0 for v in values) < 90


def test_smaller_steps_stay_nearer() -> None:
    def distance(step: float) -> float:
        return float(
            np.median([abs(moved(5.0, np.random.default_rng(s), step, 5.0) - 5.0) for s in range(200)])
        )

    assert distance(0.001) < 0.1 * distance(0.1)


@pytest.mark.parametrize(
    ("value", "step", "expected"), [(0.123456789, 0.01, 0.12346), (1234.5678, 100.0, 1234.6)]
)
def test_digits_follow_the_step(value: float, step: float, expected: float) -> None:
    assert rounded(value, step) == pytest.approx(expected, abs=step / 200)
    assert len(repr(rounded(value, step))) <= len(repr(value))


def test_a_column_gives_its_numbers_their_step() -> None:
    text = "T = [(1000.0, 0.1), (2000.0, 0.2), (3000.0, 0.3), (4000.0, 0.4)]"
    first, second = [], []
    for child in children(text, step=0.1):
        table = child["T"]
        assert isinstance(table, list)
        first += [abs(row[0] - 1000.0 * k) for k, row in enumerate(table, 1)]
        second += [abs(row[1] - 0.1 * k) for k, row in enumerate(table, 1)]
    assert 2000 < np.mean(first) / np.mean(second) < 50000


def test_rows_move_together_sometimes_and_whole_tables_too() -> None:
    text = "T = [(0.1, 0.2), (0.3, 0.4), (0.5, 0.6), (0.7, 0.8), (0.9, 1.0)]"
    change = [number_step(sites(text), np.random.default_rng(s), 0.1) for s in range(300)]
    sizes = {len(c.edits) for c in change if c is not None}
    assert {1, 2, 4, 10} <= sizes


def test_a_negative_number_keeps_its_meaning_as_a_base() -> None:
    found = sites("a = 2 ** 2\nb = 3 .real")
    for seed in range(300):
        change = number_step(found, np.random.default_rng(seed), 1.0)
        if change is not None:
            variables: dict[str, float] = {}
            exec(splice(found.data, change.edits).decode(), variables)
            assert variables["a"] > 0 or b"(-" not in change.edits[0].text


def test_a_program_without_constants_offers_nothing() -> None:
    assert number_step(sites("a = b"), np.random.default_rng(0), 0.1) is None
