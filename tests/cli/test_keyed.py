from __future__ import annotations

from pathlib import Path

import pytest

from speciate.cli.keyed import preset_layers, preset_remarks
from speciate.engine.settings import Layer, compose, load_preset
from speciate.novelty import NoveltyConfig

PRESETS = ["paper/circle", "paper/circle-exact"]


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def novelty(name: str, over: list[Layer]) -> NoveltyConfig:
    return compose([*preset_layers(load_preset(name), over), *over]).novelty


@pytest.mark.parametrize("name", PRESETS)
def test_with_a_key_programs_are_compared_and_judged_as_in_the_paper(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "planted")
    found = novelty(name, [])
    assert (found.embedding, found.threshold) == ("openai:text-embedding-3-small", 0.95)
    assert found.judge == "openai:gpt-5-nano"
    assert preset_remarks(load_preset(name), [])[0].endswith("on, since there is a key")


@pytest.mark.parametrize("name", PRESETS)
def test_without_a_key_they_are_not_and_it_is_said(name: str) -> None:
    assert novelty(name, []) == NoveltyConfig()
    (line,) = preset_remarks(load_preset(name), [])
    assert "gpt-5-nano: OFF, since there is no key in OPENAI_API_KEY" in line


def test_the_file_dotenv_counts_as_everywhere() -> None:
    Path(".env").write_text("OPENAI_API_KEY=planted\n")
    assert novelty("paper/circle", []).judge == "openai:gpt-5-nano"


@pytest.mark.parametrize("own", ["off", "paths"])
def test_settings_of_a_user_leave_the_whole_part_out(own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "planted")
    over: list[Layer] = [{"novelty": {"embedding": own}}]
    found = novelty("paper/circle", over)
    assert (found.embedding, found.threshold, found.judge) == (own, None, None)
    assert (
        "OFF, since novelty.embedding is set otherwise"
        in preset_remarks(load_preset("paper/circle"), over)[0]
    )


def test_libraries_that_are_absent_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "planted")
    monkeypatch.setattr("speciate.cli.keyed.is_installed", lambda package: package != "openai")
    assert novelty("paper/circle", []) == NoveltyConfig()
    assert "pip install 'speciate[llm]'" in preset_remarks(load_preset("paper/circle"), [])[0]
