import types
from typing import Any

import numpy as np
import pytest

from speciate.problems.circle_packing import load, run, score

CASE = score.cases(load({"n": 3}).context)[0]
GOOD = {"centres": [[0.2, 0.2], [0.5, 0.5], [0.8, 0.8]], "radii": [0.1, 0.2, 0.1]}


def test_a_valid_packing_scores_the_sum_of_its_radii() -> None:
    scored = score.score(CASE, GOOD)
    assert scored["valid"]
    assert scored["values"]["sum_radii"] == 0.4
    assert scored["values"]["exact_sum_radii"] == pytest.approx(0.4 - 3e-8, abs=1e-12)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        7,
        "text",
        {},
        {"centres": "x", "radii": []},
        {"centres": [[0, 0]] * 2, "radii": [0.1] * 2},
        {"centres": [[0.2, 0.2, 0.2]] * 3, "radii": [0.1] * 3},
        {"centres": [[0.2, 0.2], [0.5, 0.5], [0.8, float("nan")]], "radii": [0.1] * 3},
        {"centres": GOOD["centres"], "radii": [0.1, float("inf"), 0.1]},
        {"centres": GOOD["centres"], "radii": [[0.1], [0.1], [0.1]]},
        {"centres": GOOD["centres"], "radii": [0.1, 10**400, 0.1]},
        {"centres": [[1, 2], [3], [4, 5]], "radii": [0.1] * 3},
    ],
)
def test_any_other_answer_is_invalid_and_says_why(data: Any) -> None:
    scored = score.score(CASE, data)
    assert not scored["valid"]
    assert scored["values"] == {}
    assert scored["feedback"]


def test_an_invalid_case_gives_no_objective() -> None:
    scored = score.score(CASE, {**GOOD, "radii": [0.3, 0.3, 0.3]})
    assert "overlap" in scored["feedback"]
    assert score.aggregate([scored]) == {"objectives": {}, "valid": False}


def test_a_packing_that_is_only_valid_with_slack_reports_no_exact_sum() -> None:
    data = {**GOOD, "radii": [0.2 + 9e-7, 0.2, 0.1]}
    values = score.score(CASE, data)["values"]
    assert values["exact_valid"] is False
    assert "exact_sum_radii" not in values


def test_border_share_counts_circles_that_touch() -> None:
    data = {"centres": [[0.1, 0.5], [0.5, 0.5], [0.9, 0.5]], "radii": [0.1, 0.2, 0.1]}
    assert score.score(CASE, data)["values"]["border_share"] == pytest.approx(2 / 3)


def test_run_gives_arrays_and_refuses_other_shapes_of_answer() -> None:
    module = types.SimpleNamespace(pack=lambda: (GOOD["centres"], GOOD["radii"]))
    answer = run.run(module, CASE["data"])
    assert isinstance(answer["centres"], np.ndarray)
    assert answer["radii"].shape == (3,)
    with pytest.raises(TypeError, match="3 values"):
        run.run(module, {**CASE["data"], "shape": "rectangle"})
