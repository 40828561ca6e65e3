import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.problems.circle_packing.verify import Packing, Verifier, explain, violations


def packing(*circles: tuple[float, float, float], width: float = 1.0) -> Packing:
    table = np.array(circles, dtype=np.float64)
    return Packing(table[:, :2], table[:, 2], width)


def valid(candidate: Packing, verifier: Verifier) -> bool:
    return not violations(candidate, verifier)


TANGENT = packing((0.375, 0.5, 0.125), (0.625, 0.5, 0.125))


def test_exactly_tangent_circles_are_valid() -> None:
    assert valid(TANGENT, "exact")


def test_a_3_4_5_tangency_off_the_axes_is_valid() -> None:
    # Distance 5/16 * (3/5, 4/5) in units of 1/16: all lengths are dyadic.
    pair = packing((0.25, 0.25, 0.125), (0.25 + 3 / 16, 0.25 + 4 / 16, 3 / 16))
    assert valid(pair, "exact")


@pytest.mark.parametrize("which", [0, 1])
def test_one_ulp_of_overlap_is_refused_exactly_and_granted_with_slack(which: int) -> None:
    radii = TANGENT.radii.copy()
    radii[which] = math.nextafter(radii[which], 1.0)
    swollen = Packing(TANGENT.centres, radii)
    assert [v.text for v in violations(swollen, "exact")] == ["circles 0 and 1 overlap"]
    assert valid(swollen, "relaxed")


def test_touching_each_side_is_valid_and_one_ulp_over_is_not() -> None:
    for x, y in [(0.25, 0.5), (0.75, 0.5), (0.5, 0.25), (0.5, 0.75)]:
        assert valid(packing((x, y, 0.25)), "exact")
        over = packing((x, y, math.nextafter(0.25, 1.0)))
        assert not valid(over, "exact")
        assert valid(over, "relaxed")


def test_a_rounded_sum_that_hides_the_overhang_is_still_refused() -> None:
    # 0.75 + (0.25 + 2^-54) rounds to 1.0 in doubles.
    radius = math.nextafter(0.25, 1.0)
    assert 0.75 + radius == 1.0
    assert not valid(packing((0.75, 0.5, radius)), "exact")


@pytest.mark.parametrize(("overlap", "expected"), [(0.9e-6, True), (1.1e-6, False)])
def test_the_relaxed_slack_ends_at_one_millionth(overlap: float, expected: bool) -> None:
    assert valid(packing((0.25, 0.5, 0.2), (0.65 - overlap, 0.5, 0.2)), "relaxed") is expected
    assert valid(packing((0.2 - overlap, 0.5, 0.2)), "relaxed") is expected


@pytest.mark.parametrize("verifier", ["relaxed", "exact"])
def test_negative_radii_are_refused(verifier: Verifier) -> None:
    found = violations(packing((0.5, 0.5, -0.1)), verifier)
    assert "circle 0 has the negative radius" in found[0].text


@pytest.mark.parametrize("width", [0.0, -1.0, 2.0, 2.5])
def test_a_rectangle_needs_room(width: float) -> None:
    assert not valid(packing((0.1, 0.1, 0.01), width=width), "relaxed")


def test_a_wide_rectangle_is_low() -> None:
    assert valid(packing((1.2, 0.25, 0.25), width=1.5), "exact")
    assert not valid(packing((1.2, 0.3, 0.25), width=1.5), "exact")


def test_huge_coordinates_are_outside_and_raise_no_warning() -> None:
    assert not valid(packing((1e308, -1e308, 1e308), (-1e308, 1e308, 1.0)), "exact")


def test_the_feedback_names_the_worst_pair_first() -> None:
    crowded = packing(*((0.5, 0.1 + 0.1 * k, 0.06) for k in range(8)), (0.5, 0.11, 0.06))
    lines = explain(violations(crowded, "relaxed")).splitlines()
    assert "circles 0 and 8 overlap (by 0.11)" in lines[1]
    assert lines[-1].startswith("- and ")


@given(
    st.lists(
        st.tuples(*(st.floats(0.0, 1.0, allow_subnormal=True) for _ in range(2)), st.floats(0.0, 0.5)),
        min_size=2,
        max_size=6,
    )
)
def test_whatever_is_exactly_valid_is_valid_with_slack(circles: list[tuple[float, float, float]]) -> None:
    candidate = packing(*circles)
    if valid(candidate, "exact"):
        assert valid(candidate, "relaxed")
    else:
        assert not valid(candidate, "relaxed") or violations(candidate, "exact")[0].amount <= 1.1e-6
