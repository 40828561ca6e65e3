from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from speciate.store import open_store
from speciate.testing.command_line import CommandLine, write_task


def test_a_run_tells_its_best_and_what_to_do_next(cli: CommandLine, task: Path) -> None:
    said = cli("run", "sum", "--candidates", "30", "--quiet")
    assert said.code == 0
    assert said.err == ""
    assert "Best score" in said.out
    assert "runs/sum-1/best/numbers.py" in said.out
    assert "speciate resume runs/sum-1 --candidates 60" in said.out


def test_commands_to_copy_are_quoted(cli: CommandLine, task: Path) -> None:
    said = cli("run", task, "--candidates", "2", "--out", "my run", "--quiet").out
    assert "speciate resume 'my run' --candidates 4" in said
    assert "speciate show 'my run' --best" in said


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["--candidates", "4"], "--candidates 8"),
        (["--evaluations", "4"], "--evaluations "),
        (["--max-seconds", "0.3", "--candidates", "100000"], "--max-seconds "),
        (["--max-calls", "3", "--model", "simulated:bold"], "--max-calls "),
        (["--max-tokens", "30000", "--model", "simulated:bold"], "--max-tokens "),
        (["--max-cost", "0.2", "--model", "simulated:bold"], "--max-cost "),
    ],
)
def test_the_cap_that_ended_a_run_is_the_one_to_raise(
    cli: CommandLine, task: Path, words: list[str], option: str
) -> None:
    said = cli("run", task, "--out", "run", "--quiet", *words)
    assert said.code == 0
    hint = next(line for line in said.out.splitlines() if "speciate resume run" in line)
    assert f"speciate resume run {option}" in hint
    proposed = cli("show", "run", "--json").json["counts"]["proposed"]
    raised = hint.split("speciate resume run")[1].split()[:2]
    assert cli("resume", "run", "--json", *raised).json["counts"]["proposed"] > proposed


@pytest.mark.parametrize("driver", ["pipeline", "sequential"])
@pytest.mark.parametrize(
    ("option", "cap", "said"),
    [
        (
            "--max-cost",
            "0.01",
            "the cap on cost has no room for even one call at its worst (--max-cost): it may",
        ),
        (
            "--max-tokens",
            "10",
            "the cap on tokens has no room for even one call at its worst (--max-tokens): it",
        ),
        ("--max-calls", "0", "the cap on model calls has no room for even one call (--max-calls)"),
    ],
)
def test_a_cap_too_small_for_any_call_says_so_and_what_would_do(
    cli: CommandLine, task: Path, option: str, cap: str, said: str, driver: str
) -> None:
    words = ("--model", "simulated:bold", "--out", "run", "--quiet", "--driver", driver)
    out = cli("run", task, option, cap, *words).out
    assert said in out.splitlines()[0]
    hint = out.split(f"speciate resume run {option} ")[1].split()[0]
    assert cli("resume", "run", option, hint, "--json").json["proposers"]["simulated:bold"]["calls"] > 0


def test_json_is_one_object_of_the_promised_shape(cli: CommandLine, task: Path) -> None:
    value = cli("run", task, "--candidates", "20", "--seed", "5", "--json").json
    expected = {"run_dir", "task", "seed", "status", "stop_reason", "best", "counts", "archive", "proposers"}
    assert expected | {"cost_usd", "seconds"} <= set(value)
    assert (value["task"], value["seed"], value["status"]) == ("sum", 5, "finished")
    assert value["stop_reason"] == "candidates"
    assert value["counts"]["proposed"] == 20
    assert value["best"]["score"] < 8.0  # minimised, in the user's own direction; the initial program has 8
    assert Path(value["best"]["source_path"]).is_file()


def test_without_a_model_the_run_says_what_stands_in(cli: CommandLine, task: Path) -> None:
    assert "genetic operators (no model is named)" in cli("run", task, "--candidates", "2").err


