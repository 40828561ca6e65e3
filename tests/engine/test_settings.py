from __future__ import annotations

import ast
import json
import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

import speciate
from speciate.engine import RunConfig, evolve
from speciate.engine.settings import (
    Layer,
    assignment_layer,
    compose,
    load_preset,
    preset_names,
    read_file,
)
from speciate.errors import ConfigError
from speciate.records import Json
from speciate.store import open_reader
from speciate.tasks import list_tasks, load_task
from speciate.testing.knobs import knobs_task
from speciate.testing.runs import SmallRuns

SOURCE = Path(speciate.__file__).parent


def composed(*assignments: str) -> RunConfig:
    return compose(map(assignment_layer, assignments))


def test_later_layers_lie_on_top_and_leave_the_rest() -> None:
    below: Layer = {"seed": 1, "population": {"islands": 2, "archive": {"size": 7}}}
    above: Layer = {"population": {"archive": {"elite_share": 0.5}}, "seed": 2}
    config = compose([below, above])
    assert config.seed == 2
    assert config.population.islands == 2
    assert (config.population.archive.size, config.population.archive.elite_share) == (7, 0.5)


def test_values_of_set_are_toml_or_plain_words() -> None:
    config = composed(
        "population.islands=3",
        "selection.policy=uniform",
        "success=false",
        "sampling.temperatures=[0.1, 0.2]",
        'pipeline.order="arrival"',
        "task.parameters.n=32",
    )
    assert config.population.islands == 3
    assert config.selection.policy == "uniform"
    assert config.success is False
    assert config.sampling.temperatures == (0.1, 0.2)
    assert config.pipeline.order == "arrival"
    assert config.task.parameters == {"n": 32}


def test_list_items_are_named_by_index() -> None:
    assert composed('models=["a", "b"]', "models.1=c", "models.2=d").models == ("a", "c", "d")
    with pytest.raises(ConfigError, match=r"models\.7 names no item of a list with 1: 1 appends"):
        composed('models=["a"]', "models.7=b")


def test_an_index_names_an_item_of_the_default_as_long_as_the_list_is_not_set() -> None:
    assert composed("sampling.temperatures.0=0.3").sampling.temperatures == (0.3, 0.5, 1.0)
    assert composed("models.0=genetic").models == ("genetic",)


def test_a_table_of_weights_takes_the_place_of_the_default_and_is_mended_by_what_follows() -> None:
    """A preset without crossover must not inherit the default's."""
    config = composed("mutation.model={diff = 0.5, full = 0.5}", "mutation.model.full=0.7")
    assert config.mutation.model == {"diff": 0.5, "full": 0.7}


@pytest.mark.parametrize(
    ("assignment", "hint"),
    [
        ("population.izlands=2", "islands"),
        ("sead=1", "seed"),
        ("population.archive.sise=3", "size"),
        ("budget.max_cost=1", "cost"),
        ("llm.retry.attempt=1", "attempts"),
    ],
)
def test_an_unknown_key_is_an_error_that_names_the_nearest(assignment: str, hint: str) -> None:
    with pytest.raises(ConfigError, match=hint) as caught:
        composed(assignment)
    assert assignment.partition("=")[0] in str(caught.value)


@pytest.mark.parametrize(
    "assignment",
    ["population.islands=0", "seed=first", "selection.policy=best", "budget.seconds=-1", "population=3"],
)
def test_a_value_that_does_not_fit_names_its_key(assignment: str) -> None:
    with pytest.raises(ConfigError, match=assignment.partition("=")[0]):
        composed(assignment)


@pytest.mark.parametrize("text", ["seed", "=1", "a..b=1", ""])
def test_set_without_key_or_value_says_how_it_is_written(text: str) -> None:
    with pytest.raises(ConfigError, match="KEY=VALUE"):
        assignment_layer(text)


def test_files_are_toml(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("seed = 5\n[population]\nislands = 4\n")
    assert compose([read_file(file)]).population.islands == 4
    file.write_text("seed = \n")
    with pytest.raises(ConfigError, match=r"settings\.toml is not valid TOML"):
        read_file(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="UTF-8"):
        read_file(file)
    with pytest.raises(ConfigError, match="cannot read settings"):
        read_file(tmp_path / "absent.toml")


def test_an_unknown_preset_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"paper/circle"):
        load_preset("paper/cirle")


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_can_be_used(name: str) -> None:
    preset = load_preset(name)
    assert preset.name == name
    assert preset.about.endswith(".")
    config = compose([preset.settings])
    assert preset.task is None or preset.task in list_tasks()
    if preset.task is not None:
        load_task(preset.task, config.task.parameters)


def circle_packing_of_the_paper(config: RunConfig) -> None:
    """Holds a preset against the configuration that Lange 2025 reports for circle packing."""
    archive = config.population.archive
    assert (archive.kind, archive.size, archive.elite_share) == ("elites", 40, 0.3)
    assert config.population.islands == 2
    assert config.population.migration_interval == 10
    assert config.population.migration_fraction == 0.0
    assert (config.inspirations.random, config.inspirations.top) == (4, 2)
    assert config.pipeline.in_flight == 5
    assert config.mutation.model == {"diff": 0.45, "full": 0.45, "crossover": 0.10}
    assert (config.selection.policy, config.selection.pressure) == ("weighted", 10.0)
    assert config.selection.scale == "none"
    assert config.sampling.temperatures == (0.0, 0.5, 1.0)
    assert config.sampling.max_tokens == 16_384
    assert (config.attempts.patch, config.attempts.resamples) == (3, 3)
    assert (config.bandit.kind, config.bandit.arms, config.bandit.coefficient) == ("ucb", "proposers", 1.0)
    assert config.bandit.reward_scale == "none"
    assert (config.scratchpad.enabled, config.scratchpad.interval) == (True, 10)
    assert config.scratchpad.recommendations == 5


