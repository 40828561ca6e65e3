"""A package that brings proposers along, installed as pip would: a module and its metadata on the path."""

from __future__ import annotations

from pathlib import Path

import pytest

MOVES = '''
from speciate.errors import ConfigError
from speciate.mutation import Proposer
from speciate.records import Proposal


class Moves(Proposer):
    """Moves a knob: adds a line at the end of the block."""

    inspired = False

    def __init__(self, argument, task):
        self.name = "unset"
        self.operators = (argument or "right", task.name)
        self.weights = {self.operators[0]: 1.0}

    async def propose(self, assignment):
        step = assignment.random("moves").uniform(-1.0, 1.0)
        parent = assignment.parents[0].program
        mark = "# EVOLVE-BLOCK-END"
        text = parent.source.replace(mark, f"x = {step}\\n" + mark)
        return Proposal(parent.replace(parent.entry, text), assignment.attempt, assignment.choice.operator)


def open_moves(argument, task):
    if argument == "up":
        raise ConfigError("nothing moves upwards")
    return Moves(argument, task)


def open_nonsense(argument, task):
    return "nonsense"
'''


def install_package(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installs the package ``moving-things`` 1.5 for one test.

    It registers the proposers ``moves`` (a factory that works, and refuses the argument ``up``),
    ``absent`` (no such module) and ``nonsense`` (returns no proposer).

    Args:
        folder: an empty folder, which goes to the front of the import path.
        monkeypatch: takes it off the path again.
    """
    (folder / "moving_things.py").write_text(MOVES)
    metadata = folder / "moving_things-1.5.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: moving-things\nVersion: 1.5\n")
    (metadata / "entry_points.txt").write_text(
        "[speciate.proposers]\n"
        "moves = moving_things:open_moves\n"
        "absent = nowhere_at_all:open\n"
        "nonsense = moving_things:open_nonsense\n"
    )
    monkeypatch.syspath_prepend(str(folder))
