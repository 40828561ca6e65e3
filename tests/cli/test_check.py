from __future__ import annotations

from pathlib import Path

from speciate.testing.command_line import CommandLine, write_task


def test_a_good_task_is_understood(cli: CommandLine, task: Path) -> None:
    said = cli("check", task)
    assert said.code == 0
    for part in ("minimize total", "numbers.py lines 2-3", "trusted", "first (0 to 10, 5 bins)", "total 8"):
        assert part in said.out
    assert "Deterministic" in said.out


def test_json_tells_the_same(cli: CommandLine, task: Path) -> None:
    value = cli("check", task, "--json").json
    assert value["regions"] == [{"file": "numbers.py", "first": 2, "last": 3}]
    assert (value["valid"], value["deterministic"], value["forgeable"]) == (True, True, False)
    assert [run["scores"] for run in value["runs"]] == [{"total": 8.0}] * 2


def test_a_split_task_runs_in_the_sandbox(cli: CommandLine) -> None:
    cli("init", "mine")
    value = cli("check", "mine", "--json").json
    assert (value["kind"], value["valid"], value["unvalidated"]) == ("split", True, False)
    assert all(run["memory_mb"] > 0 for run in value["runs"])


def test_an_invalid_initial_program_leaves_with_one(cli: CommandLine) -> None:
    write_task(Path("sum"), initial="# EVOLVE-BLOCK-START\nFIRST = 'a'\n# EVOLVE-BLOCK-END\n")
    said = cli("check", "sum")
    assert said.code == 1
    assert "NOT valid" in said.out


def test_broken_syntax_is_shown_with_its_line(cli: CommandLine) -> None:
    write_task(Path("sum"), initial="# EVOLVE-BLOCK-START\nFIRST = (\n# EVOLVE-BLOCK-END\n")
    said = cli("check", "sum", "--json")
    assert said.code == 1
    assert "line 2" in said.json["syntax"]
    assert said.json["runs"] == []


def test_a_task_that_differs_from_run_to_run_is_told(cli: CommandLine) -> None:
    evaluate = "import time\n\n\ndef evaluate(program, context):\n    return float(time.perf_counter_ns())\n"
    toml = 'name = "sum"\n[[objectives]]\nname = "total"\n[program]\nfiles = ["numbers.py"]\n'
    toml += '[evaluation]\nkind = "trusted"\nevaluate = "evaluate.py"\n'
    write_task(Path("sum"), evaluate=evaluate, toml=toml)
    said = cli("check", "sum")
    assert said.code == 0
    assert "NOT deterministic" in said.out
    assert "Unvalidated" in said.out
    write_task(Path("sum"), evaluate=evaluate, toml=toml + "stochastic = true\n")
    assert "Stochastic, as task.toml says" in cli("check", "sum").out


def test_a_plain_task_is_called_forgeable(cli: CommandLine) -> None:
    toml = 'name = "sum"\n[[objectives]]\nname = "total"\n[program]\nfiles = ["numbers.py"]\n'
    toml += '[evaluation]\nkind = "plain"\nevaluate = "evaluate.py"\n'
    write_task(Path("sum"), toml=toml, evaluate="def evaluate(program):\n    return 1.0\n")
    said = cli("check", "sum", "--json")
    assert said.json["forgeable"]
    assert "Forgeable" in said.err


def test_bad_toml_an_unknown_key_and_broken_score_code_leave_with_two(cli: CommandLine) -> None:
    for toml, message in (
        ("name = = 1", "not valid TOML"),
        ('name = "x"\nlimts = 1', "did you mean 'limits'"),
    ):
        write_task(Path("sum"), toml=toml)
        said = cli("check", "sum")
        assert said.code == 2
        assert message in said.err
    write_task(Path("boom"), evaluate="raise RuntimeError('boom')")
    said = cli("check", "boom")
    assert said.code == 2
    assert "boom" in said.err
