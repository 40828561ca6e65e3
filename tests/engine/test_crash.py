"""``kill -9`` at named and at random moments, then resume."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from speciate.engine import Evolution, Observer, RunConfig, evolve, resume
from speciate.records import Evaluated, Event, Patched, Program, Replied
from speciate.store import DATABASE, open_reader
from speciate.testing.crashes import Moment, Phase, dies
from speciate.testing.histories import (
    TracingEvaluator,
    assert_nothing_lost,
    assert_same_history,
    events_of,
)
from speciate.testing.knobs import knobs_task
from speciate.testing.runs import SmallRuns

TASK = knobs_task()

NAMED = {
    "before anything": Moment("chosen", 1),
    "initial program evaluated": Moment("evaluated", 1, "written"),
    "asked": Moment("asked", 9, "written"),
    "replied, not stored": Moment("replied", 9),
    "replied": Moment("replied", 9, "written"),
    "stored": Moment("patched", 6, "written"),
    "rejected": Moment("rejected", 5, "written"),
    "started": Moment("started", 7, "written"),
    "evaluated, not stored": Moment("evaluated", 7),
    "mid-commit": Moment("evaluated", 7, "writing"),
    "evaluated, not placed": Moment("evaluated", 7, "written"),
    "placed": Moment("placed", 8, "written"),
    "migrating": Moment("migrated", 2),
    "migrated, mid-commit": Moment("migrated", 2, "writing"),
    "migrated": Moment("migrated", 2, "written"),
    "last one placed": Moment("placed", 25, "written"),
}
PHASES: tuple[Phase, ...] = ("noted", "writing", "written")
DRIVERS = ["sequential", "pipeline:ordinal", "pipeline:arrival"]


class Patient:
    """A run that is killed and goes on, with an account of what was asked and evaluated in between."""

    def __init__(self, folder: Path, config: RunConfig) -> None:
        self.folder = folder
        self.log = folder.with_suffix(".log")
        self.cassette = folder.with_suffix(".takes")
        self.config = config.model_copy(
            update={"llm": config.llm.model_copy(update={"record": self.cassette})}
        )

    def go_on(self, *observers: Observer) -> Evolution:
        """Begins or resumes the run."""
        evaluator = TracingEvaluator(TASK, jitter=len(lines(self.log)), log=self.log)
        if not (self.folder / DATABASE).exists():
            return evolve(TASK, self.config, folder=self.folder, observers=observers, evaluator=evaluator)
        return resume(self.folder, task=TASK, observers=observers, evaluator=evaluator)

    def killed(self, moment: Moment) -> bool:
        """Goes on until the moment has come; returns whether it came."""
        return dies(self.go_on, moment)

    def known(self) -> tuple[int, int, int]:
        """Returns how many events are stored, evaluations made, and replies given."""
        stored = len(events_of(self.folder)) if (self.folder / DATABASE).exists() else 0
        return stored, len(lines(self.log)), len(lines(self.cassette))

    def assert_nothing_twice(self, before: tuple[int, int, int]) -> None:
        """Fails unless everything evaluated and answered since `before` is news to the history."""
        stored, evaluated, answered = before
        news = events_of(self.folder)[stored:]
        takes = [json.loads(line)["request"] for line in lines(self.cassette)[answered:]]
        assert Counter(lines(self.log)[evaluated:]) == Counter(measured(self.folder, news))
        assert Counter(takes) == Counter(requests(self.folder, news))


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def measured(folder: Path, news: Sequence[Event]) -> list[str]:
    """The programs of all evaluations among these events that were really made."""
    programs = {
        (event.ordinal, event.attempt): event.program
        for event in events_of(folder)
        if isinstance(event, Patched)
    }
    reader = open_reader(folder)
    return [
        Program(
            tuple((name, reader.text(digest)) for name, digest in programs[event.ordinal, event.attempt])
        ).hash
        for event in news
        if isinstance(event, Evaluated) and event.cached is None
    ]


def requests(folder: Path, news: Sequence[Event]) -> list[str]:
    """The requests of all replies among these events."""
    asked = {(e.ordinal, e.attempt, e.part): e.request for e in events_of(folder) if e.step == "asked"}
    return [asked[e.ordinal, e.attempt, e.part] for e in news if isinstance(e, Replied)]


class Undisturbed:
    """Histories of runs that nothing happened to, each lived once."""

    def __init__(self, folder: Path) -> None:
        self.runs = SmallRuns(folder)
        self._known: dict[tuple[str, str], list[Event]] = {}

    def history(self, proposers: str, driver: str) -> list[Event]:
        key = (proposers, driver)
        if key not in self._known:
            self._known[key] = events_of(evolve(TASK, self.runs.settings(*key)).store)
        return self._known[key]

    def assert_equal(self, events: Sequence[Event], proposers: str, driver: str) -> None:
        """Fails unless nothing is lost and, where the order is fixed, nothing is different."""
        assert_nothing_lost(events, candidates=24)
        if driver != "pipeline:arrival":
            assert_same_history(events, self.history(proposers, driver))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    return Undisturbed(tmp_path_factory.mktemp("undisturbed"))


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("moment", NAMED.values(), ids=NAMED.keys())
def test_killed_at_a_named_moment_it_goes_on_as_if_nothing_had_happened(
    undisturbed: Undisturbed, tmp_path: Path, driver: str, moment: Moment
) -> None:
    patient = Patient(tmp_path / "run", undisturbed.runs.settings("both", driver))
    assert patient.killed(moment), "the moment never came"
    before = patient.known()
    patient.go_on()
    patient.assert_nothing_twice(before)
    undisturbed.assert_equal(events_of(patient.folder), "both", driver)


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("proposers", ["genetic", "model"])
def test_killed_twenty_times_in_a_row_it_still_ends_the_same(
    undisturbed: Undisturbed, tmp_path: Path, proposers: str, driver: str
) -> None:
    patient = Patient(tmp_path / "run", undisturbed.runs.settings(proposers, driver))
    for death in range(20):
        phase = PHASES[death % 3]
        assert patient.killed(Moment("any", 2 + death * 5 % 7, phase)), f"it ended after {death} deaths"
    before = patient.known()
    patient.go_on()
    patient.assert_nothing_twice(before)
    undisturbed.assert_equal(events_of(patient.folder), proposers, driver)