ALONE = "3 islands never exchange programs: --set population.migration_fraction=0.1"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--set", "population.islands=3"], True),
        (["--config", "islands.toml"], True),
        (["--set", "population.islands=3", "--set", "population.migration_fraction=0.0"], False),
        (["--set", "population.islands=3", "--set", "population.migration_fraction=0.1"], False),
        ([], False),
    ],
)
def test_islands_that_nobody_wanted_alone_are_remarked(
    cli: CommandLine, task: Path, words: list[str], told: bool
) -> None:
    Path("islands.toml").write_text("[population]\nislands = 3\n")
    assert (ALONE in cli("run", task, "--candidates", "1", *words).err.splitlines()) == told


def test_a_preset_may_keep_islands_alone(cli: CommandLine) -> None:
    said = cli("run", "circle_packing", "--preset", "paper/circle", "--candidates", "1")
    assert said.code == 0
    assert "never exchange" not in said.err


@pytest.mark.parametrize("kind", ["elites", "pareto"])
def test_objectives_that_do_not_count_are_remarked(cli: CommandLine, kind: str) -> None:
    task = write_task(Path("two"), toml=TWO_OBJECTIVES, evaluate=TWO_SCORES)
    said = cli("run", task, "--candidates", "1", "--set", f"population.archive.kind={kind}")
    assert said.code == 0
    advice = "only the first of 2 objectives decides who stays: --set population.archive.kind=pareto"
    assert (advice in said.err.splitlines()) == (kind == "elites")


TWO_OBJECTIVES = """
name = "two"
[[objectives]]
name = "small"
direction = "minimize"
[[objectives]]
name = "large"
direction = "maximize"
[program]
files = ["numbers.py"]
[evaluation]
kind = "trusted"
evaluate = "evaluate.py"
"""

TWO_SCORES = "def evaluate(program, context):\n    return {'small': 1.0, 'large': 2.0}\n"


def test_runs_are_numbered(cli: CommandLine, task: Path) -> None:
    folders = [cli("run", task, "--candidates", "1", "--json").json["run_dir"] for _ in range(2)]
    assert folders == ["runs/sum-1", "runs/sum-2"]


def test_the_same_seed_gives_the_same_best(cli: CommandLine, task: Path) -> None:
    one, two = (cli("run", task, "--candidates", "25", "--seed", "9", "--json").json for _ in range(2))
    assert one["best"]["score"] == two["best"]["score"]
    assert one["counts"] == two["counts"]


def test_a_preset_runs_its_problem_in_the_sandbox(cli: CommandLine) -> None:
    said = cli("run", "circle_packing", "--preset", "demo", "--candidates", "4", "--out", "demo", "--json")
    assert said.code == 0
    assert said.json["best"]["public"]["exact_valid"]


def test_two_runs_in_one_folder_are_refused(cli: CommandLine, task: Path) -> None:
    cli("run", task, "--out", "here", "--candidates", "2")
    said = cli("run", task, "--out", "here", "--candidates", "2", "--quiet")
    assert said.code == 2
    assert "speciate resume here" in said.err
    assert len(said.err.splitlines()) == 1


def test_an_unwritable_folder_is_one_sentence(cli: CommandLine, task: Path) -> None:
    Path("file").write_text("")
    said = cli("run", task, "--out", "file/run", "--quiet")
    assert said.code == 2
    assert "cannot be written" in said.err
    assert len(said.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere"], "no problem and no folder 'nowhere'"),
        (["circle_packin"], "did you mean 'circle_packing'"),
        (["sum", "--model", "opnai:x"], "did you mean 'openai'"),
        (["sum", "--model", "simulated:nobody"], "nobody"),
        (["sum", "--preset", "paper/cirle"], "did you mean 'paper/circle'"),
        (["sum", "--preset", "demo"], "meant for circle_packing"),
        (["sum", "--config", "none.toml"], "cannot read settings from none.toml"),
        (["sum", "--config", "bad.toml"], "bad.toml is not valid TOML"),
        (["sum", "--set", "selectoin.policy=uniform"], "did you mean 'selection'"),
        (["sum", "--set", "seed"], "--set takes KEY=VALUE"),
        (["sum", "--in-flight", "0"], "pipeline.in_flight"),
        (["sum", "--model", "command:true", "--max-cost", "1"], "--allow-unknown-price"),
        (["sum", "--approve"], "stdin is none"),
    ],
)
def test_a_wrong_input_is_one_sentence_and_leaves_no_run(
    cli: CommandLine, task: Path, words: list[str], message: str
) -> None:
    Path("bad.toml").write_text("a = = 1")
    said = cli("run", *words, "--json")
    assert said.code == 2
    assert message in said.json["error"]
    assert "Traceback" not in said.err
    assert not Path("runs").exists()


