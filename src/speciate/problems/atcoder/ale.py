"""The adapter to ALE-Bench's toolkit (Imajuku 2025, https://arxiv.org/abs/2506.09050): its cases, its judge.

The toolkit runs programs in Docker and is no dependency: https://github.com/SakanaAI/ALE-Bench says how to
install it. What is called here is what its README and its result class describe.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Protocol, cast  # the toolkit ships no types that are there without it

from speciate.errors import TaskError, UsageError, nearest
from speciate.records import Context, Direction, Json, Program, Result
from speciate.tasks import Task, TaskSpec

LITE: Final = tuple(f"ahc{number:03}" for number in (8, 11, 15, 16, 24, 25, 26, 27, 39, 46))
"""The ten contests of ALE-Bench LITE."""

ACCEPTED: Final = "ACCEPTED"
MAIN: Final = "main.cpp"


class Session(Protocol):
    """The part of the toolkit's session that is used; its private cases never are."""

    problem: Any

    def public_eval(self, code: str, code_language: str) -> Any:
        """Returns the toolkit's result on the public cases."""
        ...


def load_ale(settings: Mapping[str, Json]) -> Task:
    """Returns a contest of ALE-Bench LITE.

    Args:
        settings: the parameters of ``atcoder``. ``contest`` is one of `LITE`, ``initial`` the file of the C++
            program to begin with, ``workers`` how many cases run at once; the toolkit decides all else.

    Raises:
        TaskError: a parameter makes no sense.
        UsageError: the toolkit is not installed.
    """
    contest, workers = str(settings["contest"]), settings["workers"]
    if contest not in LITE:
        raise TaskError(
            f"parameters.contest is {contest!r}; expected one of {', '.join(LITE)}{nearest(contest, LITE)}"
        )
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise TaskError(f"parameters.workers is {workers!r}; expected at least 1")
    source = Path(str(settings["initial"])).expanduser()
    if not source.is_file():
        raise TaskError(
            f"parameters.initial is {str(settings['initial'])!r}; expected the file of a C++ program"
        )
    session = opened(contest, workers)
    direction: Direction = (
        "minimize" if session.problem.metadata.score_type.value == "minimize" else "maximize"
    )
    text = source.read_text(encoding="utf-8")
    spec = {
        "name": "atcoder",
        "description": str(session.problem.statement),
        "language": "cpp",
        "proposers": ["cpp"],
        "objectives": [{"name": "score", "direction": direction}],
        "program": {"files": [MAIN], "mutable": "regions" if "EVOLVE-BLOCK-START" in text else "whole"},
        "evaluation": {"kind": "trusted", "stochastic": True},
        "parameters": dict(settings),
    }

    def score(program: Program, context: Context) -> Result:
        del context
        return scored(session, program, direction)

    return Task(TaskSpec.model_validate(spec), Program.of({MAIN: text}), trusted=score)


def opened(contest: str, workers: int) -> Session:
    """Opens a session on the lite version's cases; raises UsageError without the toolkit."""
    try:
        toolkit = importlib.import_module("ale_bench")
    except ImportError as error:
        raise UsageError(
            "ale_bench is not installed: pip install git+https://github.com/SakanaAI/ALE-Bench.git"
            " (it needs Docker); the problem atcoder has ahc025 and ahc039 without it"
        ) from error
    started = toolkit.start(problem_id=contest, lite_version=True, num_workers=workers)
    return cast("Session", started)


def scored(session: Session, program: Program, direction: Direction) -> Result:
    """Returns the mean absolute score over the public cases; raises ValueError unless all are accepted."""
    found = session.public_eval(program.source, code_language="cpp20")
    refused = [case for case in found.case_results if case.judge_result.value != ACCEPTED]
    if refused:
        first = refused[0]
        told = f"{first.judge_result.value}: {first.message[:1500]}"
        raise ValueError(f"{len(refused)} of {len(found.case_results)} public cases are not accepted; {told}")
    mean = sum(case.absolute_score for case in found.case_results) / len(found.case_results)
    return Result(objectives=(-mean if direction == "minimize" else mean,))
