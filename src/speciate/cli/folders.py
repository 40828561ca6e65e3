"""Where runs are kept when nobody says where."""

from __future__ import annotations

from pathlib import Path

RUNS = Path("runs")


def next_folder(task: str, runs: Path = RUNS) -> Path:
    """Returns ``runs/<task>-<n>`` with the smallest n above all that are taken."""
    prefix = f"{task.replace('/', '_')}-"
    taken = [path.name.removeprefix(prefix) for path in runs.glob("*") if path.name.startswith(prefix)]
    highest = max((int(number) for number in taken if number.isdecimal()), default=0)
    return runs / f"{prefix}{highest + 1}"
