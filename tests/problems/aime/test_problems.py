"""Problems: where they come from, and that their answers are right."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from speciate.errors import MissingExtraError, TaskError
from speciate.problems.aime import load
from speciate.problems.aime.datasets import as_lines
from speciate.problems.aime.problems import SHIPPED, read_problems
from speciate.problems.aime.proofs import PROOFS, mistakes
from speciate.records import Json


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def row(**more: object) -> dict[str, object]:
    return {"problem": "What is 6 times 7?", "answer": 42, "year": 2024, **more}


def test_every_shipped_answer_is_proved() -> None:
    assert len(PROOFS) == 30
    assert list(mistakes()) == []


def test_there_are_ten_shipped_problems_of_each_year() -> None:
    problems = read_problems(SHIPPED)
    assert Counter(problem.year for problem in problems) == {1: 10, 2: 10, 3: 10}
    assert all(0 <= problem.answer <= 999 for problem in problems)
    assert len({problem.text for problem in problems}) == 30


def test_a_users_file_takes_the_place_of_ours(tmp_path: Path) -> None:
    file = write(tmp_path / "mine.jsonl", row(), row(answer="007", year="2025"))
    assert [(p.name, p.answer, p.year) for p in read_problems(file)] == [
        ("2024-01", 42, 2024),
        ("2025-02", 7, 2025),
    ]
    task = load({"problems": str(file), "years": [2024], "heldout": [2025]})
    assert task.context.settings["problems"] == str(file)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "holds no problem"),
        ([row(answer=1000)], "line 1: answer must be an integer from 0 to 999, not 1000"),
        ([row(), row(answer="x")], "line 2: answer must be an integer, not 'x'"),
        ([row(answer=True)], "answer must be an integer, not True"),
        ([row(problem=" ")], "problem must be a text"),
        ([{"problem": "?"}], "year must be an integer, not None"),
        ([[1]], "expected an object"),
        ([row(name="a"), row(name="a")], "two problems are called 'a'"),
    ],
)
def test_a_file_that_is_no_good_is_told_with_its_line(
    tmp_path: Path, rows: list[object], message: str
) -> None:
    file = write(tmp_path / "mine.jsonl", *rows)
    with pytest.raises(TaskError, match=message):
        read_problems(file)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"years": [2024]}, r"no problems of the year 2024; .* has the years \[1, 2, 3\]"),
        ({"years": [1, 3]}, "the year 3 cannot be searched on and held out at once"),
        ({"heldout": [1, 2, 3]}, "nothing is left to search on"),
        ({"years": ["1"]}, "expected a list of years"),
        ({"problems": "/nowhere.jsonl"}, "cannot read problems"),
        ({"agent": "basic"}, "there is no agent 'basic'.*base, majority, review"),
        ({"repeats": 0}, "expected at least 1"),
        ({"calls": 0}, "needs parameters.calls"),
        ({"model": ""}, "needs parameters.model"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters: dict[str, Json], message: str) -> None:
    with pytest.raises(TaskError, match=message):
        load(parameters)


def test_other_problems_are_another_scoring(tmp_path: Path) -> None:
    one, other = (
        load({"problems": str(write(tmp_path / "f", row(answer=n))), "heldout": []}) for n in (1, 2)
    )
    assert one.scored_by != other.scored_by


def test_rows_of_a_data_set_become_lines(tmp_path: Path) -> None:
    rows: list[Mapping[str, object]] = [{"ID": 3, "Problem": "One?", "Answer": 1, "Year": 2023}]
    rows.append({"question": "Two?", "answer": "2"})
    with pytest.raises(TaskError, match="row 2 of the data set: year"):
        as_lines(rows, year="")
    file = tmp_path / "set.jsonl"
    file.write_text(as_lines(rows, year="2025"))
    assert [(p.text, p.answer, p.year) for p in read_problems(file)] == [("One?", 1, 2025), ("Two?", 2, 2025)]


def test_without_the_package_a_data_set_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setitem(sys.modules, "datasets", None)  # as if it were not installed
    with pytest.raises(MissingExtraError, match="datasets"):
        load({"problems": "dataset:somebody/aime@test"})
