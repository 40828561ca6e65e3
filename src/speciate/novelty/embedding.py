"""Programs as vectors: programs that do the same in other words point the same way."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from itertools import accumulate

from speciate.novelty.hashing import Vector, folded
from speciate.novelty.python_paths import python_paths
from speciate.novelty.tokens import token_runs
from speciate.records import Program
from speciate.tasks import FileSegments, TaskSpec, program_segments

_REMEMBERED = 1024


def embed(program: Program, spec: TaskSpec) -> Vector:
    """Returns the vector of what may change of a program: paths through syntax trees, or runs of tokens.

    Takes about a millisecond a kilobyte. Names that the program gives itself make no difference; one changed
    number makes a difference in the third or fourth decimal of a cosine.

    Args:
        program: the program.
        spec: the task's, which says what may change and in which language it is.

    Raises:
        TaskError: the program's markers are malformed.
    """
    return folded([feature for file in program_segments(program, spec) for feature in _features(file)])


def _features(file: FileSegments) -> list[int]:
    if not any(segment.mutable for segment in file.segments):
        return []
    if file.language.name == "python":
        try:
            return python_paths("".join(segment.text for segment in file.segments), _mutable_lines(file))
        except (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError):
            pass  # what is no Python is text all the same
    return token_runs("\n".join(segment.text for segment in file.segments if segment.mutable), file.language)


def _mutable_lines(file: FileSegments) -> Callable[[int], bool]:
    """Returns what says whether a line, counted from 1, may change."""
    ends = list(accumulate(segment.text.count("\n") for segment in file.segments))
    spans = [
        range(end - segment.text.count("\n") + 1, end + 1 + (not segment.text.endswith("\n")))
        for segment, end in zip(file.segments, ends, strict=True)
        if segment.mutable
    ]
    return lambda line: any(line in span for span in spans)


class Embedder:
    """Embeds the programs of one task; the last ones are remembered.

    Args:
        spec: the task's.
    """

    def __init__(self, spec: TaskSpec) -> None:
        self._spec = spec
        self._known: OrderedDict[str, Vector] = OrderedDict()

    def of(self, program: Program) -> Vector:
        """Returns the program's vector. Raises like `embed`."""
        found = self._known.get(program.hash)
        if found is None:
            found = self._known[program.hash] = embed(program, self._spec)
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        self._known.move_to_end(program.hash)
        return found
