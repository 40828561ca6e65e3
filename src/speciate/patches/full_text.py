"""Applies a full rewrite: the reply holds the new text of a file, or of the one region that may change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from speciate.errors import nearest
from speciate.patches.blocks import resolve_file
from speciate.patches.fences import Fence, fences, widest_fence
from speciate.patches.result import PatchFailure
from speciate.patches.rewrite import rewrite
from speciate.patches.validate import checked
from speciate.records import Program
from speciate.tasks import FileSegments, Task, marker_lines, program_segments, python_syntax

MAX_REPLY = 2_000_000
"""Longer replies are refused, in characters."""


def apply_full_text(program: Program, reply: str, task: Task) -> Program | PatchFailure:
    """Applies a full rewrite.

    Blocks that name a file go into that file. Of blocks that name none, the one with markers is taken (the
    last of several), else the largest. A reply without fences is taken whole if it is plainly a program.

    Args:
        program: the program to change.
        reply: a model's reply; text around the blocks is ignored.
        task: the task the program belongs to.

    Returns:
        The changed program with its own line ends, or why the reply could not be applied.

    Raises:
        TaskError: `program` itself has malformed markers.
    """
    if len(reply) > MAX_REPLY:
        return PatchFailure(
            "too_large", f"the reply has {len(reply)} characters; at most {MAX_REPLY} are read"
        )
    files = program_segments(program, task.spec)
    found = [fence for fence in fences(reply) if fence.text.strip()]
    if not found and _is_program(reply, files[0], task):
        found = [Fence(reply)]
    if not found:
        return PatchFailure("no_patch", "the reply has no code block; send the program between ``` lines")
    result = _apply(program, found, files, task)
    if isinstance(result, Program) or len(found) == 1:
        return result
    # A program that holds fences itself was cut at them. Only text with the right markers gets in here.
    whole = widest_fence(reply)
    again = (
        _apply(program, [whole], files, task)
        if whole and marker_lines(whole.text, files[0].language)
        else None
    )
    return again if isinstance(again, Program) else result


def _is_program(reply: str, entry: FileSegments, task: Task) -> bool:
    """Says whether a reply without fences is a program and no prose."""
    if marker_lines(reply, entry.language):
        return True
    words = reply.split()
    prose = len(words) < 2 or "\n" not in reply.strip()
    return entry.language.name == "python" and not prose and python_syntax(reply) is None


def _apply(
    program: Program, found: Sequence[Fence], files: Sequence[FileSegments], task: Task
) -> Program | PatchFailure:
    texts = _assigned(found, files, task)
    if isinstance(texts, PatchFailure):
        return texts
    changed = program
    for file in files:
        if file.name in texts:
            text = rewrite(file, texts[file.name])
            if isinstance(text, PatchFailure):
                return text
            changed = changed.replace(file.name, text)
    return checked(program, changed, task)


def _assigned(
    found: Sequence[Fence], files: Sequence[FileSegments], task: Task
) -> Mapping[str, str] | PatchFailure:
    """Decides which block is the new text of which file."""
    names = [file.name for file in files]
    if len(files) == 1:
        return {names[0]: _chosen(found, files[0]).text}
    texts: dict[str, str] = {}
    for fence in found:
        if fence.file is None:
            continue
        name = resolve_file(fence.file, names)
        if name is None:
            hint = f"{nearest(fence.file, names)} (files: {', '.join(names)})"
            return PatchFailure("unknown_file", f"the program has no file {fence.file!r}{hint}")
        texts[name] = fence.text
    if texts:
        return texts
    changeable = [file for file in files if any(segment.mutable for segment in file.segments)]
    if len(changeable) == 1:
        return {changeable[0].name: _chosen(found, changeable[0]).text}
    return PatchFailure(
        "unknown_file",
        f"name the file in the line above each block, like `file: {names[0]}` (files: {', '.join(names)})",
    )


def _chosen(found: Sequence[Fence], file: FileSegments) -> Fence:
    """Returns the block most likely meant as the new text; quotes of the present text come last."""
    now = "".join(segment.text for segment in file.segments).replace("\r\n", "\n").strip()
    fresh = [fence for fence in found if fence.text.strip() != now] or found
    marked = [fence for fence in fresh if marker_lines(fence.text, file.language)]
    return marked[-1] if marked else max(reversed(fresh), key=lambda fence: len(fence.text))
