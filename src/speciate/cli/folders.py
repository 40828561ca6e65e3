"""Where runs are kept when nobody says where."""

from __future__ import annotations

from pathlib import Path

from speciate.errors import UsageError

RUNS = Path("runs")


def check_out(out: Path | None, task: str) -> None:
    """Raises UsageError if a run is to be kept in its own task's folder."""
    if out is not None and Path(task).is_dir() and out.resolve() == Path(task).resolve():
        raise UsageError(
            f"--out {out} is the task's own folder: choose one for the run, such as runs/{out.name}"
        )


def next_folder(task: str, runs: Path = RUNS) -> Path:
    """Returns ``runs/<task>-<n>`` with the smallest n above all that are taken."""
    prefix = f"{task.replace('/', '_')}-"
    taken = [path.name.removeprefix(prefix) for path in runs.glob("*") if path.name.startswith(prefix)]
    highest = max((int(number) for number in taken if number.isdecimal()), default=0)
    return runs / f"{prefix}{highest + 1}"
