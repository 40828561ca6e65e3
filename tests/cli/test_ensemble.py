"""Ensembles from the command line: who sits where, one JSON object, files, and going on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from speciate.testing.command_line import CommandLine, write_task

SHORT = (
    "--rounds",
    "2",
    "--iterations",
    "4",
    "--driver",
    "sequential",
    "--set",
    "population.archive.kind=grid",
)


def _without_times(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_times(item) for key, item in value.items() if key not in ("seconds", "run_dir")}
    return [_without_times(item) for item in value] if isinstance(value, list) else value


def test_one_object_tells_of_nodes_merger_and_champions(cli: CommandLine, task: Path, tmp_path: Path) -> None:
    said = cli("ensemble", task, *SHORT, "--nodes", "3", "--out", "run", "--json")
    assert said.code == 0, said.err
    assert [node["name"] for node in said.json["nodes"]] == ["n1", "n2", "n3"]
    for node in said.json["nodes"]:
        assert {"name", "proposer", "best", "coverage", "qd_score", "calls"} <= set(node)
        assert (node["proposer"], node["rounds"]) == ("genetic", 2)
        assert node["calls"] == node["candidates"] == 2 * 4
    merged = said.json["merged"]
    assert merged["coverage"] == merged["cells"] / 5
    assert (
        merged["cells"] == len(merged["elites"]) >= max(node["coverage"] * 5 for node in said.json["nodes"])
    )
    assert said.json["champions"].keys() == {"published", "received", "opened_cells", "rejected"}
    assert (said.json["champions"]["published"], said.json["champions"]["received"]) == (6, 12)
    assert said.json["status"] == "finished"


def test_equal_seeds_give_equal_ensembles_and_others_do_not(
    cli: CommandLine, task: Path, tmp_path: Path
) -> None:
    words = ("ensemble", task, *SHORT, "--nodes", "2", "--json", "--seed")
    first, again, other = (
        cli(*words, seed, "--out", out) for seed, out in (("7", "a"), ("7", "b"), ("8", "c"))
    )
    assert _without_times(first.json) == _without_times(again.json)
    assert _without_times(first.json) != _without_times(other.json)
    assert (tmp_path / "a" / "merged.json").read_bytes() == (tmp_path / "b" / "merged.json").read_bytes()


def test_in_words_there_are_a_table_a_map_and_files(cli: CommandLine, task: Path, tmp_path: Path) -> None:
    said = cli("ensemble", task, *SHORT, "--out", "run")
    assert said.code == 0, said.err
    assert "told apart by their seeds alone" in said.err
    assert "generality" in said.out
    assert "Merged archive: first →" in said.out
    assert "FIRST" in (tmp_path / "run" / "best" / "numbers.py").read_text()
    assert (tmp_path / "run" / "merged.png").read_bytes().startswith(b"\x89PNG")
    elites = sorted(path.name for path in (tmp_path / "run" / "elites").iterdir())
    assert elites[0].startswith("001-n")
    assert len(elites) == len(json.loads((tmp_path / "run" / "merged.json").read_text())["elites"])


def test_each_model_has_a_node_of_its_own_name(cli: CommandLine, task: Path) -> None:
    said = cli(
        "ensemble",
        task,
        *SHORT,
        "--model",
        "genetic",
        "--model",
        "simulated:careful",
        "--model",
        "genetic",
        "--json",
    )
    assert said.code == 0, said.err
    named = [(node["name"], node["proposer"]) for node in said.json["nodes"]]
    assert named == [("genetic-1", "genetic"), ("careful", "simulated:careful"), ("genetic-2", "genetic")]
    assert "nothing about real models" in said.err


@pytest.mark.parametrize("preset", [(), ("--preset", "paper/dei")])
def test_core_war_is_played_by_four_priors(cli: CommandLine, preset: tuple[str, ...]) -> None:
    small = ("--set", "task.parameters.preset=nano", "--rounds", "2", "--iterations", "3", "--json")
    said = cli("ensemble", "corewar", *preset, *small)
    assert said.code == 0, said.err
    assert [node["name"] for node in said.json["nodes"]] == ["bomber", "replicator", "scanner", "imp_clear"]
    champions = {node["generality"] is not None for node in said.json["nodes"]}
    assert champions == {True}
    assert said.json["merged"]["opponents"] > 4
    assert "Champions" in said.err


def test_models_go_round_over_more_nodes(cli: CommandLine, task: Path) -> None:
    words = ("ensemble", task, *SHORT, "--model", "genetic", "--nodes", "3", "--json")
    assert [node["name"] for node in cli(*words).json["nodes"]] == ["genetic-1", "genetic-2", "genetic-3"]


def test_caps_are_divided_over_the_nodes(cli: CommandLine, task: Path) -> None:
    said = cli("ensemble", task, *SHORT, "--nodes", "2", "--candidates", "7", "--out", "cut", "--json")
    assert [node["candidates"] for node in said.json["nodes"]] == [3, 3]
    assert [node["stop_reason"] for node in said.json["nodes"]] == ["candidates", "candidates"]
    more = cli("resume", "cut", "--candidates", "100", "--json")
    assert more.code == 0, more.err
    whole = cli("ensemble", task, *SHORT, "--nodes", "2", "--candidates", "100", "--out", "whole", "--json")
    for key in ("nodes", "merged", "champions", "links"):
        assert more.json[key] == whole.json[key]


def test_topology_latency_and_settings_arrive(cli: CommandLine, task: Path, tmp_path: Path) -> None:
    said = cli(
        "ensemble", task, *SHORT, "--nodes", "3", "--topology", "random:1", "--latency", "1",
        "--latency", "5", "--latency", "9", "--set", "ensemble.nodes.1.name=middle", "--out", "run", "--json",
    )  # fmt: skip
    assert said.code == 0, said.err
    assert [node["name"] for node in said.json["nodes"]] == ["n1", "middle", "n3"]
    rules = json.loads((tmp_path / "run" / "ensemble.json").read_text())["config"]["ensemble"]
    assert rules["topology"] == {"kind": "random", "links": 1}
    assert [node["latency"] for node in rules["nodes"]] == [1, 5, 9]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--model", "genetic", "--model", "genetic", "--nodes", "1"), "2 models need as many nodes"),
        (("--nodes", "3", "--latency", "1", "--latency", "2"), "2 for 3 nodes"),
        (("--topology", "random:many"), "--topology takes KIND or KIND:LINKS"),
        (("--topology", "ring:3"), "takes no number"),
        (("--topology", "star"), "ensemble.topology.kind"),
        (("--candidates", "3"), "too little for 4 nodes"),
        (("--model", "nonsense:x"), "nonsense"),
        (("--set", "ensemble.nodes.9.name=x"), "9 names no item"),
        (("--preset", "paper/dei"), "meant for corewar"),
    ],
)
def test_what_cannot_be_is_told_before_there_is_a_folder(
    cli: CommandLine, task: Path, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    said = cli("ensemble", task, *words, "--out", "run")
    assert said.code == 2
    assert told in said.err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("command", ["ensemble", "run"])
def test_nothing_is_kept_in_the_task_s_own_folder(cli: CommandLine, task: Path, command: str) -> None:
    before = sorted(task.iterdir())
    said = cli(command, task, "--out", task)
    assert (said.code, "is the task's own folder" in said.err) == (2, True)
    assert sorted(task.iterdir()) == before


def test_what_is_proposed_to_begin_with_is_told(cli: CommandLine, task: Path) -> None:
    said = cli("ensemble", task, *SHORT, "--nodes", "1", "--candidates", "1", "--set", "ensemble.initial=3")
    assert "2 rounds of 4 proposals (and 3 more to begin with)" in said.err


def test_an_ensemble_that_has_played_its_rounds_ages_no_more(cli: CommandLine, task: Path) -> None:
    made = cli("ensemble", task, *SHORT, "--nodes", "2", "--out", "run", "--json")
    again = cli("resume", "run", "--json")
    assert again.json == made.json
    assert "nothing left to do" in again.err
    assert cli("resume", "run", "--set", "seed=3").code == 2


def test_show_report_and_doctor_know_ensembles(cli: CommandLine, task: Path, tmp_path: Path) -> None:
    made = cli("ensemble", task, *SHORT, "--nodes", "2", "--out", "run", "--json")
    assert cli("show", "run", "--json").json == {k: v for k, v in made.json.items() if k != "failed"}
    assert "FIRST" in cli("show", "run", "--best").out
    assert cli("show", "run", "--candidate", "1").code == 2
    (tmp_path / "run" / "merged.json").unlink()
    assert cli("show", "run", "--json").json["merged"] is None
    written = cli("report", "run", "--json")
    assert [Path(path).name for path in written.json["files"]][:2] == ["report.md", "merged.png"]
    assert written.json["merged"] == made.json["merged"]
    page = (tmp_path / "run" / "report" / "report.md").read_text()
    assert "| n1 | n2 | 2 |" in page
    doctor = cli("doctor", "run", "--json")
    assert (doctor.code, doctor.json["healthy"], list(doctor.json["nodes"])) == (0, True, ["n1", "n2"])


def test_an_ensemble_killed_before_its_nodes_began_goes_on(
    cli: CommandLine, task: Path, tmp_path: Path
) -> None:
    whole = cli("ensemble", task, *SHORT, "--nodes", "2", "--out", "whole", "--json")
    (tmp_path / "cut" / "nodes" / "n1").mkdir(parents=True)
    (tmp_path / "cut" / "ensemble.json").write_bytes((tmp_path / "whole" / "ensemble.json").read_bytes())
    (tmp_path / "cut" / "nodes" / "n1" / "history.sqlite").touch()  # killed as its database was made
    for command in ("show", "report", "doctor"):
        said = cli(command, "cut")
        assert (said.code, "speciate resume cut" in said.err) == (2, True)
    assert cli("resume", "cut", "--json").json["merged"] == whole.json["merged"]


def test_a_node_of_an_ensemble_does_not_go_on_alone(cli: CommandLine, task: Path) -> None:
    cli("ensemble", task, *SHORT, "--nodes", "2", "--out", "run")
    said = cli("resume", "run/nodes/n1")
    assert said.code == 2
    assert "speciate resume" in said.err
    assert cli("ensemble", task, *SHORT, "--out", "run").code == 2  # nor is it begun again


def test_a_node_whose_model_never_answers_is_named_and_the_others_go_on(cli: CommandLine, task: Path) -> None:
    dead = "local:m@http://127.0.0.1:9/v1"
    said = cli(
        "ensemble",
        task,
        *SHORT,
        "--model",
        "genetic",
        "--model",
        dead,
        "--set",
        "llm.retry.attempts=1",
        "--json",
    )
    assert said.code == 1
    assert "m: NO ANSWER" in said.err
    assert said.json["nodes"][0]["candidates"] == 8


def test_a_node_that_breaks_is_named_and_the_others_go_on(
    cli: CommandLine, task: Path, tmp_path: Path
) -> None:
    broken = 'ensemble.nodes.1.settings.population.island=[{initial="nowhere.py"}]'
    said = cli("ensemble", task, *SHORT, "--nodes", "3", "--set", broken, "--out", "run", "--json")
    assert said.code == 1
    assert "NODE n2 FAILED" in said.err
    assert "nowhere.py" in said.json["failed"]["n2"]
    assert [node["candidates"] for node in said.json["nodes"]] == [8, 0, 8]
    assert said.json["nodes"][1]["status"] == "stopped"


def test_a_task_without_descriptors_has_no_map(cli: CommandLine, tmp_path: Path) -> None:
    toml = """
