"""From a task to its evaluator, and the identity of its scoring."""

from __future__ import annotations

import inspect
import json
import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from speciate.errors import TaskError
from speciate.evaluators.agents import AgentEvaluator
from speciate.evaluators.base import Evaluator
from speciate.evaluators.cache import CaseCache, OutcomeCache
from speciate.evaluators.command import CommandEvaluator
from speciate.evaluators.foreign import ForeignEvaluator
from speciate.evaluators.plain import PlainEvaluator
from speciate.evaluators.pool import SandboxPool
from speciate.evaluators.split import SplitEvaluator
from speciate.evaluators.trusted import TrustedEvaluator
from speciate.records import text_hash
from speciate.tasks import FOREIGN_KINDS, Task, gateway_of


class EvaluationConfig(BaseModel):
    """How evaluations run on this machine.

    Attributes:
        slots: how many candidates run at once; None for one a core.
        unsafe_no_sandbox: run candidates without a sandbox (limits stay); the user must ask for it.
        cache: whether a program that was scored before in the same context is not scored again.
        cache_dir: folder of case results shared between runs, or None for none.
        trusted_threads: whether a ``trusted`` task is scored in threads rather than on the event loop.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    slots: int | None = Field(default=None, ge=1, le=1024)  # a slot is a process with its libraries
    unsafe_no_sandbox: bool = False
    cache: bool = True
    cache_dir: Path | None = None
    trusted_threads: bool = False


def build_evaluator(task: Task, config: EvaluationConfig) -> Evaluator:
    """Returns the evaluator of a task, not yet started.

    Raises:
        TaskError: the task lacks the folder that its kind needs.
        UsageError: what scores is not on this machine.
    """
    if task.ready is not None:
        task.ready()
    slots = config.slots or _cores()
    evaluation = task.spec.evaluation
    if evaluation.kind == "trusted":
        return TrustedEvaluator(task, threads=config.trusted_threads, slots=slots)
    if evaluation.thresholds and evaluation.kind not in ("split", "openevolve"):
        raise TaskError(
            "evaluation.thresholds need kind 'split' or 'openevolve'; "
            f"task {task.name!r} is {evaluation.kind!r}"
        )
    pool = SandboxPool(task, slots=slots, unsafe=config.unsafe_no_sandbox)
    if evaluation.kind == "plain":
        return PlainEvaluator(task, pool, slots=slots)
    if evaluation.kind in FOREIGN_KINDS:
        return ForeignEvaluator(task, pool, slots=slots)
    if evaluation.kind == "command":
        return CommandEvaluator(task, pool, slots=slots)
    gateway = gateway_of(task.spec)
    if gateway is not None:
        return AgentEvaluator(task, pool, gateway, slots=slots)
    case_cache = _case_cache(task, config)
    identity = evaluator_hash(task) if case_cache else ""
    return SplitEvaluator(task, pool, slots=slots, case_cache=case_cache, evaluator_hash=identity)


def build_outcome_cache(task: Task, config: EvaluationConfig) -> OutcomeCache:
    """Returns the cache of a run; it is off for stochastic tasks and when the config says so."""
    enabled = config.cache and not task.spec.evaluation.stochastic
    return OutcomeCache(enabled=enabled, by_fingerprint=task.canonical is not None)


def evaluator_hash(task: Task) -> str:
    """Returns the identity of a task's scoring: what changes it changes what a score means.

    Covers the score code (the files that the task names for its kind, other Python files beside them that
    they may import, and the sandbox's files), `Task.scored_by`, objectives, descriptors, evaluation, limits
    and parameters.
    Data that score code reads without naming it under ``sandbox.files`` is not seen. The function of a task
    built in Python counts by its source where Python knows it, else by its name.

    Raises:
        TaskError: a named file cannot be read.
    """
    spec = task.spec
    settings = spec.model_dump(
        mode="json", include={"language", "objectives", "descriptors", "evaluation", "limits", "parameters"}
    )
    if not spec.evaluation.gateway:  # runs that were recorded before there was one keep their identity
        del settings["evaluation"]["gateway"]
    code = _function_identity(task) if task.folder is None else _file_hashes(task, task.folder)
    # Left out where there is none: runs that were recorded without it keep their identity.
    others = [dict(task.scored_by)] if task.scored_by else []
    return text_hash(json.dumps([settings, code, *others], sort_keys=True))


def _case_cache(task: Task, config: EvaluationConfig) -> CaseCache | None:
    """Repeats are there because runs differ, so their results are never shared."""
    evaluation = task.spec.evaluation
    if config.cache_dir is None or evaluation.stochastic or evaluation.repeats > 1:
        return None
    return CaseCache(config.cache_dir)


def _cores() -> int:
    return len(os.sched_getaffinity(0))


def _file_hashes(task: Task, folder: Path) -> list[list[str]]:
    names = set(scoring_files(task)) | {path.name for path in folder.glob("*.py")}
    evolving = set(task.spec.program.files)
    return [[name, _file_hash(folder / name)] for name in sorted(names - evolving)]


def scoring_files(task: Task) -> tuple[str, ...]:
    """Returns the files that a task names for its scoring, relative to its folder."""
    evaluation = task.spec.evaluation
    named = {
        "split": (evaluation.run, evaluation.score),
        "plain": (evaluation.evaluate,),
        "trusted": (evaluation.evaluate,),
        "shinka": (evaluation.evaluate,),
        "openevolve": (evaluation.evaluate,),
        "command": (),
    }[evaluation.kind]
    return (*named, *task.spec.sandbox.files)


def _file_hash(path: Path) -> str:
    try:
        if path.is_dir():
            inside = sorted(f for f in path.rglob("*") if f.is_file() and f.suffix != ".pyc")
            return text_hash("\n".join(f"{file.relative_to(path)} {_file_hash(file)}" for file in inside))
        return text_hash(path.read_bytes().hex())
    except OSError as error:
        raise TaskError(f"cannot read {path}: {error.strerror}") from error


def _function_identity(task: Task) -> str:
    if task.trusted is None:
        return ""
    try:
        return inspect.getsource(task.trusted)
    except (OSError, TypeError):
        kind = (
            task.trusted if inspect.isroutine(task.trusted) else type(task.trusted)
        )  # a partial has no name
        return f"{kind.__module__}.{kind.__qualname__}"
