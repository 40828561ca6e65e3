"""Checks that packages bring along: the doctor makes them all, whatever becomes of one."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, EntryPoints
from types import ModuleType

import pytest

from speciate.cli.checks import GROUP, Check, run_checks
from speciate.testing.command_line import CommandLine


def broken() -> list[str]:
    raise RuntimeError("it is broken")


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three checks are installed: one finds something, one fails, one cannot be loaded."""
    module = ModuleType("tests_checks")
    vars(module).update(found=lambda: ["all is well", "really"], broken=broken)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    points = EntryPoints(
        EntryPoint(name, f"tests_checks:{name}", GROUP) for name in ("found", "broken", "absent")
    )
    monkeypatch.setattr("speciate.cli.checks.entry_points", lambda group: points.select(group=group))


@pytest.mark.usefixtures("checks")
def test_every_check_is_made_and_failures_are_worded() -> None:
    absent, broken_one, found = run_checks()
    assert found == Check("found", ("all is well", "really"))
    assert broken_one == Check("broken", (), "it is broken")
    assert absent.problem is not None
    assert absent.problem.startswith("tests_checks:absent cannot be loaded")


@pytest.mark.usefixtures("checks")
def test_the_doctor_tells_them_and_a_failure_is_its_exit_code(cli: CommandLine) -> None:
    said, value = cli("doctor"), cli("doctor", "--json").json
    assert said.code == 1
    assert "Found: all is well\nFound: really\n" in said.out
    assert "Broken: NOT in order. it is broken" in said.out
    assert {"name": "broken", "facts": [], "problem": "it is broken"} in value["checks"]


def test_the_doctor_says_which_simulator_fights(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPECIATE_MARS", "python")
    said = cli("doctor")
    assert said.code == 0
    assert "Simulator: Core War, python (named by SPECIATE_MARS): the kernel, interpreted" in said.out
    monkeypatch.setenv("SPECIATE_MARS", "pyhton")
    value = cli("doctor", "--json")
    assert value.code == 1
    (check,) = [each for each in value.json["checks"] if each["name"] == "simulator"]
    assert "did you mean 'python'" in check["problem"]