name = "plain"
[[objectives]]
name = "total"
[program]
files = ["numbers.py"]
[evaluation]
kind = "trusted"
evaluate = "evaluate.py"
"""
    evaluate = "def evaluate(program, context):\n    return {'total': float(len(program.source))}\n"
    folder = write_task(tmp_path / "plain", toml=toml, evaluate=evaluate)
    said = cli(
        "ensemble", folder, "--rounds", "1", "--iterations", "3", "--nodes", "2", "--out", "run", "--json"
    )
    assert said.code == 0, said.err
    assert (said.json["merged"]["coverage"], said.json["merged"]["cells"]) == (None, 1)
    assert not (tmp_path / "run" / "merged.png").exists()
    assert cli("report", "run").code == 0


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_stops_all_nodes_without_a_traceback_and_they_go_on(
    cli: CommandLine, task: Path, times: int
) -> None:
    code = f"""
import signal
from speciate.cli import tally
count, told = tally.Tally._placed, [0]
def placed(self, event):
    count(self, event)
    told[0] += 1
    if 9 <= told[0] < 9 + {times}:
        signal.raise_signal(signal.SIGINT)
tally.Tally._placed = placed
from speciate.cli.main import main
main()
"""
    words = ["ensemble", str(task), *SHORT, "--nodes", "2", "--out", "run"]
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=60, check=False
    )
    assert "Traceback" not in done.stdout + done.stderr
    assert done.stderr.count("Stopping: finishing") == 1
    assert done.returncode in ((0,) if times == 1 else (130, -signal.SIGINT))
    assert cli("show", "run", "--json").json["status"] in ("interrupted", "killed")
    more = cli("resume", "run", "--json")
    assert more.code == 0, more.err
    whole = cli("ensemble", task, *SHORT, "--nodes", "2", "--out", "whole", "--json")
    assert more.json["merged"] == whole.json["merged"]
