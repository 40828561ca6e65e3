from __future__ import annotations

import sys
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.errors import MissingExtraError
from speciate.statistics import holm, least_p, least_paired_p, mann_whitney, seeds_needed, signed_rank


def test_complete_separation_gives_the_exact_probability() -> None:
    test = mann_whitney([6.0, 7.0, 8.0, 9.0], [1.0, 2.0, 3.0])
    assert test.p == pytest.approx(1 / 35)  # one of the C(7, 3) arrangements
    assert test.superiority == 1.0


def test_p_is_the_share_of_arrangements_at_least_as_good() -> None:
    first, second = [3.0, 5.0, 6.0], [1.0, 2.0, 4.0]
    pooled = sorted(first + second)
    wins = [
        sum(x > y for x in chosen for y in set(pooled) - set(chosen)) for chosen in combinations(pooled, 3)
    ]
    ours = sum(x > y for x in first for y in second)
    assert mann_whitney(first, second).p == pytest.approx(np.mean([w >= ours for w in wins]))


def test_both_ways_count_twice_as_much() -> None:
    first, second = [3.0, 5.0, 6.0], [1.0, 2.0, 4.0]
    one = mann_whitney(first, second)
    assert mann_whitney(first, second, alternative="two-sided").p == pytest.approx(2 * one.p)


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=12), st.lists(st.integers(0, 9), min_size=1, max_size=12)
)
def test_superiority_is_the_share_of_pairs_won_with_ties_half(first: list[int], second: list[int]) -> None:
    ours, theirs = np.array(first, dtype=float), np.array(second, dtype=float)
    share = np.mean((ours[:, None] > theirs) + 0.5 * (ours[:, None] == theirs))
    assert mann_whitney(ours.tolist(), theirs.tolist()).superiority == pytest.approx(share)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 4), (5, 5), (12, 10)])
def test_the_least_p_is_that_of_complete_separation(m: int, n: int) -> None:
    high, low = np.arange(100.0, 100.0 + m).tolist(), np.arange(float(n)).tolist()
    assert mann_whitney(high, low, alternative="two-sided").p == pytest.approx(least_p(m, n))


def test_seeds_needed_are_the_fewest_that_can_be_enough() -> None:
    assert [seeds_needed(k) for k in (1, 4, 10)] == [4, 5, 6]
    for k in range(1, 20):
        seeds = seeds_needed(k)
        assert k * least_p(seeds, seeds) <= 0.05 < k * least_p(seeds - 1, seeds - 1)


def test_signed_ranks_count_all_signs() -> None:
    first, second = [1.0, 5.0, 2.0, 9.0], [0.5, 2.0, 3.0, 4.0]
    sizes = [1, 3, 2, 4]  # ranks of the absolute differences 0.5, 3, 1, 5; the third is negative
    sums = [
        sum(r for r, sign in zip(sizes, signs, strict=True) if sign) for signs in product((0, 1), repeat=4)
    ]
    extreme = np.mean([total >= 8 or total <= 2 for total in sums])
    test = signed_rank(first, second)
    assert test.p == pytest.approx(extreme)
    assert test.superiority == 0.75


_FEW = st.lists(st.integers(0, 3), min_size=1, max_size=5)


@given(_FEW, _FEW)
def test_ties_are_counted_arrangement_by_arrangement(first: list[int], second: list[int]) -> None:
    pooled, places = [*first, *second], range(len(first) + len(second))

    def wins(chosen: tuple[int, ...]) -> float:
        rest = [pooled[place] for place in places if place not in chosen]
        return sum((pooled[x] > y) + 0.5 * (pooled[x] == y) for x in chosen for y in rest)

    every = np.array([wins(chosen) for chosen in combinations(places, len(first))])
    ours = wins(tuple(places[: len(first)]))
    above, below = np.mean(every >= ours), np.mean(every <= ours)
    one, other = [float(x) for x in first], [float(y) for y in second]
    assert mann_whitney(one, other).p == pytest.approx(above)
    both = mann_whitney(one, other, alternative="two-sided").p
    assert both == pytest.approx(min(1.0, 2 * above, 2 * below))
    assert both >= least_p(len(one), len(other)) * (1 - 1e-9)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=7))
