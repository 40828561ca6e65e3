from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from speciate.engine import evolve
from speciate.records import Json
from speciate.reports import (
    Asking,
    asking_json,
    asking_lines,
    asking_section,
    read_asking,
    read_facts,
    write_report,
)
from speciate.store import RunHistory, open_reader
from speciate.testing.knobs import knobs_task
from speciate.testing.runs import SmallRuns
from speciate.testing.wordings import write_reworder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("worded")
    evolving: dict[str, Json] = {
        "enabled": True,
        "proposer": write_reworder(folder / "reworder.jsonl"),
        "interval": 6,
        "size": 3,
        "trial": 2,
    }
    prompts: dict[str, Json] = {"full": {"default": 1, "structural": 1}, "evolve": evolving}
    config = SmallRuns(folder).settings(
        "model", "sequential", {"prompts": prompts, "budget": {"candidates": 120}}
    )
    evolve(knobs_task(), config, folder=folder / "run")
    return folder / "run"


def read(folder: Path) -> Asking:
    with closing(open_reader(folder)) as reader:
        return read_asking(RunHistory(reader), read_facts(reader))


def test_what_came_of_each_wording_is_counted(run: Path) -> None:
    asking = read(run)
    wordings = asking.wordings
    assert wordings is not None
    assert wordings.updates == 20
    assert wordings.failures == sum(asking.errors.values()) > 0
    assert asking.usage.calls > 0
    assert sum(one.trials.ended for one in wordings.all.values()) == 120
    assert any(one.retired for one in wordings.all.values())
    assert any(one.failures for one in wordings.all.values())
    assert any(one.lift for one in wordings.all.values())


def test_what_came_of_each_phrasing_is_counted(run: Path) -> None:
    phrasings = {one.name: one for one in read(run).phrasings}
    assert set(phrasings) == {"default", "structural"}
    assert all(one.version.startswith("1-") for one in phrasings.values())
    with closing(open_reader(run)) as reader:
        chosen = [c.choice for c in RunHistory(reader).candidates.values() if c.choice.operator == "full"]
    assert sum(one.trials.ended for one in phrasings.values()) == len(chosen)
    assert all(0 < one.valid <= one.trials.ended for one in phrasings.values())


def test_the_page_the_words_and_the_json_tell_the_same(run: Path) -> None:
    asking = read(run)
    assert asking.wordings is not None
    page, words, value = asking_section(asking), "\n".join(asking_lines(asking)), asking_json(asking)
    for one in list(asking.wordings.all.values())[1:]:
        assert one.text in words.replace("      | ", "")
        assert one.summary in words
    assert "| phrasing | version |" in page.replace("  ", " ")
    assert "the task's own" in page
    assert "not corrected for the number of wordings" in page
    assert isinstance(value["wordings"], list)
    assert len(value["wordings"]) == len(asking.wordings.all)


def test_the_report_has_a_section_on_them(run: Path, tmp_path: Path) -> None:
    page = write_report(run, tmp_path / "report")[0].read_text()
    assert "## Prompts" in page
    assert "what is different" in page


def test_a_run_that_asks_in_one_way_has_no_section_and_says_how_to_evolve(tmp_path: Path) -> None:
    evolve(knobs_task(), SmallRuns(tmp_path).settings("model"), folder=tmp_path / "run")
    asking = read(tmp_path / "run")
    assert asking.wordings is None
    assert asking_section(asking) == ""
    assert "prompts.evolve.enabled=true" in asking_lines(asking)[-1]
