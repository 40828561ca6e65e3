import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from speciate.errors import RunFolderError
from speciate.records import FailureKind, Json, RoundEnded
from speciate.reports import write_report
from speciate.reports.page import PICTURES
from speciate.reports.sections import outline
from speciate.store import open_store
from speciate.tasks import DescriptorSpec
from speciate.testing.stories import Story

AXES = (DescriptorSpec(name="width", range=(0.0, 2.0), bins=2), DescriptorSpec(name="depth", edges=(1.0,)))


def tell(story: Story) -> None:
    """Writes a run in which everything happens."""
    story.begin(descriptors=AXES)
    story.scores(story.choose(), 1.0, cell=(0, 0), summary="initial program")
    first = story.choose(proposer="simulated:bold", operator="diff")
    story.asks(first)
    story.replies(first)
    story.scores(first, 3.0, cell=(1, 1), public={"width": 2.0}, summary="twice as | wide")
    story.fails(story.choose(parents=(1,)), FailureKind.CPU_LIMIT, seconds=9.0)
    story.is_rejected(story.choose(parents=(1,)), "screen", "duplicate")
    facts: dict[str, Json] = {"speciate": "0.1.0", "python": "3.11.7", "packages": {"numpy": "2.0"}}
    story.store.update_session(story.store.open_session(facts), seconds=12.5, stop_reason="candidates")


def run_in(folder: Path, tell: Callable[[Story], None] = tell) -> Path:
    store = open_store(folder)
    try:
        tell(Story(store))
    finally:
        store.close()
    return folder


def test_the_page_and_its_pictures_are_written(tmp_path: Path) -> None:
    written = write_report(run_in(tmp_path))
    names = ["report.md", "curve.png", "lineage.png", "archive_map.png"]
    assert written == [tmp_path / "report" / name for name in names]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in written[1:])
    assert sorted(path.name for path in (tmp_path / "report").iterdir()) == sorted(names)


def test_the_page_tells_the_run(tmp_path: Path) -> None:
    page = write_report(run_in(tmp_path))[0].read_text()
    for words in (
        "# toy: report of a run",
        "| best | **3**, candidate 1 (width = 2) |",
        "| status | finished (candidates) |",
        "![The best score in each cell of the archive](archive_map.png)",
        r"| 1 | 1 | – | diff | m-2026 | 3 | +2 | twice as \| wide |",
        "50 % of the 4 cells are filled",
        "| cpu_limit | genetic | genetic | 1 | 9.0 s | 2 | it broke |",
        "| screen | duplicate | 1 | 1 | 3 | No. |",
        "simulated:bold",
        "numpy 2.0",
    ):
        assert words in page


def test_equal_histories_give_equal_files(tmp_path: Path) -> None:
    run = run_in(tmp_path / "run")
    once, again = write_report(run, tmp_path / "once"), write_report(run, tmp_path / "again")
    assert [path.read_bytes() for path in once] == [path.read_bytes() for path in again]


def test_without_matplotlib_the_page_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_in(tmp_path)
    write_report(run)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    (page,) = write_report(run)
    assert "**No pictures:**" in page.read_text()
    assert "speciate\\[plot\\]" in page.read_text()
    assert "![" not in page.read_text()
    assert [path.name for path in (run / "report").iterdir()] == ["report.md"]


def nothing_valid(story: Story) -> None:
    story.begin()
    story.fails(story.choose(), FailureKind.SYNTAX)


def test_a_run_without_anything_valid_has_a_page_without_pictures(tmp_path: Path) -> None:
    (page,) = write_report(run_in(tmp_path, nothing_valid))
    assert "nothing valid yet" in page.read_text()
    assert "There is no best yet." in page.read_text()


def only_begun(story: Story) -> None:
    story.begin()


def test_a_run_that_has_only_begun_has_a_page(tmp_path: Path) -> None:
    (page,) = write_report(run_in(tmp_path, only_begun))
    assert "nothing valid yet" in page.read_text()


def huge(story: Story) -> None:
    story.begin(direction="minimize", descriptors=AXES)
    for number, score in enumerate((-1.7e308, 1.7e308, 1e-300)):
        story.scores(story.choose(), score, cell=(number % 2, 0))


def test_scores_of_any_size_can_be_drawn(tmp_path: Path) -> None:
    assert len(write_report(run_in(tmp_path, huge))) == 4


def equal(story: Story) -> None:
    story.begin(descriptors=AXES[:1])
    for _ in range(3):
        story.scores(story.choose(), 0.0, cell=(0,))


def test_equal_scores_can_be_drawn(tmp_path: Path) -> None:
    assert len(write_report(run_in(tmp_path, equal))) == 4


def test_a_folder_without_a_run_is_an_error_and_stays_empty(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="holds no run"):
        write_report(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_report_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    run = run_in(tmp_path / "run")
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(RunFolderError, match="cannot be written"):
        write_report(run, tmp_path / "taken")


def long(story: Story) -> None:
    """Two proposers, a grid, a round that has ended twice over, and a failure now and then."""
    story.begin(descriptors=AXES)
    for number in range(14):
        ordinal = story.choose(parents=(max(0, number - 2),), proposer="ab"[number % 2], operator="diff")
        if number % 5 == 4:
            story.fails(ordinal, FailureKind.CRASH)
        else:
            if number:
                story.asks(ordinal)
                story.replies(ordinal)
            story.scores(ordinal, float(number), cell=(number % 2, 0))
    for number in range(2):
        story.write(
            RoundEnded(
                ordinal=13, part=str(number), round=number, epoch=0, champion=13, fitness=3.0,
                generality=0.5, reason="iterations",
            )
        )  # fmt: skip


def test_a_run_with_a_course_has_all_pictures_and_sections(tmp_path: Path) -> None:
    written = write_report(run_in(tmp_path, long))
    assert [path.name for path in written[1:]] == [
        "curve.png", "rounds.png", "lineage.png", "distance.png", "archive_map.png", "branches.png",
        "proposers.png",
    ]  # fmt: skip
    page = written[0].read_text()
    for section in (
        "Rounds", "Stepping stones", "Distance from the initial program", "Branches", "What failed",
        "Unusable replies",
    ):  # fmt: skip
        assert f"\n## {section}\n" in page
    for words in (
        "| 1 | 13 | 3 | 50 % | all candidates placed |",
        "| diff | a | 6 | 5 (12.5 s) | 1 (500 ms) | 4 % of 13.0 s |",
        "All 11 replies could be read.",
    ):
        assert words in page


def test_every_picture_has_a_name_to_be_told_by() -> None:
    assert set(outline.ALT) == set(PICTURES)
