"""How the house is built: rooms, borders, and tests beside what they test."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import hypothesis
import pytest

import speciate

SOURCE = Path(speciate.__file__).parent
REPOSITORY = Path(__file__).parent.parent
ROOMS = sorted(path.parent for path in SOURCE.glob("*/__init__.py") if path.parent.name != "testing")
MODULES = sorted(path for path in SOURCE.rglob("*.py") if "templates" not in path.parts)


def names(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(SOURCE)) for path in paths]


def test_imports_lean_downwards() -> None:
    lint = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([lint, "--no-cache"], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("room", ROOMS, ids=names(ROOMS))
def test_the_front_door_of_a_room_re_exports_and_does_nothing_else(room: Path) -> None:
    body = ast.parse((room / "__init__.py").read_text()).body
    for node in body[1:]:
        exports = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        assert exports or isinstance(node, ast.ImportFrom), ast.unparse(node)


@pytest.mark.parametrize("module", MODULES, ids=names(MODULES))
def test_a_module_is_described_and_of_a_size_to_be_read(module: Path) -> None:
    tree = ast.parse(module.read_text())
    assert ast.get_docstring(tree)
    assert len(module.read_text().splitlines()) <= 400


@pytest.mark.parametrize("room", ROOMS, ids=names(ROOMS))
def test_no_room_asks_another_through_a_back_door(room: Path) -> None:
    """Everybody enters by the `__init__`; the few side doors in use are listed here."""
    for module in room.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text())):
            if not (isinstance(node, ast.ImportFrom) and node.module and node.level == 0):
                continue
            parts = node.module.split(".")
            if parts[0] == "speciate" and len(parts) > 2 and parts[1] != room.name:
                assert (room.name, node.module) in SIDE_DOORS, f"{module}: {node.module}"


SIDE_DOORS = {
    ("cli", "speciate.engine.settings"),  # presets and --set, which only a command line needs
    ("ensembles", "speciate.engine.settings"),  # a node's own settings are a layer over those of all
    ("experiments", "speciate.engine.settings"),  # a condition is a layer of settings, as on a command line
    ("mutation", "speciate.tasks.languages"),  # what comments look like, for operators on lines
    ("mutation", "speciate.tasks.regions"),  # where mutable text lies, for operators on text
}


SEEDED = {"random.Random", "np.random.Generator", "np.random.Philox"}
IN_THE_SANDBOX = {"evaluators/harness.py"}  # seeds the generators that candidates use


@pytest.mark.parametrize("module", MODULES, ids=names(MODULES))
def test_chance_has_no_global_state(module: Path) -> None:
    tree = ast.parse(module.read_text())
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    roots = tuple(
        f"{root}." for root, owner in {"random": "random", "np.random": "numpy"}.items() if owner in imported
    )
    used = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    if str(module.relative_to(SOURCE)) not in IN_THE_SANDBOX:
        assert {text for text in used if roots and text.startswith(roots)} <= SEEDED


@pytest.mark.skipif("HYPOTHESIS_PROFILE" in os.environ, reason="another way to draw was asked for")
def test_property_tests_draw_the_same_examples_every_time() -> None:
    assert hypothesis.settings().derandomize
    assert hypothesis.settings().database is None
    assert hypothesis.settings().deadline is None
