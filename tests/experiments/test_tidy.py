from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest

from speciate.errors import MissingExtraError
from speciate.experiments import analyse
from speciate.experiments.tidy import comparisons_table, curves_table, runs_table, write_csv, write_parquet
from speciate.testing.experiments import Numbers


def rows(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def test_every_run_has_a_row_and_missing_ones_say_so(tmp_path: Path) -> None:
    table = runs_table(Numbers(a=[0.1, 2.5], b=[None]).results(direction="minimize"))
    told = rows(write_csv(table, tmp_path))
    assert [(row["condition"], row["seed"], row["status"], row["final"]) for row in told] == [
        ("a", "0", "done", "-0.1"),
        ("a", "1", "done", "-2.5"),
        ("b", "0", "failed", ""),
    ]
    assert "seconds" not in " ".join(table.columns)


def test_curves_are_long_and_in_the_users_direction(tmp_path: Path) -> None:
    told = rows(write_csv(curves_table(Numbers(a=[0.1]).results(direction="minimize")), tmp_path))
    assert [(row["spent"], float(row["best"])) for row in told] == [("0.0", 0.0), ("1.0", -0.1)]


def test_comparisons_name_the_test_and_the_winner(tmp_path: Path) -> None:
    tasks = analyse(Numbers(a=[5.0, 6.0, 7.0, 8.0], b=[1.0, 2.0, 3.0, 4.0]).results())
    final, area = rows(write_csv(comparisons_table(tasks, 0.05), tmp_path))
    assert (final["of"], final["test"], final["better"]) == ("final", "mann-whitney", "a")
    assert float(final["difference"]) == 4.0
    assert float(final["p"]) == pytest.approx(2 / 70)
    assert area["of"] == "area"


def test_without_pyarrow_parquet_names_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"speciate\[parquet\]"):
        write_parquet(runs_table(Numbers(a=[1.0]).results()), tmp_path)


def test_parquet_holds_what_the_csv_holds(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    table = runs_table(Numbers(a=[0.1, 2.5], b=[None]).results())
    read = parquet.read_table(write_parquet(table, tmp_path)).to_pydict()
    assert read == {name: list(values) for name, values in table.columns.items()}
