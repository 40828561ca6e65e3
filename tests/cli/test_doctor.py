from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from speciate.records import Placed, Placement, PlacementKind
from speciate.store import DATABASE, open_store
from speciate.testing.command_line import CommandLine


def test_a_host_with_a_sandbox_is_fit(cli: CommandLine) -> None:
    said, value = cli("doctor"), cli("doctor", "--json").json
    assert said.code == 0
    assert value["sandbox"]["mode"] in ("root", "user")
    assert value["tools"]["bwrap"]
    assert value["packages"]["numpy"]


def test_a_host_without_bubblewrap_is_told_what_to_install(
    cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    said = cli("doctor", "--json")
    assert said.code == 1
    assert "apt-get install bubblewrap" in said.json["sandbox"]["problem"]


@pytest.mark.parametrize("driver", ["sequential", "pipeline"])
def test_a_true_history_is_well(cli: CommandLine, task: Path, driver: str) -> None:
    cli("run", task, "--candidates", "20", "--out", "run", "--driver", driver, "--model", "simulated:sloppy")
    said = cli("doctor", "run", "--json")
    assert said.code == 0
    assert said.json["healthy"]
    assert said.json["redecided"] >= 40


def test_a_run_is_examined_without_a_trace(cli: CommandLine, task: Path) -> None:
    cli("run", task, "--candidates", "6", "--out", "run")
    before = contents(Path("run"))
    assert cli("doctor", "run").code == 0
    assert contents(Path("run")) == before


def test_a_run_that_another_process_goes_on_with_is_examined_as_far_as_it_has_got(
    cli: CommandLine, task: Path
) -> None:
    cli("run", task, "--candidates", "6", "--out", "run")
    holder = open_store(Path("run"))
    said = cli("doctor", "run", "--json")
    holder.close()
    assert said.code == 0
    assert said.json["healthy"]


def contents(folder: Path) -> dict[str, tuple[int, bytes]]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def test_a_forged_placement_is_found(cli: CommandLine, task: Path) -> None:
    cli("run", task, "--candidates", "6", "--out", "run", "--driver", "sequential")
    with sqlite3.connect(Path("run", DATABASE)) as database:
        database.execute("DELETE FROM events WHERE seq = (SELECT MAX(seq) FROM events)")
    database.close()
    store = open_store(Path("run"))
    forged = Placed(ordinal=6, placements=((0, Placement(PlacementKind.NEW)),), best=True, epoch=7)
    asyncio.run(store.append([forged]))
    store.close()
    said = cli("doctor", "run", "--json")
    assert said.code == 1
    assert [finding["check"] for finding in said.json["findings"]] == ["placement"]
    assert "candidate 6, placement" in said.err


def test_a_task_that_is_gone_is_one_sentence(cli: CommandLine, task: Path) -> None:
    cli("run", task, "--candidates", "3", "--out", "run")
    task.rename("elsewhere")
    said = cli("doctor", "run")
    assert said.code == 2
    assert len(said.err.splitlines()) == 1


def test_a_damaged_event_is_a_finding(cli: CommandLine, task: Path) -> None:
    cli("run", task, "--candidates", "3", "--out", "run")
    with sqlite3.connect(Path("run", DATABASE)) as database:
        database.execute("UPDATE events SET payload = x'00' WHERE seq = 3")
    database.close()
    said = cli("doctor", "run", "--json")
    assert said.code == 1
    assert "restore the database" in said.json["findings"][0]["message"]
