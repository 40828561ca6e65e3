from __future__ import annotations

from pathlib import Path

import pytest

from speciate.cli.options import Driver, Order
from speciate.cli.settings import Caps, Course, preset_for, resumed_settings, settings
from speciate.engine import RunConfig
from speciate.engine.settings import load_preset
from speciate.errors import ConfigError


def test_no_option_changes_nothing() -> None:
    assert settings([Course().layer(), Caps().layer()]) == RunConfig()


def test_every_option_arrives_where_it_belongs() -> None:
    caps = Caps(
        candidates=1,
        evaluations=2,
        max_cost=3.0,
        max_tokens=4,
        max_calls=5,
        max_seconds=6.0,
        allow_unknown_price=True,
    )
    course = Course(
        models=["genetic"],
        seed=7,
        driver=Driver.SEQUENTIAL,
        in_flight=8,
        order=Order.ARRIVAL,
        unsafe_no_sandbox=True,
        allow_invalid_seed=True,
    )
    config = settings([course.layer(), caps.layer()])
    budget = config.budget
    assert (budget.candidates, budget.evaluations, budget.cost) == (1, 2, 3.0)
    assert (budget.tokens, budget.calls, budget.seconds) == (4, 5, 6.0)
    assert budget.allow_unknown_price
    assert (config.models, config.seed, config.driver) == (("genetic",), 7, "sequential")
    assert (config.pipeline.in_flight, config.pipeline.order) == (8, "arrival")
    assert config.evaluation.unsafe_no_sandbox
    assert config.allow_invalid_seed


def test_assignments_go_over_options_over_the_file_over_the_preset(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("seed = 1\n[budget]\ncandidates = 1\nseconds = 1\n")
    config = settings(
        [Caps(candidates=2, max_calls=2).layer()],
        preset=load_preset("paper/circle"),
        file=file,
        assignments=["budget.calls=3"],
    )
    assert config.population.islands == 2  # the preset's
    assert (config.seed, config.budget.seconds) == (1, 1)  # the file's
    assert config.budget.candidates == 2
    assert config.budget.calls == 3


def test_a_preset_for_another_problem_is_refused() -> None:
    with pytest.raises(ConfigError, match="meant for circle_packing, not for my_task"):
        preset_for("demo", "my_task")
    assert preset_for(None, "my_task") is None


def test_a_resumed_run_keeps_its_settings_but_for_caps() -> None:
    recorded = settings([Course(seed=7).layer(), Caps(candidates=10, max_cost=1.0).layer()])
    config = resumed_settings(recorded, [Caps(candidates=20).layer()], ["llm.timeout=5"])
    assert (config.seed, config.budget.candidates, config.budget.cost) == (7, 20, 1.0)
    assert config.llm.timeout == 5


def test_a_resumed_run_may_go_on_with_other_proposers() -> None:
    assert resumed_settings(RunConfig(), [], ["models.0=genetic"]).models == ("genetic",)


@pytest.mark.parametrize("text", ["seed=3", "selection.policy=uniform", "bandit.kind=ucb"])
def test_a_resumed_run_cannot_change_its_course(text: str) -> None:
    with pytest.raises(ConfigError, match="cannot change within a run"):
        resumed_settings(RunConfig(), [], [text])


def test_an_unknown_setting_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match="selection"):
        settings([], assignments=["selectoin.policy=uniform"])
