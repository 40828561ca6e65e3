import pytest

from speciate.problems.atcoder.contests import BALANCE, Verdict, Wrong
from speciate.problems.atcoder.contests.balance import judge
from speciate.problems.atcoder.run import weighed

CASE = {"weights": [3, 1, 1, 1], "queries": 1, "groups": 2}


def test_equal_groups_have_the_best_score() -> None:
    assert judge(CASE, Verdict("0 1 1 1", "1 1 0 1")) == 1


def test_the_score_is_a_hundred_standard_deviations() -> None:
    assert judge(CASE, Verdict("0 0 0 0", "1 1 0 1")) == 301


@pytest.mark.parametrize(
    ("printed", "queries", "why"),
    [
        ("0 1 1 1", "", "0 comparisons"),
        ("0 1 1 1", "1 1 0 1\n1 1 0 1", "2 comparisons"),
        ("0 1 1", "1 1 0 1", "4 groups"),
        ("0 1 1 2", "1 1 0 1", "0 to 1"),
        ("a", "1 1 0 1", "no integer"),
    ],
)
def test_what_breaks_the_rules_is_refused(printed: str, queries: str, why: str) -> None:
    with pytest.raises(Wrong, match=why):
        judge(CASE, Verdict(printed, queries))


@pytest.mark.parametrize(
    ("line", "sign"),
    [
        ("1 1 0 1", ">"),
        ("1 1 1 0", "<"),
        ("1 1 1 2", "="),
        ("1 3 0 1 2 3", "="),
        ("1 1 0 0", ""),
        ("0 1 1", ""),
        ("1 1 0 4", ""),
        ("1 1 0", ""),
        ("-1 1 0", ""),
        ("which?", ""),
        ("", ""),
    ],
)
def test_the_balance_answers_questions_that_make_sense(line: str, sign: str) -> None:
    assert weighed(line, [3, 1, 1, 1]) == sign


@pytest.mark.parametrize("seed", range(20))
def test_cases_keep_to_the_statement(seed: int) -> None:
    case = BALANCE.generate(seed)
    n, d, q = map(int, case["input"].split())
    assert 30 <= n <= 100
    assert 2 <= d <= n // 4
    assert 2 * n <= q <= 32 * n
    assert all(1 <= weight <= 1e5 * n / d for weight in case["weights"])
    assert BALANCE.generate(seed) == case
