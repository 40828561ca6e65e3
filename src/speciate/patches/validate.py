"""Guards the text that must not change."""

from __future__ import annotations

from speciate.errors import TaskError
from speciate.patches.result import PatchFailure
from speciate.records import Program
from speciate.tasks import FileSegments, Segment, Task, file_language, marker_lines, program_segments


def immutable_change(before: Program, after: Program, task: Task) -> str | None:
    """Compares immutable text byte for byte, and the structure of regions.

    Args:
        before: a program of the task.
        after: what was made of it.
        task: the task.

    Returns:
        What changed that must not, with its line in `after`; None when all is well.

    Raises:
        TaskError: the markers of `before` are malformed.
    """
    names, kept = [name for name, _ in after.files], [name for name, _ in before.files]
    if names != kept:
        return f"the program's files are {', '.join(kept)}, in this order; not {', '.join(names)}"
    try:
        changed = program_segments(after, task.spec)
    except TaskError as error:
        return str(error)
    for old, new in zip(program_segments(before, task.spec), changed, strict=True):
        if message := _compare(old, new):
            return message
    return None


def _compare(old: FileSegments, new: FileSegments) -> str | None:
    if len(old.segments) != len(new.segments):
        return (
            f"{old.name}: there were {_regions(old.segments)} EVOLVE-BLOCK regions and now there are "
            f"{_regions(new.segments)}; leave every marker line as it is"
        )
    line = 1
    for one, other in zip(old.segments, new.segments, strict=True):
        if not one.mutable and one.text != other.text:
            return _first_difference(new.name, line, one.text, other.text)
        line += other.text.count("\n")
    return None


def _regions(segments: tuple[Segment, ...]) -> int:
    return sum(segment.mutable for segment in segments)


def _first_difference(name: str, line: int, was: str, now: str) -> str:
    """Names the first line in which two immutable texts differ; `line` is where they start."""
    old, new = was.split("\n"), now.split("\n")
    same = next(
        (i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    expected = repr(old[same][:200]) if same < len(old) else "nothing more"
    came = repr(new[same][:200]) if same < len(new) else "nothing more"
    return f"{name}, line {line + same}: this line must stay {expected}, not {came}"


def marker_injection(text: str, name: str, task: Task) -> str | None:
    """Looks for marker lines in text that is to go into a region.

    Args:
        text: the new text.
        name: the file it goes into.
        task: the task.

    Returns:
        What to do better, or None when there are none. A task whose files are mutable as a whole has no
        markers, so there nothing is refused.
    """
    if task.spec.program.mutable == "whole":
        return None
    found = marker_lines(text, file_language(name, task.spec))
    if not found:
        return None
    return (
        f"line {found[0]} of the new text for {name} is an EVOLVE-BLOCK marker; "
        "new text goes between the markers and has none of its own"
    )


def checked(before: Program, after: Program, task: Task) -> Program | PatchFailure:
    """Returns `after` if it differs from `before` in mutable text only, else what is wrong with it."""
    if after == before:
        return PatchFailure(
            "no_change", "the program stays what it was; change something in the mutable text"
        )
    if message := immutable_change(before, after, task):
        return PatchFailure("immutable", message)
    return after
