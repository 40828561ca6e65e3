from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from speciate.errors import RunFolderError, UsageError
from speciate.records import Direction, EpochOpened, Json, TextRef, text_hash
from speciate.reports import compare_runs, comparison_json, comparison_page, write_comparison
from speciate.reports.compare_page import comparison_series
from speciate.store import open_store
from speciate.testing.stories import Story


def run(
    folder: Path,
    scores: Sequence[float],
    *,
    policy: str = "beam",
    proposer: str = "genetic",
    direction: Direction = "maximize",
    seed: int = 1,
    caps: int = 100,
    circles: int = 26,
    later: str | None = None,
) -> Path:
    """Writes a run whose candidates score as told; the first is the initial program."""
    store = open_store(folder)
    try:
        config: dict[str, Json] = {
            "selection": {"policy": policy},
            "seed": seed,
            "budget": {"candidates": caps},
            "task": {"parameters": {"circles": circles}},
        }
        told = Story(store).begin(direction=direction, config=config)
        for score in scores:
            told.scores(told.choose(proposer=proposer), score)
        last: dict[str, Json] = {} if later is None else {"settings": {"selection": {"policy": later}}}
        store.update_session(store.open_session(last), seconds=3.0, stop_reason="candidates")
    finally:
        store.close()
    return folder


def test_runs_are_compared_at_the_budget_that_all_have_spent(tmp_path: Path) -> None:
    short = run(tmp_path / "short", [1, 2, 3, 4, 5])
    long = run(tmp_path / "long", [1, 1, 1, 1, 2, 9, 9, 9, 9])
    comparison = compare_runs([short, long])
    assert comparison.budget == 4
    assert [comparison.at(0, share) for share in (0.25, 0.5, 1.0)] == [2, 3, 5]
    assert [comparison.at(1, share) for share in (0.25, 0.5, 1.0)] == [1, 1, 2]
    assert [comparison.final(place) for place in (0, 1)] == [5, 9]


def test_a_minimised_objective_is_shown_as_the_user_wrote_it(tmp_path: Path) -> None:
    runs = [run(tmp_path / name, [-4, -2], direction="minimize") for name in "ab"]
    comparison = compare_runs(runs)
    assert comparison.final(0) == 2
    assert [line.middle.tolist() for line in comparison_series(comparison)] == [[4, 2], [4, 2]]


def test_runs_that_differ_in_the_seed_alone_are_one_kind_and_kinds_are_tested(tmp_path: Path) -> None:
    beams = [run(tmp_path / f"beam{k}", [1, 10 + k], seed=k) for k in range(4)]
    others = [run(tmp_path / f"uniform{k}", [1, 2 + k], policy="uniform", seed=k) for k in range(4)]
    comparison = compare_runs([*beams, *others])
    assert [(group.name, group.runs) for group in comparison.groups] == [
        ("policy=beam", (0, 1, 2, 3)),
        ("policy=uniform", (4, 5, 6, 7)),
    ]
    (pair,) = comparison.pairs
    assert pair.winner(0.05) == "policy=beam"
    first, second = comparison_series(comparison)
    assert (first.label, first.middle.tolist()) == ("policy=beam (4 runs)", [1, 11.5])
    assert second.low is not None
    assert "Not shown" not in comparison_page(comparison)


def test_one_run_of_each_kind_shows_nothing(tmp_path: Path) -> None:
    comparison = compare_runs([run(tmp_path / "a", [1, 9]), run(tmp_path / "b", [1, 2], policy="uniform")])
    assert comparison.pairs == ()
    assert any("another seed may turn the order around" in remark for remark in comparison.remarks)


def test_a_difference_that_was_not_shown_is_named(tmp_path: Path) -> None:
    runs = [run(tmp_path / f"a{k}", [1, 2 + k], seed=k) for k in range(2)]
    runs += [run(tmp_path / f"b{k}", [1, 2 + k], policy="uniform", seed=k) for k in range(2)]
    page = comparison_page(compare_runs(runs))
    assert "Not shown: a difference between policy=beam and policy=uniform." in page


def test_stand_ins_for_models_are_named(tmp_path: Path) -> None:
    runs = [run(tmp_path / name, [1, 2], proposer=f"simulated:{name}") for name in ("bold", "slow")]
    assert any("simulated:bold, simulated:slow" in remark for remark in compare_runs(runs).remarks)


