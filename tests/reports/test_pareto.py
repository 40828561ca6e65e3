from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from speciate.archives import ArchiveConfig, PopulationConfig
from speciate.engine import BudgetConfig, RunConfig, evolve
from speciate.reports import pareto_front, read_facts, write_report
from speciate.reports.pareto import undominated
from speciate.store import RunHistory
from speciate.testing.knobs import knobs_task
from speciate.testing.stories import Story

CONFIG = RunConfig(
    driver="sequential",
    budget=BudgetConfig(candidates=60),
    population=PopulationConfig(archive=ArchiveConfig(kind="pareto")),
)
TASK = knobs_task(objectives=2, direction="minimize")

points = st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), max_size=30)


@given(points)
def test_the_front_is_what_nobody_dominates(rows: list[tuple[int, int]]) -> None:
    fitness = np.array(rows, dtype=np.float64).reshape(-1, 2)
    dominated = [any(a >= c and b >= d and (a, b) != (c, d) for a, b in rows) for c, d in rows]
    assert undominated(fitness).tolist() == [not beaten for beaten in dominated]


def test_candidates_are_told_in_the_users_direction_by_their_first_two_objectives() -> None:
    history = RunHistory(evolve(TASK, CONFIG).store)
    found = pareto_front(history, read_facts(history.reader))
    assert found is not None
    assert (found.x.name, found.y.name) == ("far_x", "far_y")
    assert len(found.ordinals) == history.counts().valid
    assert found.x_scores.min() >= 0
    best = history.best()
    assert best is not None
    assert found.x_scores[found.ordinals == best.ordinal] == found.x_scores.min()
    assert found.front[found.x_scores == found.x_scores.min()].any()


def test_one_objective_has_no_front() -> None:
    story = Story().begin()
    story.scores(story.choose(), 1.0)
    assert pareto_front(story.history, read_facts(story.store)) is None


def test_the_report_shows_it(tmp_path: Path) -> None:
    evolve(TASK, CONFIG, folder=tmp_path)
    written = write_report(tmp_path)
    assert (tmp_path / "report" / "pareto.png").read_bytes().startswith(b"\x89PNG")
    assert "## Between the objectives\n\n![" in written[0].read_text()