def test_tied_differences_are_counted_sign_by_sign(differences: list[int]) -> None:
    told = [d for d in differences if d]
    sizes = [sum((abs(e) < abs(d)) + 0.5 * (abs(e) == abs(d)) for e in told) + 0.5 for d in told]
    ours = sum(size for size, d in zip(sizes, told, strict=True) if d > 0)
    every = np.array(
        [
            sum(size for size, sign in zip(sizes, signs, strict=True) if sign)
            for signs in product((0, 1), repeat=len(told))
        ]
    )
    p = signed_rank([float(d) for d in differences], [0.0] * len(differences)).p
    assert p == pytest.approx(min(1.0, 2 * np.mean(every >= ours), 2 * np.mean(every <= ours)))
    assert p >= least_paired_p(len(differences)) * (1 - 1e-9)


def test_no_ties_make_a_few_runs_significant() -> None:
    assert mann_whitney([1.0] * 3, [0.0] * 3, alternative="two-sided").p == pytest.approx(least_p(3, 3))
    assert signed_rank([1.0] * 5, [0.0] * 5).p == pytest.approx(least_paired_p(5))


def test_exact_and_approximate_meet_where_one_takes_over() -> None:
    ours, theirs = [float(i % 7) for i in range(30)], [float(i % 9) for i in range(30)]
    exact = mann_whitney(ours, theirs, alternative="two-sided").p
    assert exact == pytest.approx(mann_whitney([*ours, 3.0], theirs, alternative="two-sided").p, abs=0.02)
    steps = [float(i % 7 - 2) or 9.0 for i in range(50)]
    exact = signed_rank(steps, [0.0] * 50).p
    assert exact == pytest.approx(signed_rank([*steps, 0.5], [0.0] * 51).p, abs=0.02)


def test_equal_pairs_say_nothing() -> None:
    assert signed_rank([1.0, 2.0], [1.0, 2.0]) == signed_rank([3.0], [3.0])
    assert signed_rank([1.0, 2.0], [1.0, 2.0]).p == 1.0


def test_values_without_a_match_are_refused() -> None:
    with pytest.raises(ValueError, match="come in pairs"):
        signed_rank([1.0, 2.0], [1.0])


def test_seeds_needed_for_matched_runs() -> None:
    assert [seeds_needed(k, paired=True) for k in (1, 4, 10)] == [6, 8, 9]
    assert least_paired_p(6) == signed_rank([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.0] * 6).p


def test_no_set_is_smaller_than_one() -> None:
    with pytest.raises(ValueError, match="at least one"):
        least_p(0, 3)


def test_equal_values_say_nothing() -> None:
    test = mann_whitney([1.0, 1.0], [1.0, 1.0, 1.0])
    assert (test.p, test.superiority) == (1.0, 0.5)


def test_worse_runs_are_never_called_better() -> None:
    test = mann_whitney([-1e300, 0.0, 0.0], [1.0, 2.0, 1e300])
    assert test.p == pytest.approx(1.0, abs=0.05)
    assert test.superiority == 0.0


@pytest.mark.parametrize("values", [[], [float("nan")]])
def test_sets_without_meaning_are_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match="rank test"):
        mann_whitney(values, [1.0])


def test_absent_scipy_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(MissingExtraError, match=r"speciate\[stats\]"):
        mann_whitney([1.0], [2.0])


def test_holm_matches_a_worked_example() -> None:
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02])


@given(st.lists(st.floats(0, 1), max_size=12), st.floats(0.001, 0.5))
def test_holm_rejects_what_the_step_down_procedure_rejects(p_values: list[float], alpha: float) -> None:
    alpha_hits = set()
    for k, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        if p_values[index] * (len(p_values) - k) > alpha:
            break
        alpha_hits.add(index)
    assert {i for i, p in enumerate(holm(p_values)) if p <= alpha} == alpha_hits


def test_holm_refuses_what_is_no_probability() -> None:
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        holm([0.5, 1.5])
