from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from speciate.ensembles import evolve
from speciate.records import Json
from speciate.reflection import Trials
from speciate.reports import (
    Notebook,
    budget_curve,
    notebook_json,
    notebook_lines,
    read_facts,
    read_notebook,
    scratchpad_section,
    worth,
    write_report,
)
from speciate.reports.spending import Measure
from speciate.scratchpad import Pad, ScratchpadConfig
from speciate.store import RunHistory, open_reader
from speciate.testing.keepers import write_keeper
from speciate.testing.knobs import knobs_task
from speciate.testing.runs import SmallRuns


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("noted")
    keeper = write_keeper(folder / "keeper.jsonl")
    pad: dict[str, Json] = {
        "enabled": True,
        "model": keeper,
        "interval": 5,
        "trial": 3,
        "retire": 6,
        "without": 0.4,
    }
    config = SmallRuns(folder).settings(
        "model", "sequential", {"scratchpad": pad, "budget": {"candidates": 120}}
    )
    evolve(knobs_task(), config, folder=folder / "run")
    return folder / "run"


@pytest.fixture
def notebook(run: Path) -> Notebook:
    with closing(open_reader(run)) as reader:
        found = read_notebook(RunHistory(reader), read_facts(reader))
    assert found is not None
    return found


def test_everything_about_a_recommendation_is_counted(notebook: Notebook) -> None:
    pad = notebook.pad
    assert pad.updates == 24
    assert pad.failures == sum(notebook.errors.values()) > 0
    assert {one.standing for one in pad.everything()} >= {"retired", "young"}
    assert sum(one.trials.ended for one in pad.everything()) <= pad.advised.ended
    assert len(notebook.lengths) == 24
    assert notebook.usage.calls > 48


def test_the_table_says_what_each_was_worth(notebook: Notebook) -> None:
    text = scratchpad_section(notebook)
    assert "| no. | recommendation | standing |" in text.replace("  ", " ")
    assert "set x to" in text
    assert "not corrected" in text
    assert "lift " in text


def test_the_words_hold_insights_and_recommendations(notebook: Notebook) -> None:
    text = "\n".join(notebook_lines(notebook))
    for one in notebook.pad.everything():
        assert one.text in text
    assert all(line in text for line in notebook.pad.insights)


def test_as_json_it_can_be_counted_again(notebook: Notebook) -> None:
    value = notebook_json(notebook)
    listed = value["recommendations"]
    assert isinstance(listed, list)
    assert len(listed) == len(notebook.pad.everything())
    assert value["calls"] == notebook.usage.calls


def test_few_candidates_say_nothing() -> None:
    pad = Pad(ScratchpadConfig())
    pad.advised, pad.control = Trials(7, 7), Trials(30, 0)
    assert "too few candidates" in worth(pad)


def test_an_interval_around_0_shows_no_difference() -> None:
    pad = Pad(ScratchpadConfig())
    pad.advised, pad.control = Trials(40, 10), Trials(20, 5)
    assert "no difference is shown" in worth(pad)
    pad.advised = Trials(400, 390)
    assert "no difference" not in worth(pad)


def test_the_report_has_a_section_for_it(run: Path) -> None:
    assert "## Scratchpad" in write_report(run)[0].read_text()


def test_what_it_costs_is_spent_by_the_run(run: Path) -> None:
    with closing(open_reader(run)) as reader:
        history = RunHistory(reader)
        measure = Measure(read_facts(reader).objective)
        usage = history.counts().usage
        assert budget_curve(history, measure, "tokens").total == usage.input_tokens + usage.output_tokens


def test_a_run_without_models_says_that_there_is_nobody_to_advise(tmp_path: Path) -> None:
    config = SmallRuns(tmp_path).settings("genetic", "sequential", {"scratchpad": {"enabled": True}})
    evolve(knobs_task(), config, folder=tmp_path / "run")
    with closing(open_reader(tmp_path / "run")) as reader:
        found = read_notebook(RunHistory(reader), read_facts(reader))
    assert found is not None
    assert "nobody to advise" in notebook_lines(found)[0]
    assert "nobody to advise" in scratchpad_section(found)


def test_a_run_without_one_has_none(tmp_path: Path) -> None:
    evolve(knobs_task(), SmallRuns(tmp_path).settings(), folder=tmp_path / "run")
    with closing(open_reader(tmp_path / "run")) as reader:
        assert read_notebook(RunHistory(reader), read_facts(reader)) is None
    assert "## Scratchpad" not in write_report(tmp_path / "run")[0].read_text()