def test_paper_circle_field_by_field() -> None:
    config = compose([load_preset("paper/circle").settings])
    circle_packing_of_the_paper(config)
    assert config.budget.candidates == 150
    assert config.task.parameters["verifier"] == "relaxed"


def test_paper_circle_exact_field_by_field() -> None:
    config = compose([load_preset("paper/circle-exact").settings])
    circle_packing_of_the_paper(config)
    assert config.budget.candidates == 500
    assert config.task.parameters["verifier"] == "exact"


def test_the_reference_run_of_digital_red_queen_field_by_field() -> None:
    """Parameters of the reference run (Kumar 2026), those of its code included."""
    preset = load_preset("paper/drq")
    config = compose([preset.settings])
    rounds = config.ensemble
    assert preset.task == "corewar"
    assert (rounds.rounds, rounds.iterations, rounds.initial, rounds.children) == (20, 250, 8, 1)
    assert (rounds.skip, rounds.archives, rounds.opponents.champions) == (0.8, "round", 20)
    assert rounds.opponents.max >= rounds.opponents.champions + 1
    assert config.budget.candidates == 20 * (8 + 250)
    assert config.mutation.model == {"new": 0.1, "full": 0.9}
    assert {name: weight for name, weight in config.mutation.own.items() if weight} == {
        "new": 0.1,
        "mutate": 0.9,
    }
    assert (config.population.archive.kind, config.population.islands) == ("grid", 1)
    assert (config.selection.policy, config.inspirations.random, config.inspirations.top) == ("uniform", 0, 0)
    assert not config.novelty.fingerprint
    assert config.task.parameters == {
        "preset": "drq",
        "protocol": "drq",
        "rounds": 20,
        "opponents": "imp",
        "axes": ["tsp", "mc"],
    }


def test_a_run_writes_its_complete_config(runs: SmallRuns, tmp_path: Path) -> None:
    config = runs.settings("both", "pipeline:arrival")
    evolve(knobs_task(), config, folder=tmp_path / "run")
    reader = open_reader(tmp_path / "run")
    manifest, (session,) = reader.manifest(), reader.sessions()
    reader.close()
    assert RunConfig.model_validate(manifest["config"]) == config
    recorded = manifest["config"]
    assert isinstance(recorded, dict)
    assert set(recorded) == set(RunConfig.model_fields)
    assert manifest["seed"] == config.seed
    assert manifest["speciate"] == speciate.__version__
    assert {"speciate", "python", "platform", "packages", "prices"} <= set(session.facts)
    assert runs.model in json.dumps(session.facts["prices"])


def config_classes() -> list[type[BaseModel]]:
    found: dict[type[BaseModel], None] = {RunConfig: None}
    waiting: list[type[BaseModel]] = [RunConfig]
    while waiting:
        for field in waiting.pop().model_fields.values():
            kind = field.annotation
            if isinstance(kind, type) and issubclass(kind, BaseModel) and kind not in found:
                found[kind] = None
                waiting.append(kind)
    return list(found)


def attributes_read() -> set[str]:
    """The names of all attributes that the source reads, tests and kits apart."""
    trees = [ast.parse(path.read_text()) for path in SOURCE.rglob("*.py") if "testing" not in path.parts]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    return {n.attr for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load)}


def test_a_setting_that_nobody_reads_does_not_exist() -> None:
    classes, read = config_classes(), attributes_read()
    assert len(classes) > 12
    unread = [f"{kind.__name__}.{name}" for kind in classes for name in kind.model_fields if name not in read]
    assert unread == []


def numbers_of(kind: type[BaseModel], *above: str) -> Iterator[tuple[str, ...]]:
    """Yields the keys of all settings that are a number with a fraction, alone or within a list."""
    for name, field in kind.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from numbers_of(field.annotation, *above, name)
        elif "float" in str(field.annotation) and "Mapping" not in str(field.annotation):
            yield (*above, name)


def nested(keys: tuple[str, ...], value: Json) -> Layer:
    """Returns settings with this value at the end of the keys."""
    *above, last = keys
    layer: dict[str, Json] = {last: value}
    for key in reversed(above):
        layer = {key: layer}
    return layer


INFINITE_IS_GREEDY = ("selection", "alpha")


@pytest.mark.parametrize("keys", list(numbers_of(RunConfig)), ids=".".join)
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_setting_that_is_no_finite_number_is_refused(keys: tuple[str, ...], value: float) -> None:
    if keys == INFINITE_IS_GREEDY and value == math.inf:
        return
    alone, within = nested(keys, value), nested(keys, [value])
    for layer in (alone, within):
        with pytest.raises(ConfigError, match=keys[-1]):
            compose([layer])


@pytest.mark.parametrize("kind", config_classes(), ids=lambda kind: kind.__name__)
def test_every_config_is_frozen_strict_and_described(kind: type[BaseModel]) -> None:
    assert kind.model_config.get("frozen")
    assert kind.model_config.get("extra") == "forbid"
    assert kind.__doc__
    described = [name for name in kind.model_fields if f"{name}:" in kind.__doc__]
    simple = [n for n, f in kind.model_fields.items() if f.annotation not in config_classes()]
    assert set(simple) <= set(described) or len(simple) == 1
