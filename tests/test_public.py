"""The names people meet: they load lazily, are described, and the error tree is as drawn."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import speciate
from speciate import errors
from speciate.errors import SpeciateError

ROOMS = sorted(
    module.name
    for module in pkgutil.iter_modules(speciate.__path__)
    if module.ispkg and module.name not in ("testing", "problems")
)


def loaded_after(code: str) -> set[str]:
    """The modules that are loaded after some code ran in a fresh interpreter."""
    script = f"{code}\nimport sys, json\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_importing_speciate_loads_nothing_heavy() -> None:
    loaded = loaded_after("import speciate")
    assert not loaded & {"numpy", "pydantic", "sqlalchemy", "typer", "rich", "tenacity"}
    assert {name for name in loaded if name.startswith("speciate")} == {"speciate", "speciate.version"}


def test_optional_packages_stay_out_of_the_engine() -> None:
    loaded = loaded_after("import speciate.engine, speciate.reports, speciate.cli.main")
    assert not loaded & {"pydantic_ai", "openai", "matplotlib", "scipy", "ribs", "genai_prices"}


@pytest.mark.parametrize("name", speciate.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(speciate, name) is not None
    assert name in dir(speciate)


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'evolver'"):
        speciate.evolver  # noqa: B018  # the access is what is tested


def drawn_tree() -> dict[str, tuple[str, ...]]:
    """The classes drawn at the top of errors.py: the name, and the names of what it derives from."""
    assert errors.__doc__ is not None
    parents: list[str] = []
    tree: dict[str, tuple[str, ...]] = {}
    for line in errors.__doc__.splitlines():
        depth = next((i for i, letter in enumerate(line) if letter.isalpha()), 0) // 4 - 1
        words = line.strip("│├└─ ").split()
        if not words or not words[0].endswith("Error") or depth < 0 or line[:4].strip():
            continue
        beside = (words[1].strip("()"),) if len(words) > 1 and words[1].startswith("(") else ()
        tree[words[0]] = (*parents[depth - 1 : depth], *beside)
        parents[depth:] = [words[0]]
    return tree


def test_the_error_tree_is_as_drawn() -> None:
    classes = {
        name: kind
        for name, kind in vars(errors).items()
        if inspect.isclass(kind) and issubclass(kind, Exception)
    }
    drawn = drawn_tree()
    assert set(drawn) == set(classes)
    for name, kind in classes.items():
        bases = {base.__name__ for base in kind.__bases__}
        assert set(drawn[name]) <= bases, name
        assert name == "SpeciateError" or issubclass(kind, SpeciateError)


def public_parts(room: str) -> list[tuple[str, object]]:
    module: ModuleType = importlib.import_module(f"speciate.{room}")
    names: list[str] = list(vars(module).get("__all__", []))
    return [(name, vars(module)[name]) for name in names]


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_and_every_public_name_in_it_is_described(room: str) -> None:
    assert importlib.import_module(f"speciate.{room}").__doc__
    for name, part in public_parts(room):
        if (inspect.isclass(part) or inspect.isfunction(part)) and part.__module__.startswith("speciate"):
            assert part.__doc__, f"{room}.{name} has no docstring"


def test_the_example_of_the_readme_runs() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text()
    (example,) = re.findall(r"^```python\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert abs(float(done.stdout.split()[0])) < 1e-4
