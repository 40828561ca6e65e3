"""What every evaluator must pass: inherit `EvaluatorContract` and write candidates of its kind."""

from __future__ import annotations

import asyncio
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from textwrap import dedent
from typing import ClassVar, Literal, TypeAlias, TypeVar

from speciate.evaluators import Evaluator
from speciate.evaluators.limits import descendants
from speciate.records import Context, FailureKind, Outcome, Program
from speciate.tasks import Task, TaskSpec

T = TypeVar("T")

Behaviour: TypeAlias = Literal["syntax", "exception", "invalid", "non_finite", "hang", "exit"]
"""A way to fail; `EvaluatorContract.failures` says which kind of failure it must end in."""


def write_task(folder: Path, files: Mapping[str, str], *, initial: str, **spec: object) -> Task:
    """Returns a task whose files were written to `folder`.

    Args:
        folder: an existing folder.
        files: text by name; dedented.
        initial: name of the entry file, one of `files`.
        spec: further keys of task.toml.
    """
    for name, text in files.items():
        (folder / name).write_text(dedent(text))
    described = {
        "name": "contract",
        "objectives": [{"name": "x"}],
        "program": {"files": [initial], "mutable": "whole"},
        **spec,
    }
    return Task(
        TaskSpec.model_validate(described), Program.of({initial: dedent(files[initial])}), folder=folder
    )


def with_evaluator(evaluator: Evaluator, use: Callable[[Evaluator], Awaitable[T]]) -> T:
    """Returns what `use` makes of an evaluator that is started before and closed after, twice."""

    async def go() -> T:
        try:
            await evaluator.start()
            return await use(evaluator)
        finally:
            await evaluator.close()
            await evaluator.close()

    return asyncio.run(go())


def evaluate(evaluator: Evaluator, *programs: Program, context: Context | None = None) -> list[Outcome]:
    """Returns the outcomes of programs evaluated one after another by one evaluator."""

    async def use(started: Evaluator) -> list[Outcome]:
        return [await started.evaluate(program, context or Context()) for program in programs]

    return with_evaluator(evaluator, use)


class EvaluatorContract(ABC):
    """Tests that hold for every evaluator of a task with one maximised objective.

    Limits of the task must be short enough that a candidate that hangs is ended within seconds.
    """

    failures: ClassVar[Mapping[Behaviour, FailureKind]] = {
        "syntax": FailureKind.SYNTAX,
        "exception": FailureKind.EXCEPTION,
        "invalid": FailureKind.INVALID,
        "non_finite": FailureKind.NON_FINITE,
        "hang": FailureKind.CPU_LIMIT,
        "exit": FailureKind.EXIT,
    }
    """What this kind of evaluator can tell apart."""

    @abstractmethod
    def make(self, folder: Path) -> Evaluator:
        """Returns an evaluator of two slots (one, if it has no more) that is not started."""

    @abstractmethod
    def valid(self, value: int) -> Program:
        """Returns a candidate that is valid and whose objective is `value`."""

    @abstractmethod
    def failing(self, behaviour: Behaviour) -> Program:
        """Returns a candidate that fails in this way."""

    def test_a_valid_candidate_has_its_score_and_its_cost(self, tmp_path: Path) -> None:
        (outcome,) = evaluate(self.make(tmp_path), self.valid(7))
        assert outcome.failure is None
        assert outcome.fitness == (7.0,)
        assert outcome.seconds >= 0
        assert outcome.cpu_seconds >= 0
        assert outcome.evaluations == 1

    def test_the_same_candidate_scores_the_same_again(self, tmp_path: Path) -> None:
        first, second = evaluate(self.make(tmp_path), self.valid(-3), self.valid(-3))
        assert first.fitness == second.fitness == (-3.0,)

    def test_each_way_to_fail_has_its_kind_no_score_and_harms_nobody_else(self, tmp_path: Path) -> None:
        programs = [p for behaviour in self.failures for p in (self.failing(behaviour), self.valid(1))]
        outcomes = evaluate(self.make(tmp_path), *programs)
        kinds = {b: o.failure and o.failure.kind for b, o in zip(self.failures, outcomes[::2], strict=True)}
        assert kinds == self.failures
        assert [outcome.fitness for outcome in outcomes[::2]] == [None] * len(self.failures)
        assert [outcome.fitness for outcome in outcomes[1::2]] == [(1.0,)] * len(self.failures)

    def test_a_failure_says_something_a_proposer_can_use(self, tmp_path: Path) -> None:
        for outcome in evaluate(self.make(tmp_path), *map(self.failing, self.failures)):
            assert outcome.failure is not None
            assert outcome.failure.message

    def test_many_at_once_each_get_their_own_score(self, tmp_path: Path) -> None:
        values = range(12)

        async def use(evaluator: Evaluator) -> list[Outcome]:
            return await asyncio.gather(*(evaluator.evaluate(self.valid(v), Context()) for v in values))

        outcomes = with_evaluator(self.make(tmp_path), use)
        assert [outcome.fitness for outcome in outcomes] == [(float(v),) for v in values]

    def test_nothing_changes_in_the_engines_process(self, tmp_path: Path) -> None:
        evaluator = self.make(tmp_path)

        async def use(started: Evaluator) -> None:
            before = (Path.cwd(), dict(os.environ), list(sys.path), set(sys.modules))
            await started.evaluate(self.valid(1), Context())
            await started.evaluate(self.valid(2), Context())
            added = set(sys.modules) - before[3]
            assert (Path.cwd(), dict(os.environ), list(sys.path)) == before[:3]
            assert not {name for name in added if name.startswith(("initial", "speciate_task"))}

        with_evaluator(evaluator, use)

    def test_it_may_be_closed_before_it_was_started(self, tmp_path: Path) -> None:
        def held() -> tuple[set[int], int]:
            return set(descendants(os.getpid())), len(list(Path("/proc/self/fd").iterdir()))

        async def use() -> None:
            before = held()
            evaluator = self.make(tmp_path)
            await evaluator.close()
            await evaluator.close()
            children, descriptors = held()
            assert children <= before[0]
            assert descriptors <= before[1]

        asyncio.run(use())

    def test_valid_candidates_pass_the_syntax_check(self, tmp_path: Path) -> None:
        async def use(evaluator: Evaluator) -> list[str | None]:
            broken = [await evaluator.syntax(self.failing("syntax"))] if "syntax" in self.failures else []
            return [await evaluator.syntax(self.valid(1)), *broken]

        good, *broken = with_evaluator(self.make(tmp_path), use)
        assert good is None
        assert all(broken)
