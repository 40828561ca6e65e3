"""The adapter against a stand-in with the toolkit's names; the toolkit needs Docker and is not run here."""

import sys
import types
from enum import StrEnum
from pathlib import Path

import pytest

from speciate.errors import TaskError, UsageError
from speciate.problems.atcoder import load
from speciate.problems.atcoder.ale import LITE
from speciate.records import Context, Json


class Judge(StrEnum):
    ACCEPTED = "ACCEPTED"
    WRONG_ANSWER = "WRONG_ANSWER"


class Kind(StrEnum):
    MINIMIZE = "minimize"


def stand_in(*verdicts: Judge) -> types.ModuleType:
    """Returns a module whose sessions judge with these verdicts, at 10 points, 20 points, and so on."""
    cases = [
        types.SimpleNamespace(judge_result=verdict, absolute_score=10 * k, message="no polygon")
        for k, verdict in enumerate(verdicts, 1)
    ]
    problem = types.SimpleNamespace(
        statement="Fish.", metadata=types.SimpleNamespace(score_type=Kind.MINIMIZE)
    )
    session = types.SimpleNamespace(
        problem=problem, public_eval=lambda code, code_language: types.SimpleNamespace(case_results=cases)
    )
    module = types.ModuleType("ale_bench")
    vars(module)["start"] = lambda **_: session
    return module


@pytest.fixture
def program(tmp_path: Path) -> str:
    (tmp_path / "a.cpp").write_text("int main() {}\n")
    return str(tmp_path / "a.cpp")


def test_the_score_is_the_mean_over_public_cases(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ale_bench", stand_in(Judge.ACCEPTED, Judge.ACCEPTED))
    task = load({"judge": "ale_bench", "contest": "ahc025", "initial": program})
    assert task.trusted is not None
    assert task.objectives[0].outward(task.trusted(task.initial, Context()).objectives[0]) == 15
    assert task.spec.description == "Fish."


def test_one_refused_case_makes_the_program_invalid(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ale_bench", stand_in(Judge.ACCEPTED, Judge.WRONG_ANSWER))
    task = load({"judge": "ale_bench", "initial": program})
    assert task.trusted is not None
    with pytest.raises(ValueError, match=r"1 of 2 .* WRONG_ANSWER: no polygon"):
        task.trusted(task.initial, Context())


def test_without_the_toolkit_it_says_what_to_install(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ale_bench", None)
    with pytest.raises(UsageError, match="pip install"):
        load({"judge": "ale_bench", "initial": program})


@pytest.mark.parametrize(
    "parameters", [{"contest": "ahc001"}, {"workers": 0}, {"initial": "none.cpp"}, {"judge": "x"}]
)
def test_senseless_parameters_are_refused_by_name(program: str, parameters: dict[str, Json]) -> None:
    with pytest.raises(TaskError, match=next(iter(parameters))):
        load({"judge": "ale_bench", "initial": program, **parameters})


def test_there_are_ten_contests() -> None:
    assert len(set(LITE)) == 10
    assert {"ahc008", "ahc025", "ahc039", "ahc046"} <= set(LITE)
