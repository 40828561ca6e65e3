"""Folders of ShinkaEvolve: evaluate.py and initial.*, and often a run_evo.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from speciate.errors import TaskError
from speciate.records import Json
from speciate.tasks.definition import Task
from speciate.tasks.formats import foreign, shinka_config
from speciate.tasks.formats.foreign import Found
from speciate.tasks.formats.native import read_text

SCRIPT = "evaluate.py"
STEM = "initial"


def recognises(folder: Path) -> bool:
    """Says whether a folder holds a task of ShinkaEvolve."""
    return (folder / SCRIPT).is_file() and bool(foreign.initial_programs(folder, STEM))


def load(folder: Path, parameters: Mapping[str, Json]) -> Task:
    """Loads a task of ShinkaEvolve as it is.

    Raises:
        TaskError: evaluate.py keeps to another contract, or anything in the folder cannot be read.
    """
    folder = folder.resolve()
    names = foreign.initial_programs(folder, STEM)
    program = foreign.chosen_program(names, folder, parameters.get("program"))
    script = read_text(folder / SCRIPT)
    if "results_dir" not in script:
        raise TaskError(
            f"{folder / SCRIPT} takes no --program_path and --results_dir, as a script of ShinkaEvolve does; "
            "for a task of speciate's own write a task.toml (`speciate init` makes one)"
        )
    wishes = shinka_config.read(folder)
    if "plotting_fn" in script:
        remarks = (*wishes.remarks, f"{SCRIPT}: plotting_fn is not called")
        wishes = replace(wishes, remarks=remarks)
    return foreign.make_task(Found("shinka", folder, SCRIPT, program), wishes, parameters)
