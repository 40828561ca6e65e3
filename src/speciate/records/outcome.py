"""What an evaluation gives back: a result, or a failure with its kind. Never a score for a failure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal

from speciate.records.types import Descriptor, Fitness, Json, Scalar, Seconds

Direction = Literal["maximize", "minimize"]


@dataclass(frozen=True, slots=True)
class Objective:
    """A named objective and the direction in which the user counts it."""

    name: str
    direction: Direction = "maximize"

    def inward(self, value: float) -> float:
        """Turns the user's value into a score (higher is better). The only place that negates."""
        return -value if self.direction == "minimize" else value

    def outward(self, score: float) -> float:
        """Turns a score back into the user's value."""
        return self.inward(score)


class FailureKind(StrEnum):
    """Why an evaluation gave no result."""

    SYNTAX = "syntax"  # does not parse or compile
    IMPORT = "import"  # imports what is not allowed or not there
    EXCEPTION = "exception"  # raised
    EXIT = "exit"  # left by sys.exit or os._exit before answering
    CRASH = "crash"  # died by a signal nobody here sent
    CPU_LIMIT = "cpu_limit"
    WALL_LIMIT = "wall_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    CALL_LIMIT = "call_limit"  # asked for more model calls than it may
    MALFORMED = "malformed"  # answered with something that is not a frame or not of the right shape
    NON_FINITE = "non_finite"  # an objective is NaN or infinite
    INVALID = "invalid"  # ran, and the task's validator refused the answer
    BELOW_THRESHOLD = "below_threshold"  # stopped after a cascade stage
    SCORE = "score"  # the task's score code could not judge this answer


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed evaluation.

    Attributes:
        kind: which kind of failure.
        message: one or a few sentences, may reach prompts.
        feedback: longer text for prompts (traceback of the candidate, compiler output), bounded.
    """

    kind: FailureKind
    message: str
    feedback: str = ""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """Outcome of one case (test, seed, opponent).

    Attributes:
        case: the case's name.
        values: what `score` measured, by name, in the user's own direction.
        valid: whether the answer satisfied the task's validator.
        feedback: text about this case that may reach prompts.
        seconds: time the candidate took on this case, measured by the harness.
    """

    case: str
    values: Mapping[str, Scalar]
    valid: bool = True
    feedback: str = ""
    seconds: Seconds = 0.0


@dataclass(frozen=True, slots=True)
class Result:
    """What a valid candidate reached.

    Attributes:
        objectives: one score an objective of the task, higher is better.
        public: metrics that may reach prompts.
        private: metrics that never reach prompts.
        feedback: text that may reach prompts.
        descriptor: coordinates in behaviour space, or None when the task has no descriptors.
        cases: results by case, for behavioural novelty and reports.
        artifacts: named texts (tables, pictures as SVG) kept with the candidate; may reach prompts.
        extra: anything JSON that the task wants kept.
    """

    objectives: Fitness
    public: Mapping[str, Scalar] = field(default_factory=dict)
    private: Mapping[str, Scalar] = field(default_factory=dict)
    feedback: str = ""
    descriptor: Descriptor | None = None
    cases: tuple[CaseResult, ...] = ()
    artifacts: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """End of one evaluation of one program in one context. Exactly one of result and failure is set.

    Attributes:
        result: what the candidate reached, or None when it failed.
        failure: why it failed, or None when it is valid.
        seconds: wall time of the evaluation, from its own start.
        cpu_seconds: CPU time of the candidate's process tree.
        memory_mb: peak memory of the candidate, or None when it was not measured.
        evaluations: how many runs of the candidate this outcome rests on (repeats); 0 when cached.
    """

    result: Result | None = None
    failure: Failure | None = None
    seconds: Seconds = 0.0
    cpu_seconds: Seconds = 0.0
    memory_mb: float | None = None
    evaluations: int = 1

    def __post_init__(self) -> None:
        if (self.result is None) == (self.failure is None):
            raise ValueError("an outcome has either a result or a failure")

    def reused(self) -> Outcome:
        """Returns the same end, reached without running anything."""
        return replace(self, seconds=0.0, cpu_seconds=0.0, evaluations=0)

    @property
    def valid(self) -> bool:
        """Whether the candidate has a score."""
        return self.result is not None

    @property
    def fitness(self) -> Fitness | None:
        """The objectives, higher is better, or None for a failure."""
        return self.result.objectives if self.result else None
