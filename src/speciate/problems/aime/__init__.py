"""Agent scaffolds for contest mathematics: programs that ask a model up to ten times about one problem.

The names below load on first use, so that the room's command costs the command line nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from speciate.problems.aime.task import load

__all__ = ["load"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'speciate.problems.aime' has no attribute {name!r}")
    return getattr(import_module("speciate.problems.aime.task"), name)
