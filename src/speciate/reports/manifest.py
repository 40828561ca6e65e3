"""What a run says about itself: its manifest, read into values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from speciate.archives import PopulationConfig
from speciate.errors import StoreCorruptError
from speciate.records import Axis, Json, Objective
from speciate.store import StoreReader
from speciate.tasks import TaskSpec


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What was settled when a run began.

    Attributes:
        version: the speciate that began it.
        source: where the task came from, or None for a task built in Python.
        spec: the task's task.toml.
        forgeable: whether a candidate can forge its score.
        unvalidated: whether the task has no validator.
        evaluator: identity of the task's scoring, or None where it was not recorded.
        seed: the run's seed.
        population: the archives.
        config: all settings.
        changed: the settings that differ from the defaults, or None when that was not recorded.
    """

    version: str
    source: str | None
    spec: TaskSpec
    forgeable: bool
    unvalidated: bool
    evaluator: str | None
    seed: int
    population: PopulationConfig
    config: Mapping[str, Json]
    changed: dict[str, Json] | None

    @property
    def objective(self) -> Objective:
        """The first objective, which decides what is best."""
        first = self.spec.objectives[0]
        return Objective(first.name, first.direction)

    @property
    def parameters(self) -> Mapping[str, Json]:
        """The task's parameters: its own, and over them what the run's settings say."""
        task = self.config.get("task")
        changed = task.get("parameters") if isinstance(task, dict) else None
        return {**self.spec.parameters, **(changed if isinstance(changed, dict) else {})}

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The axes of behaviour space, in the order of the descriptor's coordinates."""
        return tuple(descriptor.axis for descriptor in self.spec.descriptors)

    @property
    def cells(self) -> int | None:
        """How many cells an archive has, or None for archives without cells."""
        archive = self.population.archive
        match archive.kind:
            case "grid":
                return math.prod(axis.bins for axis in self.axes)
            case "cvt":
                return archive.cells
            case _:
                return None


def read_facts(reader: StoreReader) -> RunFacts:
    """Reads what a run's manifest says.

    Raises:
        RunFolderError: the store was created and holds no run yet.
        StoreCorruptError: the manifest cannot be understood.
    """
    manifest = reader.manifest()
    try:
        task, config = _table(manifest, "task"), _table(manifest, "config")
        return RunFacts(
            version=str(manifest.get("speciate")),
            source=None if task.get("source") is None else str(task["source"]),
            spec=TaskSpec.model_validate(task["spec"]),
            forgeable=bool(task.get("forgeable", False)),
            unvalidated=not task.get("validated", True),
            evaluator=None if task.get("evaluator") is None else str(task["evaluator"]),
            seed=int(str(manifest["seed"])),
            population=PopulationConfig.model_validate(config.get("population", {})),
            config=config,
            changed=changed if isinstance(changed := manifest.get("changed"), dict) else None,
        )
    except (KeyError, ValueError) as error:  # a ValidationError is a ValueError
        reason = f"{error.error_count()} values do not fit" if isinstance(error, ValidationError) else error
        version = manifest.get("speciate", "unknown")
        raise StoreCorruptError(
            f"the run's manifest cannot be understood ({reason}); version {version} of speciate wrote it"
        ) from error


def _table(manifest: Mapping[str, Json], name: str) -> Mapping[str, Json]:
    table = manifest.get(name)
    if not isinstance(table, dict):
        raise KeyError(name)
    return table
