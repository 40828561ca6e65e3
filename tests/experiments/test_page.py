from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from speciate.experiments import Written, analyse, result_tables, summary_of, write_results
from speciate.experiments.page import curve_series, final_points
from speciate.experiments.pictures import spread
from speciate.testing.experiments import Numbers

APART = Numbers(a=[5.0, 6.0, 7.0, 8.0], b=[1.0, 2.0, 3.0, None])


def written(numbers: Numbers, out: Path) -> Written:
    results = numbers.results(direction="minimize")
    return write_results(results, analyse(results), out)


def test_all_files_are_written_the_page_first(tmp_path: Path) -> None:
    files = written(APART, tmp_path).files
    names = {
        "report.md",
        "runs.csv",
        "curves.csv",
        "comparisons.csv",
        "timing.csv",
        "tables.tex",
        "tables.html",
    }
    assert files[0] == tmp_path / "report.md"
    assert names | {"curves-toy.png", "finals-toy.png"} <= {path.name for path in files}
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in files}


def test_the_page_tells_results_and_what_they_do_not_show(tmp_path: Path) -> None:
    page = written(APART, tmp_path).files[0].read_text()
    for words in (
        "# numbers",
        "| a | 4 | -6.5 ",
        "![curves-toy.png](curves-toy.png)",
        "## What this does not show",
        "Not shown on toy",
        "- toy/b/seed-3 (failed): it broke",
        "speciate ",
    ):
        assert words in page, words


def test_tables_for_papers_and_pages_say_the_same(tmp_path: Path) -> None:
    written(APART, tmp_path)
    latex, html = (tmp_path / "tables.tex").read_text(), (tmp_path / "tables.html").read_text()
    assert latex.count(r"\begin{table}") == html.count("<table>") == 3
    assert "-6.5" in latex
    assert "-6.5" in html
    assert "Not shown on toy" in html


def test_without_matplotlib_the_rest_is_written_and_the_page_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    told = written(APART, tmp_path)
    assert any("plot" in line for line in told.skipped)
    assert not list(tmp_path.glob("*.png"))
    assert "speciate\\[plot\\]" in told.files[0].read_text()


@pytest.mark.parametrize("pairing", ["none", "seeds"])
@pytest.mark.parametrize("scores", [[1e308, -1e308, 1.5e308, 1e307], [1e-320, 0.0, 5e-324], [3.0, 3.0, 3.0]])
def test_scores_of_any_size_are_written(
    scores: list[float], pairing: Literal["none", "seeds"], tmp_path: Path
) -> None:
    results = Numbers(a=scores, b=[score / 2 for score in scores]).results(pairing=pairing)
    files = write_results(results, analyse(results), tmp_path).files
    assert all(path.stat().st_size for path in files)


def test_figures_are_data_first() -> None:
    results = APART.results(direction="minimize")
    (task,) = analyse(results)
    first, second = curve_series(task)
    assert first.label == "a (4)"
    assert first.middle.tolist() == [0.0, -6.5]
    assert second.low is not None
    names, scores = zip(*final_points(task), strict=True)
    assert names == ("a", "b")
    assert scores[0].tolist() == [-8.0, -7.0, -6.0, -5.0]
    assert len(np.unique(spread(np.zeros(4)))) == 4


def test_a_single_run_has_a_score_and_no_interval() -> None:
    results = Numbers(a=[5.0], b=[2.0]).results()
    (task,) = analyse(results)
    summary = summary_of(task, task.conditions[0])
    assert (summary.median_final, summary.median_final_low, summary.mean_area) == (5.0, None, 2.5)
    assert result_tables(task, results.plan)[0].rows[0][2] == "5"


def test_a_condition_without_runs_has_a_row_of_dashes() -> None:
    results = Numbers(a=[5.0], b=[None]).results()
    (task,) = analyse(results)
    assert result_tables(task, results.plan)[0].rows[1][:5] == ("b", "0", "–", "–", "–")
