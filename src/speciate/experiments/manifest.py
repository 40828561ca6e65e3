"""What an experiment writes down about itself, and checks when it goes on."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from speciate.errors import ConfigError, RunFolderError
from speciate.experiments.jobs import Job
from speciate.experiments.plan import Plan
from speciate.experiments.runner import state_of
from speciate.files import write_whole
from speciate.records import Json
from speciate.version import __version__

MANIFEST = "experiment.json"
_PACKAGES = ("numpy", "scipy", "pydantic", "sqlalchemy", "pydantic-ai-slim", "matplotlib", "pyarrow")


@dataclass(frozen=True, slots=True)
class Recorded:
    """What is known of an experiment that has begun.

    Attributes:
        digests: identity of what each run runs, by the run's key.
        versions: of speciate, python and packages, by the session in which they took part, oldest first.
    """

    digests: Mapping[str, str]
    versions: tuple[Mapping[str, str], ...]


def versions() -> dict[str, str]:
    """Returns the versions that numbers may depend on."""
    found = {"speciate": __version__, "python": sys.version.split()[0], "platform": platform.platform()}
    for name in _PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def read_manifest(out: Path) -> Recorded | None:
    """Reads what an experiment has written down, or returns None if none has begun in this folder.

    Raises:
        RunFolderError: the file is there and cannot be understood.
    """
    path = out / MANIFEST
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        digests = {str(key): str(one["digest"]) for key, one in told["runs"].items()}
        return Recorded(digests, tuple(dict(one) for one in told["versions"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RunFolderError(f"{path} is no manifest of an experiment: {error}") from error


def check_same(recorded: Recorded, jobs: Sequence[Job], out: Path) -> None:
    """Refuses to mix runs of different settings; seeds, conditions and tasks may be added.

    Raises:
        ConfigError: a run of this plan has begun otherwise than it is planned now.
    """
    changed = [
        job.key
        for job in jobs
        if recorded.digests.get(job.key, job.digest) != job.digest and state_of(job.folder) != "new"
    ]
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise ConfigError(
            f"{out} holds runs of this experiment under other settings ({changed[0]}{more}): restore the "
            "plan, or choose another --out"
        )


def write_manifest(out: Path, plan: Plan, jobs: Sequence[Job], recorded: Recorded | None) -> None:
    """Writes the manifest: plan, versions, and the complete settings of each condition.

    Versions of earlier sessions and runs that the plan no longer names stay in it.

    Raises:
        RunFolderError: it cannot be written.
    """
    digests = {**(recorded.digests if recorded else {}), **{job.key: job.digest for job in jobs}}
    sessions = [*(recorded.versions if recorded else ())]
    if not sessions or sessions[-1] != versions():
        sessions.append(versions())
    settings: dict[str, Json] = {
        f"{job.task}/{job.condition}": job.settings.model_dump(mode="json", exclude={"seed"}) for job in jobs
    }
    told: Mapping[str, Json] = {
        "plan": plan.model_dump(mode="json"),
        "versions": [dict(one) for one in sessions],
        "runs": {key: {"digest": digest} for key, digest in sorted(digests.items())},
        "settings": settings,
    }
    write_text(out / MANIFEST, json.dumps(told, indent=1, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Writes a file whole or not at all.

    Raises:
        RunFolderError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    except OSError as error:
        raise RunFolderError(f"cannot write {path}: {error.strerror or error}") from error
