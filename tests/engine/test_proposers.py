from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from speciate.engine import RunConfig, build_run, evolve
from speciate.engine.settings import Layer, compose
from speciate.errors import ConfigError, TaskError
from speciate.records import Chosen, Json
from speciate.store import MemoryStore, open_reader
from speciate.tasks import Task
from speciate.testing.knobs import knobs_task
from speciate.testing.packages import install_package


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site").mkdir()
    install_package(tmp_path / "site", monkeypatch)


def knobs(**changes: object) -> Task:
    task = knobs_task()
    return replace(task, spec=task.spec.model_copy(update=changes))


def run(task: Task, folder: Path, **top: Json) -> RunConfig:
    layers: list[Layer] = [{"budget": {"candidates": 12}}, top]
    return evolve(task, compose(layers), folder=folder).config


def operators(folder: Path) -> set[str]:
    with closing(open_reader(folder)) as reader:
        events = [stored.event for stored in reader.events()]
    return {event.operator for event in events if isinstance(event, Chosen) and event.parents}


def test_whoever_the_task_names_proposes_when_nobody_else_is_named(tmp_path: Path) -> None:
    run(knobs(proposers=("moves:left",)), tmp_path / "run")
    with closing(open_reader(tmp_path / "run")) as reader:
        assert reader.manifest()["proposers"] == ["moves:left"]
        assert reader.sessions()[0].facts["proposers"] == {
            "moves:left": "moving-things 1.5, moving_things:open_moves"
        }


def test_whoever_the_settings_name_goes_over_the_task(tmp_path: Path) -> None:
    run(knobs(proposers=("moves:left",)), tmp_path / "run", models=["genetic"])
    with closing(open_reader(tmp_path / "run")) as reader:
        assert reader.manifest()["proposers"] == ["genetic"]


@pytest.mark.parametrize(
    ("spec", "hint"), [("movs:left", "moves"), ("genetik", "genetic"), ("opena:x", "openai")]
)
def test_nobody_of_this_name(spec: str, hint: str) -> None:
    with pytest.raises(ConfigError, match=f"did you mean '{hint}'"):
        evolve(knobs_task(), compose([{"models": [spec]}]))


def test_weights_go_over_those_that_a_proposer_brings_along(tmp_path: Path) -> None:
    """It weighs ``left`` 1 and leaves ``knobs`` out."""
    run(knobs(proposers=("moves:left",)), tmp_path / "a")
    run(knobs(proposers=("moves:left",)), tmp_path / "b", mutation={"own": {"left": 0.0, "knobs": 1.0}})
    assert operators(tmp_path / "a") == {"left"}
    assert operators(tmp_path / "b") == {"knobs"}


def test_a_weight_of_an_operator_that_nobody_has_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"mutation\.own\.lefd: .* did you mean 'left'"):
        evolve(knobs(proposers=("moves:left",)), compose([{"mutation": {"own": {"lefd": 1.0}}}]))


def test_settings_that_a_task_brings_along_lie_below_all_others(tmp_path: Path) -> None:
    task = knobs(defaults={"population": {"islands": 3, "archive": {"size": 5}}, "driver": "sequential"})
    config = run(task, tmp_path / "run", population={"islands": 2})
    assert (config.population.islands, config.population.archive.size) == (2, 5)
    assert config.driver == "sequential"
    with closing(open_reader(tmp_path / "run")) as reader:
        assert reader.manifest()["changed"] == {
            "budget": {"candidates": 12},
            "population": {"islands": 2},
        }


def test_a_setting_equal_to_our_default_is_set_all_the_same(tmp_path: Path) -> None:
    task = knobs(defaults={"population": {"islands": 3}})
    assert run(task, tmp_path / "run", population={"islands": 1}).population.islands == 1


def test_defaults_that_are_no_settings_are_the_tasks_fault() -> None:
    with pytest.raises(TaskError, match=r"task 'knobs', defaults: .*did you mean 'islands'"):
        evolve(knobs(defaults={"population": {"izlands": 3}}))


def test_a_variant_of_prompts_that_the_task_lacks_is_told_before_the_run() -> None:
    model = "local:m@http://127.0.0.1:9/v1?prompts=compact"
    with pytest.raises(ConfigError, match="no prompts of variant 'compact'"):
        build_run(knobs_task(), compose([{"models": [model]}]), MemoryStore())
