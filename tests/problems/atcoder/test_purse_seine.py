import numpy as np
import pytest

from speciate.problems.atcoder.contests import PURSE_SEINE, Verdict, Wrong
from speciate.problems.atcoder.contests.purse_seine import inside, judge

SQUARE = "4\n0 0\n10 0\n10 10\n0 10\n"


def scored(printed: str) -> float:
    case = {"mackerels": np.array([[0, 0], [5, 5], [11, 5]]), "sardines": np.array([[10, 3], [50, 50]])}
    return judge(case, Verdict(printed))


def test_a_point_on_a_side_is_inside() -> None:
    assert scored(SQUARE) == 2  # two mackerels, the sardine on the right side, and one


def test_a_net_of_sardines_scores_zero_at_least() -> None:
    assert scored("4\n40 40\n60 40\n60 60\n40 60\n") == 0


def test_the_last_of_several_polygons_counts() -> None:
    assert scored("4\n40 40\n60 40\n60 60\n40 60\n" + SQUARE) == 2


@pytest.mark.parametrize(
    ("printed", "why"),
    [
        ("", "nothing"),
        ("4 x", "no integer"),
        ("3\n0 0\n1 0\n1 1\n", "3 vertices"),
        ("4\n0 0\n10 0\n", "ends before"),
        ("4\n0 0\n10 0\n10 100001\n0 100001\n", "coordinate"),
        ("4\n0 0\n10 0\n10 10\n1 10\n", "parallel"),
        ("4\n0 0\n10 0\n0 0\n0 10\n", "same"),
        ("4\n0 0\n100000 0\n100000 100000\n0 100000\n", None),
        ("8\n0 0\n10 0\n10 10\n5 10\n5 0\n4 0\n4 10\n0 10\n", "touch or cross"),
        ("6\n0 0\n10 0\n10 10\n0 10\n0 20\n0 5\n", "touch or cross"),
        ("8\n0 0\n20 0\n20 10\n10 10\n10 20\n15 20\n15 5\n0 5\n", "touch or cross"),
    ],
)
def test_what_breaks_the_rules_is_refused(printed: str, why: str | None) -> None:
    if why is None:
        assert scored(printed) >= 0
    else:
        with pytest.raises(Wrong, match=why):
            scored(printed)


def test_a_net_of_more_than_the_longest_perimeter_is_refused() -> None:
    notched = "8\n0 0\n100000 0\n100000 100000\n50001 100000\n50001 1\n50000 1\n50000 100000\n0 100000\n"
    with pytest.raises(Wrong, match="at most 400000"):
        scored(notched)


def test_inside_agrees_with_the_definition_cell_by_cell() -> None:
    corner = np.array([[0, 0], [6, 0], [6, 3], [3, 3], [3, 6], [0, 6]])
    grid = np.array([[x, y] for x in range(8) for y in range(8)])
    expected = [(x <= 6 and y <= 3) or (x <= 3 and y <= 6) for x, y in grid.tolist()]
    assert inside(corner, grid).tolist() == expected


def test_a_seed_names_its_case() -> None:
    first, again, other = (PURSE_SEINE.generate(seed) for seed in (3, 3, 4))
    assert first["input"] == again["input"] != other["input"]
    points = np.concatenate([first["mackerels"], first["sardines"]])
    assert points.shape == (10_000, 2)
    assert len({tuple(point) for point in points.tolist()}) == 10_000
    assert points.min() >= 0
    assert points.max() <= 100_000
