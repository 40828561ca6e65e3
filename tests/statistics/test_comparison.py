from __future__ import annotations

import pytest
from scipy.stats import mannwhitneyu

from speciate.seeds import stream
from speciate.statistics import compare_groups


def scores(*values: float) -> dict[int, float]:
    return dict(enumerate(values))


HIGH, LOW = scores(5.0, 6.0, 7.0, 8.0, 9.0), scores(1.0, 2.0, 3.0, 4.0, 4.5)


def test_complete_separation_is_found_and_named_whichever_stands_first() -> None:
    (pair,) = compare_groups({"a": LOW, "b": HIGH}, [("a", "b")])
    assert pair.p == pair.adjusted == pair.least == pytest.approx(2 / 252)
    assert (pair.superiority, pair.rank_biserial) == (0.0, -1.0)
    assert pair.winner(0.05) == "b"
    (turned,) = compare_groups({"a": LOW, "b": HIGH}, [("b", "a")])
    assert turned.winner(0.05) == "b"


def test_the_difference_is_that_of_the_medians_with_its_interval() -> None:
    (pair,) = compare_groups({"a": HIGH, "b": LOW}, [("a", "b")])
    assert pair.difference is not None
    assert pair.difference.estimate == 4.0
    assert 0 < pair.difference.low <= 4.0 <= pair.difference.high
    assert pair.difference.excludes_zero


def test_more_comparisons_ask_for_more() -> None:
    groups = {"a": HIGH, "b": LOW, "c": LOW, "d": LOW}
    pairs = compare_groups(groups, [("a", "b"), ("a", "c"), ("a", "d")])
    assert [pair.adjusted for pair in pairs] == [pytest.approx(3 * 2 / 252)] * 3
    assert [pair.least for pair in pairs] == [pytest.approx(3 * 2 / 252)] * 3


def test_no_pair_wins_without_significance() -> None:
    (pair,) = compare_groups({"a": scores(1.0, 3.0, 5.0), "b": scores(2.0, 2.5, 4.0)}, [("a", "b")])
    assert pair.winner(0.05) is None


def test_a_single_run_has_ranks_and_no_interval() -> None:
    (pair,) = compare_groups({"a": scores(1.0), "b": HIGH}, [("a", "b")])
    assert pair.difference is None
    assert pair.superiority == 0.0


def test_a_group_without_runs_is_left_out_and_not_counted() -> None:
    pairs = compare_groups({"a": HIGH, "b": LOW, "c": {}}, [("a", "b"), ("a", "c")])
    assert [(pair.first, pair.second) for pair in pairs] == [("a", "b")]
    assert pairs[0].adjusted == pairs[0].p


def test_equal_groups_are_seldom_told_apart() -> None:
    """Of experiments in which nothing differs, about one in twenty finds a difference in any of its pairs."""
    found = 0
    names = [("a", "b"), ("a", "c"), ("a", "d")]
    for k in range(100):
        rng = stream(5, k, "equal groups")
        groups = {name: scores(*rng.normal(size=6)) for name in "abcd"}
        found += any(pair.winner(0.05) for pair in compare_groups(groups, names))
    assert 1 <= found <= 11  # at most 5 are expected


def test_a_real_difference_is_often_found() -> None:
    found = 0
    for k in range(60):
        rng = stream(6, k, "different groups")
        groups = {"a": scores(*rng.normal(2.0, 1.0, size=8)), "b": scores(*rng.normal(0.0, 1.0, size=8))}
        found += any(pair.winner(0.05) == "a" for pair in compare_groups(groups, [("a", "b")]))
    assert found >= 50


def test_equal_calls_give_equal_intervals() -> None:
    groups = {"a": HIGH, "b": LOW}
    assert compare_groups(groups, [("a", "b")]) == compare_groups(groups, [("a", "b")])


def test_runs_of_one_seed_are_matched_whatever_their_order() -> None:
    ours = {seed: 10.0 * seed + 1 for seed in range(6)}
    theirs = {seed: 10.0 * seed for seed in reversed(range(7))}
    (pair,) = compare_groups({"a": ours, "b": theirs}, [("a", "b")], test="wilcoxon")
    assert pair.sizes == (6, 6)
    assert pair.superiority == 1.0
    assert pair.difference is not None
    assert (pair.difference.low, pair.difference.high) == (1.0, 1.0)


def test_matching_shows_what_the_spread_of_seeds_hides() -> None:
    ours = {seed: 10.0 * seed + 1 + seed / 100 for seed in range(6)}
    theirs = {seed: 10.0 * seed for seed in range(6)}
    groups = {"a": ours, "b": theirs}
    (apart,) = compare_groups(groups, [("a", "b")])
    (matched,) = compare_groups(groups, [("a", "b")], test="wilcoxon")
    assert apart.winner(0.05) is None
    assert matched.winner(0.05) == "a"
    assert matched.p == matched.least == 2 / 2**6


def test_without_a_common_seed_nothing_is_matched() -> None:
    assert compare_groups({"a": {0: 1.0}, "b": {1: 2.0}}, [("a", "b")], test="wilcoxon") == ()


def test_effects_of_overlapping_groups_are_those_counted_by_hand() -> None:
    first, second = scores(1.0, 3.0, 4.0), scores(1.0, 2.0, 4.0)
    # 1: ties 1, loses 2, loses 4; 3: beats 1, beats 2, loses 4; 4: beats 1, beats 2, ties 4.
    (pair,) = compare_groups({"a": first, "b": second}, [("a", "b")])
    assert pair.superiority == pytest.approx((4 + 2 / 2) / 9)
    assert pair.rank_biserial == pytest.approx((4 - 3) / 9)


@pytest.mark.parametrize("seed", range(5))
def test_p_and_its_correction_are_those_of_scipy(seed: int) -> None:
    rng = stream(9, seed, "choose")
    groups = {name: scores(*(rng.normal(size=7) + shift)) for name, shift in (("a", 0), ("b", 1), ("c", 3))}
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    found = compare_groups(groups, pairs)
    alone = [
        mannwhitneyu(list(groups[one].values()), list(groups[other].values()), method="exact").pvalue
        for one, other in pairs
    ]
    assert [pair.p for pair in found] == pytest.approx(alone)
    # Holm by hand: the smallest times 3, the next times 2, the largest once, and none below the one before.
    running, holm = 0.0, {}
    for factor, (p, pair) in zip((3, 2, 1), sorted(zip(alone, pairs, strict=True)), strict=True):
        running = max(running, min(1.0, factor * p))
        holm[pair] = running
    assert {(pair.first, pair.second): pair.adjusted for pair in found} == pytest.approx(holm)


def test_of_matched_values_the_better_one_is_whom_the_ranks_favour() -> None:
    # Fourteen large wins against sixteen small losses: ranks say first, mere counting says second.
    wins = {seed: 10.0 + seed for seed in range(14)}
    losses = {seed: -0.01 * (seed - 13) for seed in range(14, 30)}
    (pair,) = compare_groups(
        {"a": {**wins, **losses}, "b": dict.fromkeys(range(30), 0.0)}, [("a", "b")], test="wilcoxon"
    )
    assert pair.superiority < 0.5
    assert pair.lead == 1
    assert pair.winner(0.06) == "a"
