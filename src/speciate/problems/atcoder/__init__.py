"""AtCoder's heuristic contests, and contests of a user's own: C++ from stdin to stdout.

The names below load on first use, so that the room's command costs the command line nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from speciate.problems.atcoder.task import load, load_contest

__all__ = ["load", "load_contest"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'speciate.problems.atcoder' has no attribute {name!r}")
    return getattr(import_module("speciate.problems.atcoder.task"), name)