def test_runs_that_have_spent_nothing_have_no_equal_budget(tmp_path: Path) -> None:
    comparison = compare_runs([run(tmp_path / "a", [1]), run(tmp_path / "b", [1, 2])])
    assert comparison.budget == 0
    assert np.isfinite(comparison.curves).all()
    assert any("no equal budget" in remark for remark in comparison.remarks)


def test_different_objectives_cannot_be_compared(tmp_path: Path) -> None:
    runs = [run(tmp_path / "a", [1]), run(tmp_path / "b", [1], direction="minimize")]
    with pytest.raises(UsageError, match="one task and objective"):
        compare_runs(runs)


def test_different_tasks_are_refused_whatever_their_rounds(tmp_path: Path) -> None:
    rounds = run(tmp_path / "rounds", [1, 2], direction="minimize")
    store = open_store(rounds)
    asyncio.run(
        store.append(
            [EpochOpened(ordinal=1, part="1", epoch=1, context=TextRef(text_hash("")))], {text_hash(""): ""}
        )
    )
    store.close()
    with pytest.raises(UsageError, match=r"toy, maximize length \(.*a\), toy, minimize length"):
        compare_runs([run(tmp_path / "a", [1]), rounds])
    with pytest.raises(UsageError, match="2 epochs"):
        compare_runs([rounds, rounds])


def test_runs_that_spent_differently_are_told_so_and_are_of_one_kind(tmp_path: Path) -> None:
    short = run(tmp_path / "short", [1, 2, 3], caps=2)
    long = run(tmp_path / "long", [1, 2, 3, 9], caps=3)
    comparison = compare_runs([short, long])
    assert any("did not spend the same: 2 to 3 candidates" in remark for remark in comparison.remarks)
    assert [one.key for one in comparison.differences] == ["budget.candidates"]
    assert [group.runs for group in comparison.groups] == [(0, 1)]


def test_other_parameters_make_scores_of_another_kind(tmp_path: Path) -> None:
    runs = [run(tmp_path / "a", [1]), run(tmp_path / "b", [1], circles=5)]
    assert any("parameters were not the same" in remark for remark in compare_runs(runs).remarks)


def test_a_run_that_went_on_with_other_settings_is_compared_by_the_last_ones(tmp_path: Path) -> None:
    first = run(tmp_path / "first", [1, 2, 3])
    other = run(tmp_path / "other", [1, 2, 3], later="uniform")
    comparison = compare_runs([first, other])
    assert [one.values for one in comparison.differences] == [("beam", "uniform")]
    assert len(comparison.groups) == 2
    assert any(
        "other went on with other settings (selection.policy)" in remark for remark in comparison.remarks
    )


def test_one_run_is_not_compared(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="two runs"):
        compare_runs([run(tmp_path / "a", [1])])


def test_a_folder_without_a_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="holds no run"):
        compare_runs([run(tmp_path / "a", [1]), tmp_path / "none"])


def test_the_page_shows_scores_settings_and_the_picture(tmp_path: Path) -> None:
    comparison = compare_runs([run(tmp_path / "a", [1, 9]), run(tmp_path / "b", [1, 2], policy="uniform")])
    files, missing = write_comparison(comparison, tmp_path / "out")
    assert missing is None
    assert [path.name for path in files] == ["compare.md", "compare.png"]
    page = files[0].read_text()
    assert "| selection.policy | beam | uniform |" in page
    assert "![The best score so far of each run](compare.png)" in page
    assert f"| {tmp_path}/a | 7 | 1 | 1 | 9 | 9 | 1 |" in page


def test_the_object_says_all_in_the_users_direction(tmp_path: Path) -> None:
    runs = [run(tmp_path / f"a{k}", [-3, -1 - k], direction="minimize", seed=k) for k in range(2)]
    runs += [
        run(tmp_path / f"b{k}", [-3, -2 - k], policy="uniform", direction="minimize", seed=k)
        for k in range(2)
    ]
    told = json.loads(json.dumps(comparison_json(compare_runs(runs))))
    assert told["runs"][0]["score"] == 1
    assert told["budget"] == {"unit": "candidates", "amount": 1}
    (pair,) = told["comparisons"]
    assert (pair["difference"], pair["better"]) == (-1, None)
    assert pair["low"] <= pair["difference"] <= pair["high"]
    assert told["differences"] == {"selection.policy": ["beam", "beam", "uniform", "uniform"]}
