"""What `doctor` finds out about a host. Heavy: imported as the command runs."""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import sqlite3
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory

import typer

from speciate import __version__
from speciate.cli.checks import run_checks
from speciate.cli.failures import BROKEN
from speciate.cli.output import Output, columns
from speciate.errors import SpeciateError
from speciate.evaluators import SandboxPool
from speciate.tasks import load_task, scaffold

PACKAGES: Mapping[str, str] = {
    "numpy": "",
    "pydantic": "",
    "sqlalchemy": "",
    "rich": "",
    "typer": "",
    "pydantic-ai-slim": "llm",
    "genai-prices": "llm",
    "matplotlib": "plot",
    "scipy": "stats",
    "ribs": "qd",
}
"""Packages with the extra that installs them; an empty one for those that always come along."""

TOOLS = ("bwrap", "gcc", "g++")


@dataclass(frozen=True, slots=True)
class Sandbox:
    """Whether candidates can be isolated here.

    Attributes:
        mode: how, or None if they cannot.
        problem: why they cannot, or None.
    """

    mode: str | None
    problem: str | None


def examine_host(output: Output) -> None:
    """Examines this host and tells what was found.

    Raises:
        typer.Exit: with 1, candidates cannot be isolated here, or a check of a problem fails.
    """
    sandbox = try_sandbox()
    checks = run_checks()
    packages = {name: _version(name) for name in PACKAGES}
    tools = {name: shutil.which(name) for name in TOOLS}
    cores = len(os.sched_getaffinity(0))
    output.say(
        f"speciate {__version__}, Python {platform.python_version()} ({sys.executable})",
        f"{platform.platform()}, {cores} cores",
        f"SQLite {sqlite3.sqlite_version}",
        "Packages:",
        *columns((name, _package(name, installed)) for name, installed in packages.items()),
        "Tools:",
        *columns((name, path or "not found") for name, path in tools.items()),
    )
    if sandbox.problem is None:
        output.say(f"Sandbox: works (mode {sandbox.mode}; a task was started in it just now)")
    else:
        output.say(f"Sandbox: does NOT work. {sandbox.problem}")
    output.say(*(line for check in checks for line in check.lines()))
    output.result(
        {
            "speciate": __version__,
            "python": platform.python_version(),
            "executable": sys.executable,
            "platform": platform.platform(),
            "cores": cores,
            "sqlite": sqlite3.sqlite_version,
            "packages": packages,
            "tools": tools,
            "sandbox": sandbox,
            "checks": checks,
        }
    )
    if sandbox.problem is not None or any(check.problem is not None for check in checks):
        raise typer.Exit(BROKEN)


def try_sandbox() -> Sandbox:
    """Starts a small task in the sandbox for real."""
    with TemporaryDirectory(prefix="speciate-doctor-") as folder:
        scaffold(Path(folder) / "task")
        try:
            return Sandbox(asyncio.run(_mode(Path(folder) / "task")), None)
        except SpeciateError as error:
            return Sandbox(None, str(error))


async def _mode(folder: Path) -> str | None:
    pool = SandboxPool(load_task(folder), slots=1)
    try:
        await pool.start()
        return pool.mode
    finally:
        await pool.close()


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _package(name: str, installed: str | None) -> str:
    if installed is not None:
        return installed
    extra = PACKAGES[name]
    return f"absent: pip install 'speciate[{extra}]'" if extra else "MISSING: install speciate again"
