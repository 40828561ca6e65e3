"""exhaust-ma, the fastest other simulator on PyPI, through its C functions.

Its own `Core.run` knows no start label. Of its counts there are survivors and the order of deaths alone.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from bench.mars_fights import Fights

from speciate.problems.corewar.instructions import Instruction, Mode, Modifier, Opcode
from speciate.problems.corewar.mars import Flags

PACKAGE: Final = "exhaust-ma"
FOLDER: Final = Path(__file__).parents[1] / "build/peers"
"""Where it is installed if it is nowhere else: not among the packages of whoever runs the bench."""

_OPCODES: Final = (
    "DAT",
    "SPL",
    "MOV",
    "DJN",
    "ADD",
    "JMZ",
    "SUB",
    "SEQ",
    "SNE",
    "SLT",
    "JMN",
    "JMP",
    "NOP",
    "MUL",
    "MOD",
    "DIV",
    "LDP",
    "STP",
)
_MODIFIERS: Final = ("F", "A", "B", "AB", "BA", "X", "I")
_MODES: Final = "$#@<>*{}"
"""Its numbering."""


@dataclass(frozen=True, slots=True)
class _Round:
    """One round, in its types.

    Attributes:
        loads: for each seat where it is loaded, its code and the length of that.
        begins: where each begins to run, in the order of turns.
        order: the seats in the order of turns.
    """

    loads: Sequence[tuple[int, object, int]]
    begins: object
    order: Sequence[int]


class Exhaust:
    """The module of the package; see `found`."""

    def __init__(self, module: Any) -> None:  # no types
        self._lib, self._ffi = module.lib, module.ffi

    @classmethod
    def found(cls) -> Exhaust:
        """Returns it, installed with pip under `FOLDER` if it is nowhere.

        Raises:
            ImportError: it could not be installed; the message holds what pip said.
        """
        sys.path.append(str(FOLDER))
        try:
            return cls(importlib.import_module("_exhaust_ma"))
        except ImportError:
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(FOLDER), PACKAGE]
            done = subprocess.run(pip, capture_output=True, text=True, check=False)
            if done.returncode:
                raise ImportError(f"pip install {PACKAGE}: {done.stderr.strip()}") from None
            importlib.invalidate_caches()
            return cls(importlib.import_module("_exhaust_ma"))

    def prepared(self, fights: Fights) -> Callable[[], Flags]:
        """Returns what fights these battles and returns who is alive, (battles, rounds, seats).

        Everything that can be made ready beforehand is.
        """
        settings, shape = fights.settings, fights.batch.shape
        seats = shape[2]
        plan = self._plan(fights)
        deaths = self._ffi.new("unsigned int[]", seats)
        lib = self._lib

        def fight() -> Flags:
            alive = np.ones((len(plan), seats), np.uint8)
            lib.sim_alloc_bufs2(
                seats, settings.core_size, settings.processes, settings.cycles, settings.pspace
            )
            for row, each in enumerate(plan):
                lib.sim_clear_core()
                for load in each.loads:
                    lib.sim_load_warrior(*load)
                for dead in range(seats - lib.sim_mw(seats, each.begins, deaths)):
                    alive[row, each.order[deaths[dead]]] = 0
            lib.sim_free_bufs()
            return alive.reshape(shape)

        return fight

    def _plan(self, fights: Fights) -> list[_Round]:
        """Returns all rounds of all battles, one after the other."""
        batch = fights.batch
        ends = batch.offsets.tolist()
        code = [self._code(batch.code[first:end]) for first, end in pairwise(ends)]
        lengths, starts = np.diff(batch.offsets).tolist(), batch.starts.tolist()
        plan = []
        for lineup, rounds in zip(batch.lineups.tolist(), batch.positions.tolist(), strict=True):
            for number, places in enumerate(rounds):
                order = [(number + i) % len(lineup) for i in range(len(lineup))]
                begins = [(places[i] + starts[lineup[i]]) % fights.settings.core_size for i in order]
                loads = [(at, code[w], lengths[w]) for at, w in zip(places, lineup, strict=True)]
                plan.append(_Round(loads, self._ffi.new("field_t[]", begins), order))
        return plan

    def _code(self, rows: np.ndarray) -> object:
        """Returns a warrior's (cells, 6) in its form."""
        cells = self._ffi.new("insn_t[]", len(rows))
        for cell, (opcode, modifier, a_mode, a, b_mode, b) in zip(cells, rows.tolist(), strict=True):
            kind = Instruction(Opcode(opcode), Modifier(modifier), Mode(a_mode), a, Mode(b_mode), b)
            cell.a, cell.b = a, b
            setattr(cell, "in", _word(kind))  # a keyword of Python
        return cells


def _word(instruction: Instruction) -> int:
    """Returns opcode, modifier and modes as it numbers them."""
    opcode = "SEQ" if instruction.opcode is Opcode.CMP else instruction.opcode.name
    a_mode, b_mode = (_MODES.index(mode.symbol) for mode in (instruction.a_mode, instruction.b_mode))
    modifier = _MODIFIERS.index(instruction.modifier.name)
    return _OPCODES.index(opcode) << 9 | modifier << 6 | b_mode << 3 | a_mode
