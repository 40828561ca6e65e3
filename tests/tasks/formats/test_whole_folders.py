"""Folders of other systems from one end to the other, through the command line."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

from speciate.testing.command_line import CommandLine

FOLDERS = (
    "shinka/intervals",
    "shinka/noisy",
    "shinka/workers",
    "shinka/handwritten",
    "shinka/compiled",
    "openevolve/curve",
    "openevolve/cascade",
    "openevolve/artifacts",
    "openevolve/subprocess",
    "openevolve/words",
)


def test_every_folder_of_the_data_is_run(data: Path) -> None:
    there = {f"{kind}/{path.name}" for kind in ("shinka", "openevolve") for path in (data / kind).iterdir()}
    assert there == set(FOLDERS)


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_runs_as_it_is(cli: CommandLine, data: Path, folder: str) -> None:
    if folder == "shinka/compiled" and shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    before = sorted((data / folder).rglob("*"))
    said = cli("run", data / folder, "--candidates", 5, "--seed", 3, "--out", "out", "--json")
    assert said.code == 0, said.err
    counts = said.json["counts"]
    assert (counts["proposed"], counts["evaluated"] >= 3, counts["valid"] >= 3) == (5, True, True)
    assert isinstance(said.json["best"]["score"], float)
    assert "forgeable" in said.err
    assert sorted((data / folder).rglob("*")) == before


@pytest.mark.parametrize("folder", ["shinka/intervals", "openevolve/curve"])
def test_check_says_what_it_understood(cli: CommandLine, data: Path, folder: str) -> None:
    value = cli("check", data / folder, "--json").json
    assert (value["format"], value["kind"]) == (folder.split("/")[0],) * 2
    assert (value["valid"], value["deterministic"], value["forgeable"]) == (True, True, True)
    said = cli("check", data / folder).out
    assert "population.islands" in said
    assert "ignored" in said
    assert "name models with --model" in said


def test_a_run_goes_on_where_it_stopped(cli: CommandLine, data: Path) -> None:
    task = shutil.copytree(data / "openevolve/curve", "task")
    first = cli("run", task, "--candidates", 2, "--out", f"{task}/out", "--json")
    assert first.code == 0, first.err
    (Path(task) / "README.md").write_text("notes for people are no part of the scoring")
    more = cli("resume", f"{task}/out", "--candidates", 5, "--json")
    assert more.code == 0, more.err
    assert more.json["counts"]["proposed"] == 5


def test_a_run_without_a_sandbox_finds_the_shims_too(cli: CommandLine, data: Path) -> None:
    for folder in ("shinka/workers", "openevolve/subprocess"):
        said = cli("check", data / folder, "--unsafe-no-sandbox", "--json")
        assert said.code == 0, said.err


@pytest.mark.parametrize("name", ["shinka", "openevolve"])
def test_the_shims_are_importable_in_the_sandbox_alone(name: str) -> None:
    assert importlib.util.find_spec(name) is None
