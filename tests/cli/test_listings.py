from __future__ import annotations

from pathlib import Path

import pytest

from speciate.llm import character_names, known_specs
from speciate.tasks import list_tasks
from speciate.testing.command_line import CommandLine
from speciate.testing.packages import install_package


def test_tasks_lists_every_problem_with_its_presets(cli: CommandLine) -> None:
    said, value = cli("tasks"), cli("tasks", "--json").json
    assert [task["name"] for task in value["tasks"]] == list(list_tasks())
    circles = next(task for task in value["tasks"] if task["name"] == "circle_packing")
    assert circles["objectives"] == ["maximize sum_radii"]
    assert {"demo", "paper/circle"} <= {preset["name"] for preset in circles["presets"]}
    assert "speciate init" in said.out


def test_models_lists_forms_keys_and_characters(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    said, value = cli("models"), cli("models", "--json")
    assert value.json["forms"] == ["genetic", *known_specs()]
    assert value.json["credentials"]["OPENAI_API_KEY"] is True
    assert {model["spec"] for model in value.json["models"]} == {
        f"simulated:{name}" for name in character_names()
    }
    assert "sk-very-secret" not in said.out + said.err + value.out + value.err


def test_a_missing_key_is_told(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    said = cli("models", "openai:gpt-5-mini")
    assert said.code == 0
    assert "not ready" in said.out
    assert "OPENAI_API_KEY" in said.out


def test_an_unknown_price_is_said(cli: CommandLine) -> None:
    value = cli("models", "command:true", "simulated:bold", "--json").json
    assert value["models"][0]["price"] is None
    assert "made up" in value["models"][1]["price"]["source"]
    assert "price unknown" in cli("models", "command:true").out


def test_an_unknown_kind_of_model_names_the_nearest(cli: CommandLine) -> None:
    said = cli("models", "opnai:x")
    assert said.code == 2
    assert "did you mean 'openai'" in said.err


def test_an_unknown_simulated_character_names_the_nearest(cli: CommandLine) -> None:
    said = cli("models", "simulated:carefull")
    assert said.code == 2
    assert said.err == (
        "speciate: no simulated character 'carefull'; did you mean 'careful'?; "
        "there are careful, bold, sloppy, slow, mathematician, professor, pupil\n"
    )


def test_models_lists_proposers_that_packages_bring_along(
    cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_package(tmp_path, monkeypatch)
    said, value = cli("models"), cli("models", "moves:left", "genetic", "--json").json
    assert "moving-things 1.5" in said.out
    assert [(model["spec"], model["ready"]) for model in value["models"]] == [
        ("moves:left", True),
        ("genetic", True),
    ]
