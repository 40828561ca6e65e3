from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import typer

from speciate.cli.failures import Interrupted, explain, interruptible, report_failure, resumable
from speciate.errors import (
    ConfigError,
    ModelRefusedError,
    SandboxMissingError,
    ScoreError,
    StoreCorruptError,
    StoreError,
)
from speciate.records import Chosen
from speciate.store import open_store


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConfigError("x"), 2),
        (SandboxMissingError("x"), 2),
        (StoreCorruptError("x"), 2),
        (ScoreError("x"), 2),
        (typer.BadParameter("x"), 2),
        (StoreError("x"), 1),
        (ModelRefusedError("x"), 1),
        (ZeroDivisionError("x"), 1),
        (Interrupted(), 130),
        (typer.Abort(), 130),
    ],
)
def test_each_kind_of_error_has_its_exit_code(error: Exception, code: int) -> None:
    assert explain(error)[1] == code


def test_an_error_nobody_foresaw_is_called_a_bug(capsys: pytest.CaptureFixture[str]) -> None:
    report_failure(ZeroDivisionError("division by zero"), as_json=False, debug=False)
    said = capsys.readouterr().err
    assert "bug in speciate: ZeroDivisionError: division by zero" in said
    assert "--debug" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("cause", [KeyboardInterrupt, asyncio.CancelledError])
def test_an_interruption_keeps_its_notes(cause: type[BaseException]) -> None:
    def command() -> None:
        error = cause()
        error.add_note("go on")
        raise error

    with pytest.raises(Interrupted) as caught:
        interruptible(command)()
    assert caught.value.__notes__ == ["go on"]


def _fails_in(folder: Path, error: BaseException) -> list[str]:
    with pytest.raises(type(error)), resumable(folder):
        raise error
    return list(getattr(error, "__notes__", []))  # only there once a note was added


def _run_with(folder: Path, *ordinals: int) -> Path:
    store = open_store(folder)
    store.begin({})
    asyncio.run(store.append([Chosen(ordinal=ordinal) for ordinal in ordinals]))
    store.close()
    return folder


def test_a_run_that_breaks_says_how_to_go_on(tmp_path: Path) -> None:
    folder = _run_with(tmp_path / "run", 0, 1)
    assert f"speciate resume {folder}" in _fails_in(folder, ModelRefusedError("x"))[0]
    assert f"speciate resume {folder}" in _fails_in(folder, KeyboardInterrupt())[0]


def test_what_has_to_be_mended_first_does_not_say_resume(tmp_path: Path) -> None:
    folder = _run_with(tmp_path / "run", 0, 1)
    assert _fails_in(folder, ConfigError("x")) == []


def test_a_run_that_never_began_does_not_say_resume(tmp_path: Path) -> None:
    assert _fails_in(_run_with(tmp_path / "run", 0), ScoreError("x")) == []
