"""The genetic proposer with a syntax tree for C++."""

from __future__ import annotations

from typing_extensions import override

from speciate.errors import ConfigError
from speciate.mutation import GeneticProposer, Reason, Sites, SourceFile, mutable_spans
from speciate.problems.atcoder.genome.sites import cpp_sites, faults, parser
from speciate.tasks import FileSegments, Task


class CppProposer(GeneticProposer):
    """Changes C++ by its syntax tree; what no longer parses is never compiled.

    Constants step as in every language. Operators, statements and pieces of a second parent come from the
    tree, so that a statement is whole however many lines it has; declarations and jumps stay where they are.
    """

    @override
    def sites(self, part: FileSegments, text: str) -> Sites:
        if part.language.name != "cpp":
            return super().sites(part, text)
        return cpp_sites(text, mutable_spans(part))

    @override
    def problem(self, file: SourceFile, text: bytes, limit: int) -> Reason | None:
        found = super().problem(file, text, limit)
        if found is None and file.language == "cpp" and faults(text) > faults(file.sites.data):
            return "unparsable"
        return found


def open_cpp(argument: str, task: Task) -> CppProposer:
    """Returns the proposer ``cpp`` for a task. Called through the entry point.

    Raises:
        ConfigError: something follows the name, or the task is not in C++.
        MissingExtraError: the extra ``cpp`` is not installed.
    """
    if argument:
        raise ConfigError(f"the proposer cpp takes no argument, not {argument!r}")
    if task.spec.language != "cpp":
        raise ConfigError(f"the proposer cpp is for programs in C++, not for {task.name!r}")
    parser()
    return CppProposer()
