from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from speciate.cli.main import COMMANDS, build_app
from speciate.testing.command_line import CommandLine


def speciate(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "speciate", *words], capture_output=True, text=True, cwd=cwd, timeout=60
    )


def test_help_lists_every_command() -> None:
    ended = speciate("--help")
    assert ended.returncode == 0
    assert ended.stderr == ""
    for name in COMMANDS:
        assert f"\n  {name} " in ended.stdout


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from speciate.cli.main import run_command; run_command(['--help']);"
        "heavy = {'numpy', 'pydantic', 'sqlalchemy', 'rich', 'asyncio', 'speciate.engine', 'speciate.store'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert ended.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_shows_an_example(cli: CommandLine, name: str) -> None:
    said = cli(name, "--help")
    assert said.code == 0
    assert f"\n  speciate {name}" in said.out


def test_without_a_command_the_help_is_shown(cli: CommandLine) -> None:
    said = cli()
    assert said.code == 0
    assert "Usage: speciate" in said.out


def test_version(cli: CommandLine) -> None:
    from speciate import __version__

    assert cli("--version").out.strip() == __version__


def test_a_mistyped_command_names_the_nearest(cli: CommandLine) -> None:
    said = cli("shwo")
    assert said.code == 2
    assert "show" in said.err


def test_a_mistyped_option_is_one_sentence(cli: CommandLine, task: Path) -> None:
    said = cli("run", task, "--candidate", "3", "--json")
    assert said.code == 2
    assert len(said.err.splitlines()) == 1
    assert "--candidates" in said.json["error"]


@pytest.mark.parametrize("command", ["run", "resume", "show", "report", "check", "init", "doctor"])
def test_a_name_too_long_for_a_file_is_one_sentence(cli: CommandLine, command: str) -> None:
    said = cli(command, "a" * 300)
    assert said.code == 2
    assert "is too long for a file: it has 3" in said.err
    assert said.err.count("\n") == 1


def test_debug_shows_the_traceback_wherever_it_stands(cli: CommandLine) -> None:
    assert "Traceback" not in cli("show", "nowhere").err
    for words in (
        ["--debug", "show", "nowhere"],
        ["show", "--debug", "nowhere"],
        ["show", "nowhere", "--debug"],
    ):
        said = cli(*words)
        assert said.code == 2
        assert "Traceback" in said.err


def test_json_errors_are_one_object_on_stdout() -> None:
    ended = speciate("show", "nowhere", "--json")
    assert ended.returncode == 2
    assert "nowhere holds no run: there is no such folder" in json.loads(ended.stdout)["error"]
    assert len(ended.stderr.splitlines()) == 1


def test_a_problem_adds_a_command(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    _install(monkeypatch, EntryPoint("shout", "tests_shout:shout", "speciate.commands"))
    monkeypatch.setitem(sys.modules, "tests_shout", _Module())
    said = cli("shout", "hello")
    assert (said.code, said.out) == (0, "HELLO\n")


def test_a_broken_command_of_a_problem_is_named_and_harms_no_other(
    cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install(monkeypatch, EntryPoint("broken", "speciate.no_such_module:run", "speciate.commands"))
    said = cli("--help")
    assert said.code == 0
    assert "'broken'" in said.err


def test_problems_are_not_asked_when_a_built_in_command_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: str) -> EntryPoints:
        raise AssertionError("entry points were read")

    monkeypatch.setattr("importlib.metadata.entry_points", refuse)
    build_app(["tasks"])
    with pytest.raises(AssertionError, match="entry points"):
        build_app(["other"])


def test_shell_completion_knows_the_commands() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", "from speciate.cli.main import main; main()"],
        env={
            "_SPECIATE_COMPLETE": "complete_bash",
            "COMP_WORDS": "speciate re",
            "COMP_CWORD": "1",
            "PATH": "",
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert {"resume", "report"} <= set(ended.stdout.split())


class _Module:
    @staticmethod
    def shout(word: str) -> None:
        """Says it loudly."""
        print(word.upper())


def _install(monkeypatch: pytest.MonkeyPatch, *points: EntryPoint) -> None:
    def entry_points(**_: str) -> EntryPoints:
        return EntryPoints(points)

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
