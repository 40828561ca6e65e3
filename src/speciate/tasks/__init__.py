"""What is to be evolved."""

from speciate.tasks.check import check_spec
from speciate.tasks.definition import (
    FOREIGN_KINDS,
    Canonical,
    DescriptorSpec,
    EvaluationKind,
    EvaluationSpec,
    ForeignKind,
    Limits,
    ObjectiveSpec,
    ProgramSpec,
    Reading,
    ReadReply,
    SandboxSpec,
    SyntaxCheck,
    Task,
    TaskSpec,
    TrustedScore,
)
from speciate.tasks.formats import shims_folder
from speciate.tasks.functions import task_from_functions
from speciate.tasks.gateway import Gateway, gateway_of
from speciate.tasks.languages import LANGUAGES, Language, language, language_of
from speciate.tasks.load import list_tasks, load_folder, load_task
from speciate.tasks.prompts import PLACEHOLDERS, Prompt, parse_prompt, task_prompt
from speciate.tasks.python_source import compiled, forbidden_imports, imports, python_syntax
from speciate.tasks.regions import (
    FileSegments,
    Mutable,
    Segment,
    file_language,
    marker_lines,
    mutable_text,
    program_segments,
    replace_mutable,
    segments,
)
from speciate.tasks.scaffold import scaffold, scaffold_languages
from speciate.tasks.tokens import Token, TokenKind, source_tokens
from speciate.tasks.validation import explain
from speciate.tasks.validator import has_validator

__all__ = [
    "FOREIGN_KINDS",
    "LANGUAGES",
    "PLACEHOLDERS",
    "Canonical",
    "DescriptorSpec",
    "EvaluationKind",
    "EvaluationSpec",
    "FileSegments",
    "ForeignKind",
    "Gateway",
    "Language",
    "Limits",
    "Mutable",
    "ObjectiveSpec",
    "ProgramSpec",
    "Prompt",
    "ReadReply",
    "Reading",
    "SandboxSpec",
    "Segment",
    "SyntaxCheck",
    "Task",
    "TaskSpec",
    "Token",
    "TokenKind",
    "TrustedScore",
    "check_spec",
    "compiled",
    "explain",
    "file_language",
    "forbidden_imports",
    "gateway_of",
    "has_validator",
    "imports",
    "language",
    "language_of",
    "list_tasks",
    "load_folder",
    "load_task",
    "marker_lines",
    "mutable_text",
    "parse_prompt",
    "program_segments",
    "python_syntax",
    "replace_mutable",
    "scaffold",
    "scaffold_languages",
    "segments",
    "shims_folder",
    "source_tokens",
    "task_from_functions",
    "task_prompt",
]
