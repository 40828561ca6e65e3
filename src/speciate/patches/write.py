"""Writes the SEARCH/REPLACE blocks that turn one program into another."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from speciate.patches.blocks import Block, arrows_for, write_block
from speciate.patches.markers import Document, documents
from speciate.patches.search_replace import apply_search_replace
from speciate.records import Program
from speciate.tasks import Task


def write_search_replace(before: Program, after: Program, task: Task) -> str:
    """Returns blocks that `apply_search_replace` turns `before` into `after` with.

    Each block quotes as few lines of context as make it unambiguous.

    Args:
        before: a program of the task.
        after: another one that differs in mutable text only.
        task: the task.

    Returns:
        The blocks; an empty string for equal programs.

    Raises:
        ValueError: the notation cannot say the difference: immutable text, line ends, or the line end of
            the last line.
        TaskError: a program's markers are malformed.
    """
    blocks: list[str] = []
    current = before
    old_files, new_files = documents(before, task), documents(after, task)
    for index, (old, new) in enumerate(zip(old_files, new_files, strict=True)):
        arrows = arrows_for([*old.bare, *new.bare])
        name = old.name if len(old_files) > 1 else None
        for start, stop, lines in _hunks(old, new):
            current, block = _written(current, index, (start, stop), lines, task, name=name, arrows=arrows)
            blocks.append(block)
    if current != after:
        raise ValueError("the programs differ in something that SEARCH/REPLACE blocks cannot say")
    return "\n".join(blocks)


def _hunks(old: Document, new: Document) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yields (start, stop, new lines) in order, indices as they are once the hunks before are applied."""
    if len(old.regions) != len(new.regions):
        raise ValueError(f"{old.name}: the programs have different numbers of regions")
    moved = 0
    for was, now in zip(old.regions, new.regions, strict=True):
        ours, theirs = old.bare[was.start : was.stop], new.bare[now.start : now.stop]
        matcher = SequenceMatcher(None, ours, theirs, autojunk=len(ours) > 500)
        for tag, i, j, first, last in matcher.get_opcodes():
            if tag != "equal":
                yield was.start + moved + i, was.start + moved + j, theirs[first:last]
                moved += (last - first) - (j - i)


def _written(
    program: Program,
    index: int,
    lines: tuple[int, int],
    new: tuple[str, ...],
    task: Task,
    *,
    name: str | None,
    arrows: int,
) -> tuple[Program, str]:
    """Returns the program after one hunk, and the smallest block that does it."""
    document = documents(program, task)[index]
    wanted = program.replace(document.name, document.splice(*lines, new))
    context = 1 if lines[0] == lines[1] else 0
    while True:
        first, last = max(lines[0] - context, 0), min(lines[1] + context, len(document.bare))
        search = document.bare[first:last]
        replace = (*document.bare[first : lines[0]], *new, *document.bare[lines[1] : last])
        block = write_block(Block(search, replace, name), arrows)
        if apply_search_replace(program, block, task, fuzzy=2.0) == wanted:
            return wanted, block
        if last - first == len(document.bare):
            raise ValueError(f"no block can make the change at line {lines[0] + 1} of {document.name}")
        context = 2 * context + 1
