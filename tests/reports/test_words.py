import pytest

from speciate.reports.words import dollars, duration, exact, gain, number, share


@pytest.mark.parametrize(
    ("cost", "text"),
    [(None, "$ unknown"), (0.0, "$0.00"), (0.0123, "$0.0123"), (1.234, "$1.23"), (1e-7, "under $0.0001")],
)
def test_unknown_money_is_not_nothing_and_small_sums_are_not_zero(cost: float | None, text: str) -> None:
    assert dollars(cost) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.0123, "12 ms"), (61.04, "61.0 s"), (150, "2 min 30 s"), (3725, "1 h 2 min")]
)
def test_durations_are_told_in_units_that_suit_them(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_what_is_not_there_is_a_dash() -> None:
    assert (number(None), gain(None), share(0, 0)) == ("–", "–", "–")
    assert (number(2.6359830849), gain(0.5), share(1, 3)) == ("2.63598", "+0.5", "33 %")


def test_scores_keep_ten_digits() -> None:
    assert exact(2.63598308491) == "2.635983085"
    assert exact(-1e300) == "-1e+300"
