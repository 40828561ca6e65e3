"""What the engine costs with every part of the search on, over a long run.

    python -m bench whole [--quick]

10,000 candidates of programs of 1.5 KB: each is compared with its island by our own embedding, a bandit
chooses proposer and operator, a scratchpad is kept by a simulated model, and islands exchange members and
open. Once scripted replies are the proposals, and once two simulated characters read each prompt and edit
the program that they find in it, whose own work then counts as the engine's.
"""

from __future__ import annotations

from dataclasses import asdict

from bench.engine import Cost, Kind, cost
from bench.report import Report, Row, at_most, fresh, plain

CANDIDATES = 10_000

PROPOSALS: dict[Kind, str] = {"whole": "scripted replies", "simulated": "simulated characters"}


def run(*, quick: bool = False) -> Report:
    """Measures one long run each; in a short one the last programs are not all there yet, so it grows."""
    candidates = 1_500 if quick else CANDIDATES
    found = {kind: fresh(cost, kind, candidates) for kind in PROPOSALS}
    rows = [row for kind, one in found.items() for row in _rows(f"{PROPOSALS[kind]}, {candidates:,}", one)]
    data = {kind: asdict(one) for kind, one in found.items()}
    return Report("whole", "the engine with embedding, bandit, scratchpad and islands", rows, data)


def _rows(name: str, one: Cost) -> list[Row]:
    return [
        at_most(f"{name}: CPU a candidate", [one.cpu_ms], 10, "ms"),
        at_most(f"{name}: gap ratio", [one.growth], 1.3),
        plain(f"{name}: attempts turned away, a candidate", [one.refused]),
        plain(f"{name}: memory", [one.memory_mb], "MB"),
        plain(f"{name}: disk a candidate", [one.store_kb], "kB"),
    ]
