"""How long a user waits before anything happens: `speciate --help` and `import speciate`.

    python -m bench startup [--quick]

Wall time of fresh processes, in turns with an empty interpreter, so that a busy machine slows all alike.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench.report import Report, Row, spread

COMMANDS: dict[str, list[str]] = {
    "empty interpreter": [sys.executable, "-c", "pass"],
    "import speciate": [sys.executable, "-c", "import speciate"],
    "speciate --help": [str(Path(sys.executable).parent / "speciate"), "--help"],
}
GOALS = {"import speciate": 0.2, "speciate --help": 0.3}


def seconds(command: list[str]) -> float:
    """Returns how long a command takes."""
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def run(*, quick: bool = False) -> Report:
    """Measures each command seven times."""
    for command in COMMANDS.values():
        seconds(command)  # byte code is written and files are cached
    found: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(3 if quick else 7):
        for name, command in COMMANDS.items():
            found[name].append(seconds(command))
    rows = [_row(name, times) for name, times in found.items()]
    return Report("startup", "seconds of wall time until the command is done", rows, found)


def _row(name: str, times: list[float]) -> Row:
    middle, goal = statistics.median(times), GOALS.get(name)
    if goal is None:
        return Row(name, middle, "s", note=spread(times))
    return Row(name, middle, "s", f"< {goal:g}", middle < goal, spread(times))
