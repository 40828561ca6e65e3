"""What befalls the folder of an ensemble: nodes lost, exchanged and foreign, and files damaged."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from speciate.testing.command_line import CommandLine, Said, write_task

SHORT = (
    "--rounds", "2", "--iterations", "3", "--driver", "sequential", "--set", "population.archive.kind=grid",
    "--nodes", "2",
)  # fmt: skip


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds a task and an ensemble that has finished, for all tests of this file."""
    place = tmp_path_factory.mktemp("origin")
    write_task(place / "sum")
    return place


@pytest.fixture
def whole(cli: CommandLine, origin: Path) -> Path:
    """A fresh copy of that ensemble."""
    if not (origin / "run").exists():
        said = cli("ensemble", origin / "sum", *SHORT, "--out", origin / "run")
        assert said.code == 0, said.err
    return Path(shutil.copytree(origin / "run", "run"))


def _candidates(said: Said) -> dict[str, int]:
    return {node["name"]: node["candidates"] for node in said.json["nodes"]}


def test_a_lost_node_is_named_everywhere(cli: CommandLine, whole: Path) -> None:
    shutil.rmtree(whole / "nodes" / "n1")
    shown = cli("show", whole)
    assert "finished" not in shown.out
    assert "1 of 2 nodes" in shown.out
    assert "Node n1 is LOST: it holds no run and had one, as n2, merged.json can tell" in shown.out
    assert cli("show", whole, "--json").json["missing"] == {"n1": ["n2", "merged.json"]}
    examined = cli("doctor", whole)
    assert (examined.code, "Node n1 is LOST" in examined.out) == (1, True)
    assert "Node n1 is LOST" in cli("report", whole).err
    assert "Node n1 is LOST" in (whole / "report" / "report.md").read_text()


def test_a_lost_node_begins_anew_only_if_that_is_asked_for(cli: CommandLine, whole: Path) -> None:
    shutil.rmtree(whole / "nodes" / "n1")
    refused = cli("resume", whole)
    assert (refused.code, "--anew" in refused.err) == (2, True)
    assert not (whole / "nodes" / "n1").exists()
    anew = cli("resume", whole, "--anew", "--json")
    assert anew.code == 0, anew.err
    assert "Node n1 is LOST" in anew.err
    assert _candidates(anew) == {"n1": 6, "n2": 6}
    assert (anew.json["status"], anew.json["missing"]) == ("finished", {})


def test_a_node_that_has_not_begun_is_no_fault(cli: CommandLine, whole: Path) -> None:
    """As after a kill: nobody has received anything of it, and nothing is merged."""
    for name in ("n1", "n2"):
        shutil.rmtree(whole / "nodes" / name)
    (whole / "merged.json").unlink()
    said = cli("resume", whole, "--json")
    assert said.code == 0, said.err
    assert "Node n1 has not begun: it begins now" in said.err
    assert cli("doctor", whole).code == 0


def test_anew_is_no_option_of_a_single_run(cli: CommandLine, task: Path) -> None:
    assert cli("run", task, "--candidates", "2", "--out", "single").code == 0
    assert "--anew is for ensembles" in cli("resume", "single", "--anew").err


def _stolen(whole: Path) -> str:
    shutil.copy(whole / "nodes" / "n1" / "history.sqlite", whole / "nodes" / "n2")
    return "run/nodes/n2 holds the history of the node n1"


def _stray(whole: Path) -> str:
    shutil.copytree(whole / "nodes" / "n1", whole / "nodes" / "n9")
    return "run/nodes/n9 holds a run that ensemble.json does not name"


def _foreign_task(whole: Path) -> str:
    write_task(Path("other"))
    _rewritten(whole, task=str(Path("other").resolve()))
    return "and ensemble.json says"


def _foreign_seed(whole: Path) -> str:
    config = json.loads((whole / "ensemble.json").read_text())["config"]
    _rewritten(whole, config={**config, "seed": 99})
    return "and ensemble.json gives it"


def _rewritten(whole: Path, **values: object) -> None:
    manifest = whole / "ensemble.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), **values}))


@pytest.mark.parametrize("damage", [_stolen, _stray, _foreign_task, _foreign_seed])
@pytest.mark.parametrize("command", ["show", "report", "resume", "doctor"])
def test_nodes_that_do_not_belong_there_are_told(
    cli: CommandLine, whole: Path, damage: object, command: str
) -> None:
    assert callable(damage)
    told = damage(whole)
    said = cli(command, whole)
    assert told in said.out + said.err
    assert said.code == (1 if command == "doctor" else 2)


@pytest.mark.parametrize("text", ["{}", "not json", '{"pool": 3}'])
def test_a_damaged_merger_is_made_again(cli: CommandLine, whole: Path, text: str) -> None:
    kept = (whole / "merged.json").read_bytes()
    (whole / "merged.json").write_text(text)
    shown = cli("show", whole, "--json")
    assert (shown.code, shown.json["merged"]) == (0, None)
    assert "run/merged.json is damaged" in shown.err
    examined = cli("doctor", whole)
    assert (examined.code, "run/merged.json is damaged" in examined.out) == (1, True)
    for command in ("report", "resume"):
        (whole / "merged.json").write_text(text)
        said = cli(command, whole)
        assert (said.code, "run/merged.json is damaged" in said.err) == (0, True)
        assert (whole / "merged.json").read_bytes() == kept


def test_a_merger_that_names_strange_elites_is_damaged(cli: CommandLine, whole: Path) -> None:
    kept = json.loads((whole / "merged.json").read_text())
    kept["elites"][0][2] = 999
    (whole / "merged.json").write_text(json.dumps(kept))
    assert "it names elites that no node has" in cli("report", whole).err
    assert cli("doctor", whole).code == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[]", "it holds no JSON object"),
        ("{", "it is not JSON"),
        ("{}", "it needs 'task' and 'config'"),
        ('{"task": "x", "config": {"sede": 1}}', "unknown key 'sede'"),
    ],
)
def test_a_damaged_manifest_is_told_in_one_sentence(
    cli: CommandLine, whole: Path, text: str, told: str
) -> None:
    (whole / "ensemble.json").write_text(text)
    said = cli("show", whole)
    assert said.code == 2
    assert told in said.err
    assert "pydantic" not in said.err
