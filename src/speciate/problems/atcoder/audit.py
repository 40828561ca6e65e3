"""The audit of a finished run: private scores of what public ones chose, and what hindsight would have."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from speciate.errors import UsageError
from speciate.evaluators import EvaluationConfig, build_evaluator
from speciate.problems.atcoder.cases import exercises
from speciate.records import Direction, Json, Program
from speciate.store import RunHistory, open_reader
from speciate.tasks import Task, load_task

TOP = 5


@dataclass(frozen=True, slots=True)
class Audited:
    """One program's scores, in the contest's own direction.

    Attributes:
        ordinal: the candidate; 0 is the initial program.
        public: mean over the cases of the search.
        private: mean over the private cases, or None if it failed on one.
    """

    ordinal: int
    public: float
    private: float | None


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found.

    Attributes:
        direction: ``"maximize"`` or ``"minimize"``.
        cases: number of private cases.
        initial: the initial program; its public score comes from the run.
        top: the programs with the best public scores, the best first.
        others: those after them that the oracle was shown too.
    """

    direction: Direction
    cases: int
    initial: Audited
    top: tuple[Audited, ...]
    others: tuple[Audited, ...]

    @property
    def top_1(self) -> float | None:
        """Private score of the program with the best public score: what choosing honestly gives."""
        return self.top[0].private

    @property
    def top_5(self) -> float | None:
        """Best private score among the five best by public score: five submissions, the best counts."""
        return self._best(self.top)

    @property
    def oracle(self) -> float | None:
        """Best private score of all that were audited. Nobody could have chosen it: an upper bound."""
        return self._best((self.initial, *self.top, *self.others))

    def _best(self, programs: Sequence[Audited]) -> float | None:
        found = [program.private for program in programs if program.private is not None]
        return (max(found) if self.direction == "maximize" else min(found)) if found else None


def audit_run(folder: Path, *, cases: int, oracle: int, unsafe: bool = False) -> Audit:
    """Scores the best programs of a run on private cases. Reads the run, writes nothing.

    Args:
        folder: the run's folder.
        cases: private cases, for a contest with a generator; a folder's private inputs are taken whole.
        oracle: how many programs the oracle may choose from, at least five.
        unsafe: run programs without a sandbox.

    Raises:
        UsageError: the folder holds no run of a contest, or nothing in it has a score.
    """
    with closing(open_reader(folder)) as reader:
        history = RunHistory(reader)
        task = private_task(reader.manifest(), cases)
        chosen = ranked(history, oracle)
        programs = [history.program(ordinal) for ordinal, _ in chosen]
        first = history.score(0)
    private = asyncio.run(_measured(task, [task.initial, *programs], unsafe=unsafe))
    outward = task.objectives[0].outward
    audited = [
        Audited(ordinal, outward(public), value)
        for (ordinal, public), value in zip(chosen, private[1:], strict=True)
    ]
    if first is None:
        raise UsageError(f"{folder}: the initial program has no score")
    return Audit(
        direction=task.objectives[0].direction,
        cases=len(_cases(task)),
        initial=Audited(0, outward(first), private[0]),
        top=tuple(audited[:TOP]),
        others=tuple(audited[TOP:]),
    )


def private_task(manifest: Mapping[str, Json], cases: int) -> Task:
    """Returns the run's task with private cases; raises UsageError if it is no contest."""
    recorded, config = manifest.get("task"), manifest.get("config")
    source = recorded.get("source") if isinstance(recorded, dict) else None
    if source not in ("atcoder", "contest") or not isinstance(recorded, dict) or not isinstance(config, dict):
        raise UsageError(f"the run's task is {source!r}; an audit is for runs of atcoder and contest")
    spec = recorded["spec"]
    assert isinstance(spec, dict)  # the manifest is a dump of the spec
    parameters = spec["parameters"]
    assert isinstance(parameters, dict)
    if parameters.get("judge") == "ale_bench":
        raise UsageError("this run's cases are ALE-Bench's; its toolkit scores private cases (private_eval)")
    changed: dict[str, Json] = {**parameters, "split": "private"}
    return load_task(source, changed | ({"cases": cases} if source == "atcoder" else {}))


def ranked(history: RunHistory, most: int) -> list[tuple[int, float]]:
    """Returns ordinal and score of the best different programs; raises UsageError if there are none."""
    scored = [
        (-score, ordinal, candidate.program)
        for ordinal, candidate in history.candidates.items()
        if candidate.status == "valid" and (score := history.score(ordinal)) is not None
    ]
    seen: set[object] = set()
    answer: list[tuple[int, float]] = []
    for worse, ordinal, program in sorted(scored, key=lambda entry: entry[:2]):
        if program not in seen and len(answer) < most:
            seen.add(program)
            answer.append((ordinal, -worse))
    if not answer:
        raise UsageError("no program of this run has a score")
    return answer


def table(audit: Audit) -> str:
    """Returns the rows of ALE-Bench's table in ShinkaEvolve (Lange 2025, https://arxiv.org/abs/2509.19349)."""
    rows = [
        ("initial program", audit.initial.private),
        ("public top-1", audit.top_1),
        ("public top-5", audit.top_5),
        (f"private, retrospective ({1 + len(audit.top) + len(audit.others)} programs)", audit.oracle),
    ]
    width = max(len(name) for name, _ in rows)
    head = f"{'selection':<{width}}  mean score over {audit.cases} private cases ({audit.direction})"
    said = [f"{name:<{width}}  {'failed' if value is None else format(value, '.1f')}" for name, value in rows]
    best = audit.top[0]
    public = f"Public: initial {audit.initial.public:.1f}, candidate {best.ordinal} {best.public:.1f}."
    return "\n".join(
        [
            head,
            *said,
            public,
        ]
    )


def _cases(task: Task) -> Sequence[object]:
    return exercises(task.context.settings)


async def _measured(task: Task, programs: Sequence[Program], *, unsafe: bool) -> list[float | None]:
    """Returns the private score of each program, one after the other; None for one that failed."""
    evaluator = build_evaluator(task, EvaluationConfig(slots=1, unsafe_no_sandbox=unsafe))
    found: list[float | None] = []
    try:
        await evaluator.start()
        for program in programs:
            outcome = await evaluator.evaluate(program, task.context)
            score = outcome.result.objectives[0] if outcome.result is not None else None
            found.append(None if score is None else task.objectives[0].outward(score))
    finally:
        await evaluator.close()
    return found
