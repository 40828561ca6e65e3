"""Runs commands in this process, and a task that is cheap to run."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from speciate.cli.main import run_command

_TOML = """
name = "sum"
[[objectives]]
name = "total"
direction = "minimize"
[program]
files = ["numbers.py"]
[evaluation]
kind = "trusted"
evaluate = "evaluate.py"
[[descriptors]]
name = "first"
range = [0.0, 10.0]
bins = 5
"""

_INITIAL = """# EVOLVE-BLOCK-START
FIRST = 3.5
SECOND = 4.5
# EVOLVE-BLOCK-END
"""

_EVALUATE = """
import ast


def evaluate(program, context):
    try:
        first, second = (abs(float(ast.literal_eval(line.value))) for line in ast.parse(program.source).body)
    except (AttributeError, TypeError) as error:
        raise ValueError(f"not two numbers: {error}") from error
    return {"total": first + second, "descriptor": {"first": first}, "public": {"first": first}}
"""


@dataclass(frozen=True, slots=True)
class Said:
    """What a command said and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Everything on stdout as the one JSON object it has to be."""
        value = json.loads(self.out)
        assert isinstance(value, dict)
        return value


class CommandLine:
    """Runs commands in this process, as ``speciate`` would."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self._capture = capture

    def __call__(self, *words: str | int | Path) -> Said:
        """Runs one command."""
        self._capture.readouterr()
        code = run_command([str(word) for word in words])
        out, err = self._capture.readouterr()
        return Said(code, out, err)


def write_task(folder: Path, **replaced: str) -> Path:
    """Writes a task that adds two numbers and wants the sum small, scored without a sandbox.

    Args:
        folder: where to; made.
        replaced: other texts for ``toml``, ``initial`` or ``evaluate``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "task.toml").write_text(replaced.get("toml", _TOML))
    (folder / "numbers.py").write_text(replaced.get("initial", _INITIAL))
    (folder / "evaluate.py").write_text(replaced.get("evaluate", _EVALUATE))
    return folder
