"""Small tasks and pools for tests of anything that runs candidates."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from speciate.evaluators.jobs import Case, Job, Report
from speciate.evaluators.pool import SandboxPool
from speciate.records import Program
from speciate.tasks import EvaluationSpec, Limits, ObjectiveSpec, SandboxSpec, Task, TaskSpec

RUN = "def run(program, case):\n    return program.answer(case)\n"
"""A run file that asks a candidate's function ``answer``."""


def answering_task(
    folder: Path,
    *,
    limits: Limits | None = None,
    files: dict[str, str] | None = None,
    warm: tuple[str, ...] = ("numpy",),
) -> Task:
    """Returns a split task in `folder` whose candidates define ``answer(case)``.

    Args:
        folder: where its files are written; score.py holds a secret that no candidate may find.
        limits: what a candidate may use; short ones by default.
        files: files that candidates see, by name.
        warm: modules that the fork server imports.
    """
    visible = files or {}
    for name, text in {"run.py": RUN, "score.py": "SECRET = 'hush-7431'\n", **visible}.items():
        (folder / name).write_text(text)
    spec = TaskSpec(
        name="answering",
        objectives=(ObjectiveSpec(name="score"),),
        evaluation=EvaluationSpec(kind="split", warm=warm),
        limits=limits or Limits(cpu_seconds=1, wall_seconds=3, memory_mb=256, processes=8, output_mb=1),
        sandbox=SandboxSpec(files=tuple(visible)),
    )
    return Task(spec=spec, initial=program("def answer(case): return case"), folder=folder)


def program(source: str) -> Program:
    """Returns a program of one file."""
    return Program((("initial.py", source),))


async def ask(pool: SandboxPool, source: str, *data: Any) -> Report:
    """Runs a candidate on cases with the given data; on one case with data None when there is none."""
    cases = tuple(Case(f"case{i}", value) for i, value in enumerate(data or (None,)))
    return await pool.run(Job(program(source), "run", cases))


@asynccontextmanager
async def running(task: Task, *, slots: int = 1, unsafe: bool = False) -> AsyncIterator[SandboxPool]:
    """Lends a started pool."""
    pool = SandboxPool(task, slots=slots, unsafe=unsafe)
    await pool.start()
    try:
        yield pool
    finally:
        await pool.close()


class Slot:
    """A pool of one slot with its own event loop, for tests that ask one candidate after another."""

    def __init__(self, runner: asyncio.Runner, pool: SandboxPool) -> None:
        self._runner = runner
        self._pool = pool

    def ask(self, source: str, *data: object) -> Report:
        """Returns what was seen of a candidate."""
        return self._runner.run(ask(self._pool, source, *data))

    def answer(self, source: str, *data: object) -> object:
        """Returns the answer to the first case; fails when there is none."""
        report = self.ask(source, *data)
        assert report.failure is None, report.failure
        return report.cases[0].data


@contextmanager
def lent_slot(task: Task) -> Iterator[Slot]:
    """Lends the slot of a started pool."""
    pool = SandboxPool(task, slots=1)
    with asyncio.Runner() as runner:
        runner.run(pool.start())
        try:
            yield Slot(runner, pool)
        finally:
            runner.run(pool.close())
