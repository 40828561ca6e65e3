from pathlib import Path

import pytest

from speciate.reports.status import RunStatus, is_held, run_status
from speciate.store import MemoryStore, open_store


@pytest.mark.parametrize(
    ("reason", "status"),
    [
        ("candidates", "finished"),
        ("cost", "finished"),
        ("success", "finished"),
        ("interrupted", "interrupted"),
        ("failed", "stopped"),
    ],
)
def test_the_stop_reason_decides_the_status_of_an_ended_run(reason: str, status: RunStatus) -> None:
    store = MemoryStore()
    store.update_session(store.open_session({}), seconds=1.0, stop_reason=reason)
    assert run_status(store.sessions(), None) == status


def test_an_open_session_runs_while_its_process_holds_the_folder(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.open_session({})
    sessions = store.sessions()
    assert run_status(sessions, tmp_path) == "running"
    store.close()
    assert run_status(sessions, tmp_path) == "killed"


def test_a_resumed_run_is_told_by_its_last_session() -> None:
    store = MemoryStore()
    store.open_session({})  # killed
    store.update_session(store.open_session({}), seconds=1.0, stop_reason="candidates")
    assert run_status(store.sessions(), None) == "finished"


def test_looking_at_a_copied_run_makes_no_files(tmp_path: Path) -> None:
    assert not is_held(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_looking_leaves_the_folder_free(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    assert not is_held(tmp_path)
    open_store(tmp_path).close()
