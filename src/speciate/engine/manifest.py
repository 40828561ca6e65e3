"""What a run writes down about itself, and reads again when it is resumed."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

from pydantic import ValidationError

from speciate.engine.config import RunConfig
from speciate.engine.proposers import proposer_origins
from speciate.engine.run import Run
from speciate.errors import ConfigError, StoreCorruptError
from speciate.evaluators import evaluator_hash
from speciate.llm import price_table
from speciate.mutation import prompt_identities
from speciate.novelty import JUDGE, judge_prompt
from speciate.records import Json
from speciate.scratchpad import scratchpad_identities
from speciate.store import StoreReader
from speciate.tasks import Task, has_validator
from speciate.version import __version__
from speciate.wordings import wording_identities


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a manifest tells a resumed run.

    Attributes:
        config: complete settings.
        source: the name or folder of the task, or None for a task built in Python.
        evaluator: identity of the task's scoring when the run began.
    """

    config: RunConfig
    source: str | None
    evaluator: str


def describe(run: Run, source: str | None, *, changed: Json) -> Mapping[str, Json]:
    """Returns the manifest of a new run: task, complete settings, who proposes, seed.

    Args:
        run: the run, its settings complete.
        source: the name or folder its task was loaded from, or None for a task built in Python.
        changed: the settings that the user set.
    """
    task = run.task
    place = str(task.folder.resolve()) if source and task.folder and Path(source).is_dir() else source
    return {
        "speciate": __version__,
        "task": {
            "name": task.name,
            "source": place,
            "spec": task.spec.model_dump(mode="json"),
            "initial": dict(task.initial.manifest),
            "evaluator": evaluator_hash(task),
            "forgeable": task.forgeable,
            "validated": has_validator(task),
        },
        "config": run.config.model_dump(mode="json"),
        "proposers": list(run.proposers),
        "arms": list(run.arms.names),
        "keeper": None if run.keeper is None else run.keeper.model,
        "reworder": None if run.reworder is None else run.reworder.model,
        "prompts": _prompts(task),
        "changed": changed,
        "seed": run.config.seed,
    }


def _prompts(task: Task) -> dict[str, Json]:
    """Returns version and hash of every prompt that a run may use, by name."""
    judge = {JUDGE: judge_prompt().identity}
    return {**prompt_identities(task), **judge, **scratchpad_identities(), **wording_identities()}


def read_manifest(store: StoreReader) -> Recorded:
    """Reads what a resumed run needs.

    Raises:
        RunFolderError: the store was created and holds no run yet.
        StoreCorruptError: the manifest names no task.
        ConfigError: another version's settings are not understood.
    """
    manifest = store.manifest()
    task = manifest.get("task")
    if not isinstance(task, dict):
        raise StoreCorruptError("the run's manifest names no task")
    try:
        config = RunConfig.model_validate(manifest.get("config"))
    except ValidationError as error:
        raise ConfigError(
            f"this run's settings are not understood by version {__version__}: {error}"
        ) from error
    source = task.get("source")
    config = config.model_copy(update={"models": _last_models(store, config)})
    return Recorded(config, None if source is None else str(source), str(task.get("evaluator")))


def _last_models(store: StoreReader, config: RunConfig) -> tuple[str, ...]:
    """Returns who proposed in the last session: a resumed run may have gone on with others."""
    sessions = store.sessions()
    settings = sessions[-1].facts.get("settings") if sessions else None
    if not isinstance(settings, dict):
        return config.models
    models = settings.get("models", [])
    return tuple(map(str, models)) if isinstance(models, list) else config.models


@dataclass(frozen=True, slots=True)
class Beginning:
    """With whom a run began; events tell how that changed.

    Attributes:
        proposers: who proposed.
        arms: what the bandit chose among.
        kept: whether a scratchpad was kept for them.
        reworded: whether wordings of the system prompt evolved for them.
    """

    proposers: tuple[str, ...]
    arms: tuple[str, ...]
    kept: bool
    reworded: bool


def read_beginning(store: StoreReader) -> Beginning:
    """Returns with whom a run began.

    Raises:
        RunFolderError: the store was created and holds no run yet.
        StoreCorruptError: the manifest names nobody.
    """
    manifest = store.manifest()
    proposers, arms = manifest.get("proposers"), manifest.get("arms")
    if not isinstance(proposers, list) or not isinstance(arms, list) or not arms:
        raise StoreCorruptError("the run's manifest names no proposers and arms")
    return Beginning(
        tuple(map(str, proposers)),
        tuple(map(str, arms)),
        kept=manifest.get("keeper") is not None,
        reworded=manifest.get("reworder") is not None,
    )


def session_facts(run: Run) -> Mapping[str, Json]:
    """Returns what a session records of its surroundings: versions, origins of installed proposers, prices,
    versions of prompts, and its settings."""
    packages = ("numpy", "pydantic", "sqlalchemy", "pydantic-ai-slim")
    installed = {dist: _version(dist) for dist in packages}
    return {
        "speciate": __version__,
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "packages": {name: version for name, version in installed.items() if version},
        "settings": run.config.model_dump(mode="json", exclude_defaults=True),
        "proposers": dict(proposer_origins(tuple(run.proposers))),
        "prompts": _prompts(run.task),
        "prices": [str(entry) for entry in price_table(run.models.specs, run.config.llm)],
    }


@cache  # reading it costs milliseconds, and an ensemble has a session for each of its nodes
def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None
