"""What is told of a run whose archives kept scores of earlier rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from speciate.cli.ending import describe
from speciate.cli.tally import Tally
from speciate.ensembles import evolve
from speciate.records import EpochOpened, Event
from speciate.reports import draw_rounds, path_to, read_facts, summarise, timeline
from speciate.reports.islands import island_rows
from speciate.reports.report import read_report
from speciate.reports.sections.course import rounds
from speciate.reports.sections.result import result
from speciate.store import RunHistory
from speciate.testing.histories import events_of
from speciate.testing.knobs import axes, company, knobs_program, knobs_task
from speciate.testing.runs import SmallRuns

RIVALS = (knobs_program(1.0, 0.0), knobs_program(-2.0, 0.0))
TASK = company(knobs_task(descriptors=axes(), opponents=RIVALS))


@pytest.fixture
def runs(tmp_path: Path) -> SmallRuns:
    return SmallRuns(tmp_path)


def played(runs: SmallRuns) -> tuple[RunHistory, Sequence[Event]]:
    """Returns a run of six short rounds, of which some end with a champion of an earlier one."""
    config = runs.settings(
        "genetic",
        "sequential",
        {"population": {"archive": {"kind": "grid"}}},
        {"ensemble": {"rounds": 6, "iterations": 3, "initial": 0, "rescore": False}},
        {"budget": {"candidates": 500}},
    )
    store = evolve(TASK, config).store
    return RunHistory(store), events_of(store)


def test_the_summary_says_of_which_round_the_scores_are(runs: SmallRuns) -> None:
    history, _ = played(runs)
    summary = summarise(history)
    assert summary.best is not None
    best = history.candidates[summary.best.ordinal]
    assert best.choice.epoch < history.epoch, "the run should end with a best of an earlier round"
    assert summary.best.scored_in == best.choice.epoch
    assert summary.best.score == best.score
    assert summary.counts.rescored == 0
    living = {ordinal for members in history.members().values() for ordinal in members}
    assert summary.archive.size == len(living)
    assert (
        summary.archive.older == sum(history.candidates[o].choice.epoch < history.epoch for o in living) > 0
    )
    assert [one.scored_in for one in summary.rounds] == [end.scored_in for end in history.rounds]


def test_the_context_of_the_best_is_that_of_its_own_round(runs: SmallRuns) -> None:
    history, events = played(runs)
    best = summarise(history).best
    assert best is not None
    assert best.scored_in is not None
    opened = [event.context.text for event in events if isinstance(event, EpochOpened)]
    assert len(set(opened)) == 5
    parts = {e.part for e in events if e.step == "evaluated" and e.ordinal == best.ordinal}
    assert {best.context} == parts


def test_words_say_so_beside_the_score(runs: SmallRuns) -> None:
    history, _ = played(runs)
    summary, report = summarise(history), read_report(history)
    assert summary.best is not None
    assert summary.best.scored_in is not None
    words = f"(scored in round {summary.best.scored_in + 1})"
    text = "\n".join(describe(summary))
    assert f"{words}, candidate {summary.best.ordinal}" in text
    assert f"{summary.archive.older} of them with scores of earlier rounds" in text
    assert words in result(report)
    assert f"those of {summary.archive.older} of {summary.archive.size} occupants" in result(report)
    older = [one for one in summary.rounds if one.scored_in is not None]
    assert rounds(report).count("(scored in round") == len(older) > 0


def test_scored_again_there_is_nothing_to_say(runs: SmallRuns) -> None:
    config = runs.settings(
        "genetic",
        "sequential",
        {"population": {"archive": {"kind": "grid"}}},
        {"ensemble": {"rounds": 3, "iterations": 3, "initial": 0}, "budget": {"candidates": 500}},
    )
    summary = summarise(RunHistory(evolve(TASK, config).store))
    assert summary.counts.rescored > 0
    assert summary.archive.older == 0
    assert "scored in round" not in "\n".join(describe(summary))


def test_a_change_is_told_only_between_scores_of_one_company(runs: SmallRuns) -> None:
    history, _ = played(runs)
    objective = read_facts(history.reader).objective
    for members in history.members().values():
        for ordinal in members:
            before = None
            for step in path_to(history, ordinal, objective):
                own = history.candidates[step.ordinal].choice.epoch
                assert step.epoch == own
                assert (step.gain is not None) == (before == own)
                before = own


def test_the_course_of_the_archives_goes_on_from_round_to_round(runs: SmallRuns) -> None:
    history, events = played(runs)
    course = timeline(history, events)
    assert set(course.snapshots[-1].occupants) == {o for m in history.members().values() for o in m}
    best = history.best()
    assert best is not None
    assert course.bests[-1].ordinal == best.ordinal
    sizes = [len(snapshot.occupants) for snapshot in course.snapshots]
    assert sizes == sorted(sizes)


def test_islands_and_the_running_tally_have_the_best_as_it_stands(runs: SmallRuns) -> None:
    history, events = played(runs)
    best = history.best()
    assert best is not None
    tally = Tally()
    for event in events:
        tally.on_event(event)
    assert (tally.best_ordinal, tally.best) == (best.ordinal, best.score)
    assert Tally.after(history).best == best.score
    rows = island_rows(history, events, read_facts(history.reader).objective)
    assert max(row.best for row in rows if row.best is not None) == best.score


def test_the_picture_of_the_rounds_marks_old_scores(runs: SmallRuns, tmp_path: Path) -> None:
    history, _ = played(runs)
    facts, shown = read_facts(history.reader), summarise(history).rounds
    assert any(one.scored_in is not None for one in shown)
    draw_rounds(shown, facts.objective, "rounds", tmp_path / "old.png")
    same = [replace(one, scored_in=None) for one in shown]
    draw_rounds(same, facts.objective, "rounds", tmp_path / "own.png")
    assert (tmp_path / "old.png").read_bytes() != (tmp_path / "own.png").read_bytes()
