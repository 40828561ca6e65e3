"""What is to be evolved."""

from speciate.tasks.definition import (
    DescriptorSpec,
    EvaluationKind,
    EvaluationSpec,
    Limits,
    ObjectiveSpec,
    ProgramSpec,
    SandboxSpec,
    Task,
    TaskSpec,
    TrustedScore,
)

__all__ = [
    "DescriptorSpec",
    "EvaluationKind",
    "EvaluationSpec",
    "Limits",
    "ObjectiveSpec",
    "ProgramSpec",
    "SandboxSpec",
    "Task",
    "TaskSpec",
    "TrustedScore",
]