def test_a_program_without_markers_says_what_to_write(cli: CommandLine) -> None:
    write_task(Path("sum"), initial="FIRST = 1.0\nSECOND = 2.0\n")
    said = cli("run", "sum")
    assert said.code == 2
    assert "# EVOLVE-BLOCK-START" in said.err


def test_an_invalid_initial_program_is_refused_unless_allowed(cli: CommandLine) -> None:
    broken = "# EVOLVE-BLOCK-START\nFIRST = 'a'\nSECOND = 2.0\n# EVOLVE-BLOCK-END\n"
    write_task(Path("sum"), initial=broken)
    said = cli("run", "sum", "--quiet")
    assert said.code == 2
    assert "the initial program is not valid" in said.err
    assert cli("run", "sum", "--candidates", "2", "--allow-invalid-seed", "--quiet").code == 0


def test_an_evaluator_that_raises_is_one_sentence(cli: CommandLine) -> None:
    write_task(Path("sum"), evaluate="def evaluate(program, context):\n    raise RuntimeError('boom')\n")
    said = cli("run", "sum", "--quiet")
    assert said.code == 2
    assert "boom" in said.err
    assert len(said.err.splitlines()) == 1


def _started(task: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "speciate", "run", "sum", "--out", "run", "--json", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=task.parent,
    )


def _wait_for(condition: Path, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while not condition.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    assert condition.exists()


def test_ctrl_c_ends_in_order_and_the_run_goes_on_later(cli: CommandLine, task: Path) -> None:
    asked = task.parent / "asked"
    process = _started(task, "--model", f"command:sh -c 'touch {asked}; sleep 1'", "--in-flight", "1")
    _wait_for(asked, process)
    assert cli("show", "run", "--json").json["status"] == "running"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Stopping: finishing what has begun" in err
    assert json.loads(out)["stop_reason"] == "interrupted"
    assert cli("show", "run", "--json").json["status"] == "interrupted"


@pytest.mark.parametrize("left", ["an empty file", "empty tables"])
def test_a_command_that_was_killed_while_it_made_the_database_can_be_given_again(
    cli: CommandLine, task: Path, left: str
) -> None:
    folder = Path("run")
    if left == "an empty file":
        folder.mkdir()
        (folder / "history.sqlite").touch()
    else:
        open_store(folder).close()
    for command in ("resume", "show"):
        said = cli(command, "run")
        assert said.code == 2
        assert "run the same command again" in said.err
    words = ("run", str(task), "--out", "run", "--candidates", "3", "--json")
    assert cli(*words).json["counts"]["proposed"] == 3


def test_a_second_ctrl_c_stops_now_and_says_how_to_go_on(task: Path) -> None:
    asked = task.parent / "asked"
    process = _started(task, "--model", f"command:sh -c 'touch {asked}; exec sleep 30'")
    _wait_for(asked, process)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    while "Ctrl-C" not in process.stderr.readline():
        pass
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "speciate resume run" in err
    assert json.loads(out) == {"error": "stopped"}


def test_a_killed_run_is_kept(cli: CommandLine, task: Path) -> None:
    asked = task.parent / "asked"
    model = f"command:sh -c 'echo $$ > {asked}.new; mv {asked}.new {asked}; exec sleep 30'"
    process = _started(task, "--model", model, "--in-flight", "1")
    _wait_for(asked, process)
    process.kill()
    process.communicate(timeout=60)
    os.kill(int(asked.read_text()), signal.SIGKILL)  # nobody else is left to end it
    value = cli("show", "run", "--json").json
    assert value["status"] == "killed"
    assert value["best"]["ordinal"] == 0
    assert value["uncertain"]["calls"] >= 1
