"""Core War: programs that fight for the memory of a simulated computer.

    >>> from speciate.problems.corewar import Settings, assemble, battle
    >>> imp = assemble("mov 0, 1", Settings())
    >>> dwarf = assemble("add #4, 3\\nmov 2, @2\\njmp -2\\ndat #0, #0", Settings())
    >>> battle([imp, dwarf], Settings(), rounds=10).results

The names below load on first use, so that importing this costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from speciate.problems.corewar.redcode import RedcodeError, assemble, disassemble
    from speciate.problems.corewar.scoring import (
        BattleResult,
        CoreState,
        battle,
        generality,
        run_state,
        tournament,
        trace,
    )
    from speciate.problems.corewar.settings import PRESETS, Settings
    from speciate.problems.corewar.warrior import Warrior

_HOMES = {
    "BattleResult": "scoring",
    "CoreState": "scoring",
    "PRESETS": "settings",
    "RedcodeError": "redcode",
    "Settings": "settings",
    "Warrior": "warrior",
    "assemble": "redcode",
    "battle": "scoring",
    "disassemble": "redcode",
    "generality": "scoring",
    "run_state": "scoring",
    "tournament": "scoring",
    "trace": "scoring",
}

__all__ = [
    "PRESETS",
    "BattleResult",
    "CoreState",
    "RedcodeError",
    "Settings",
    "Warrior",
    "assemble",
    "battle",
    "disassemble",
    "generality",
    "run_state",
    "tournament",
    "trace",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'speciate.problems.corewar' has no attribute {name!r}")
    return getattr(import_module(f"speciate.problems.corewar.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
