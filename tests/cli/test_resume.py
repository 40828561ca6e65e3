from __future__ import annotations

import sqlite3
from pathlib import Path

from speciate.store import DATABASE, open_store
from speciate.testing.command_line import CommandLine, write_task


def test_a_resumed_run_equals_one_that_never_stopped(cli: CommandLine, task: Path) -> None:
    cli("run", task, "--candidates", "30", "--out", "whole", "--driver", "sequential")
    cli("run", task, "--candidates", "12", "--out", "halves", "--driver", "sequential")
    value = cli("resume", "halves", "--candidates", "30", "--json").json
    whole = cli("show", "whole", "--json").json
    assert value["best"]["ordinal"] == whole["best"]["ordinal"]
    assert value["counts"] == whole["counts"]


def test_a_finished_run_ends_at_once_and_says_how_to_go_on(cli: CommandLine, task: Path) -> None:
    cli("run", task, "--candidates", "5", "--out", "run")
    said = cli("resume", "run")
    assert said.code == 0
    assert "after 5 candidates" in said.err
    assert "speciate resume run --candidates 10" in said.out


def test_a_folder_without_a_run_is_named_and_stays_empty(cli: CommandLine) -> None:
    Path("empty").mkdir()
    said = cli("resume", "empty")
    assert said.code == 2
    assert "empty holds no run" in said.err
    assert list(Path("empty").iterdir()) == []


def test_what_decides_the_course_cannot_change(cli: CommandLine, task: Path) -> None:
    cli("run", task, "--candidates", "5", "--out", "run")
    said = cli("resume", "run", "--set", "selection.policy=uniform")
    assert said.code == 2
    assert "cannot change within a run" in said.err


def test_a_task_that_has_changed_is_refused(cli: CommandLine, task: Path) -> None:
    cli("run", task, "--candidates", "5", "--out", "run")
    file = task / "evaluate.py"
    file.write_text(file.read_text().replace("first + second", "first * second"))
    said = cli("resume", "run", "--candidates", "10", "--quiet")
    assert said.code == 2
    assert "the task has changed" in said.err


def test_a_task_that_is_gone_is_one_sentence(cli: CommandLine, task: Path) -> None:
    cli("run", task, "--candidates", "5", "--out", "run")
    task.rename("elsewhere")
    said = cli("resume", "run", "--candidates", "10", "--quiet")
    assert said.code == 2
    assert len(said.err.splitlines()) == 1
    write_task(task)
    assert cli("resume", "run", "--candidates", "10").code == 0


def test_a_run_that_goes_on_elsewhere_is_left_alone(cli: CommandLine, task: Path) -> None:
    cli("run", task, "--candidates", "5", "--out", "run")
    holder = open_store(Path("run"))
    said = cli("resume", "run", "--candidates", "10", "--quiet")
    holder.close()
    assert said.code == 2
    assert "another process is running in run" in said.err


def test_a_file_that_is_no_database_is_one_sentence(cli: CommandLine, task: Path) -> None:
    cli("run", task, "--candidates", "5", "--out", "run")
    Path("run", DATABASE).write_bytes(b"no database " * 1000)
    for words in (["resume", "run"], ["show", "run"], ["doctor", "run"], ["report", "run"]):
        said = cli(*words)
        assert said.code == 2
        assert "Traceback" not in said.err
        assert "database" in said.err


def test_a_damaged_event_says_what_to_do(cli: CommandLine, task: Path) -> None:
    cli("run", task, "--candidates", "5", "--out", "run")
    with sqlite3.connect(Path("run", DATABASE)) as database:
        database.execute("UPDATE events SET payload = x'00' WHERE seq = 3")
    database.close()
    for words in (["show", "run"], ["resume", "run", "--quiet"], ["report", "run"]):
        said = cli(*words)
        assert said.code == 2
        assert "restore the database" in said.err
        assert "Traceback" not in said.err
