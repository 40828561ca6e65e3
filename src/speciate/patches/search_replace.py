"""Applies SEARCH/REPLACE blocks to the mutable text of a program.

Each block is looked for in stages: as quoted, but for white space, inside lines, and last by likeness. The
first stage that finds anything decides: one place is taken, several are an error that shows them. Likeness
forgives layout, comments and slips in names; a quote with another number, text or operator is not found. A
quote may reach over marker lines for context as long as no immutable text changes.
"""

from __future__ import annotations

from collections.abc import Sequence

from speciate.errors import nearest
from speciate.patches.blocks import Block, parse_blocks, resolve_file
from speciate.patches.fuzzy import Near, Work, near_windows
from speciate.patches.indent import carry_over, usual_shift
from speciate.patches.literals import difference, literals
from speciate.patches.markers import Document, documents
from speciate.patches.match import STAGES, Place, without_outer_blanks
from speciate.patches.result import PatchFailure
from speciate.patches.validate import checked, immutable_change, marker_injection
from speciate.records import Program
from speciate.tasks import Task

MAX_REPLY = 2_000_000
"""Longer replies are refused, in characters."""

_SHOWN_PLACES = 4


def apply_search_replace(
    program: Program, reply: str, task: Task, *, fuzzy: float = 0.9
) -> Program | PatchFailure:
    """Applies all blocks of a reply in order, all or none.

    Args:
        program: the program to change.
        reply: a model's reply; text around the blocks is ignored.
        task: the task the program belongs to.
        fuzzy: how like the program's lines a quote must be (difflib's ratio, 0 to 1) when it matches in
            no better way; above 1 switches that stage off.

    Returns:
        The changed program, or why the reply could not be applied.

    Raises:
        TaskError: `program` itself has malformed markers.
    """
    if len(reply) > MAX_REPLY:
        return PatchFailure(
            "too_large", f"the reply has {len(reply)} characters; at most {MAX_REPLY} are read"
        )
    blocks = parse_blocks(reply)
    if isinstance(blocks, PatchFailure):
        return blocks
    work = Work()
    changed = program
    files = documents(program, task)
    for number, block in enumerate(blocks, start=1):
        place = _place(changed, files, block, task, fuzzy, work)
        if isinstance(place, PatchFailure):
            counted = "" if number == 1 else " (lines are counted after the blocks before it)"
            return PatchFailure(
                place.reason, f"SEARCH block {number} of {len(blocks)}{counted}: {place.message}"
            )
        changed = changed.replace(place.document.name, place.text())
        files = documents(changed, task)
    return checked(program, changed, task)


def _place(
    program: Program, files: Sequence[Document], block: Block, task: Task, fuzzy: float, work: Work
) -> Place | PatchFailure:
    """Decides where a block goes."""
    meant = _meant(files, block)
    if isinstance(meant, PatchFailure):
        return meant
    if not any(line.strip() for line in block.search):
        place = _into_empty(meant, block)
    else:
        place = _matched(program, meant, block, task) or _alike(meant, block, fuzzy, work)
    if isinstance(place, PatchFailure) or not place.mutable:
        return place  # what reaches over marker lines quotes them, and was compared already
    message = marker_injection("\n".join(place.new), place.document.name, task)
    return PatchFailure("markers", message) if message else place


def _meant(files: Sequence[Document], block: Block) -> Sequence[Document] | PatchFailure:
    """Returns the files a block may be about: the one it names, or all."""
    if block.file is None:
        return files
    names = [file.name for file in files]
    name = resolve_file(block.file, names)
    if name is None:
        hint = f"{nearest(block.file, names)} (files: {', '.join(names)})"
        return PatchFailure("unknown_file", f"the program has no file {block.file!r}{hint}")
    return [file for file in files if file.name == name]


def _into_empty(files: Sequence[Document], block: Block) -> Place | PatchFailure:
    """Places a block without old text: it can only fill a region that is empty."""
    empty = [
        (file, region)
        for file in files
        for region in file.regions
        if not any(file.bare[i].strip() for i in region)
    ]
    if len(empty) == 1:
        file, region = empty[0]
        return Place(file, region.start, region.stop, block.replace)
    if empty:
        places = "; ".join(f"{file.name} after line {region.start}" for file, region in empty)
        return PatchFailure("ambiguous", f"its SEARCH part is empty and several regions are too: {places}")
    return PatchFailure(
        "malformed", "its SEARCH part is empty; quote the lines to replace, or a line beside which to insert"
    )


def _matched(
    program: Program, files: Sequence[Document], block: Block, task: Task
) -> Place | PatchFailure | None:
    """Places a block by the first stage that finds its text at all; None when none does."""
    for stage in STAGES:
        places = [place for file in files for place in stage(file, block)]
        if not places:
            continue
        allowed = [place for place in places if place.mutable]
        if not allowed:
            allowed = [place for place in places[:_SHOWN_PLACES] if _harmless(program, place, task)]
        if len(allowed) == 1:
            return allowed[0]
        return _ambiguous(allowed) if allowed else _forbidden(places, files)
    return None


def _harmless(program: Program, place: Place, task: Task) -> bool:
    """Says whether a replacement that reaches over marker lines leaves all immutable text as it is."""
    after = program.replace(place.document.name, place.text())
    return after != program and immutable_change(program, after, task) is None


def _ambiguous(places: Sequence[Place | Near]) -> PatchFailure:
    shown = "\n".join(
        f"{place.document.name}:\n{place.document.show(place.start, place.stop, most=4)}"
        for place in places[:_SHOWN_PLACES]
    )
    more = f"\n... and {len(places) - _SHOWN_PLACES} more" if len(places) > _SHOWN_PLACES else ""
    return PatchFailure(
        "ambiguous",
        f"its text is in {len(places)} places; quote more lines around the one you mean:\n{shown}{more}",
    )


def _forbidden(places: Sequence[Place], files: Sequence[Document]) -> PatchFailure:
    place = places[0]
    may = "; ".join(file.where() for file in files)
    return PatchFailure(
        "immutable",
        f"it changes text that must stay as it is ({place.document.name}):\n"
        f"{place.document.show(place.start, place.stop)}\nOnly these may change: {may}",
    )


def _alike(files: Sequence[Document], block: Block, fuzzy: float, work: Work) -> Place | PatchFailure:
    """Places a block on the lines most like its old text, if no other lines are like enough, too."""
    block = without_outer_blanks(block)
    found = [near for file in files for near in near_windows(file, block.search, work)]
    found.sort(key=lambda near: -near.ratio)
    meant = [near for near in found if near.ratio >= fuzzy and _misquoted(block, near) is None]
    if not meant or work.done:
        return _missing(block, found, fuzzy, work)
    best, *others = meant
    rivals = [near for near in others if near.rivals(best)]
    if rivals:
        return _ambiguous([best, *(_apart(best, rivals) or rivals[:1])])
    actual = best.document.bare[best.start : best.stop]
    new = carry_over(block.search, block.replace, actual, usual_shift(block.search, actual))
    return Place(best.document, best.start, best.stop, new)


def _misquoted(block: Block, near: Near) -> str | None:
    """Returns where a block's old text has another number, text or operator than some lines, or None."""
    spoken = near.document.language
    actual = near.document.bare[near.start : near.stop]
    return difference(literals(block.search, spoken), literals(actual, spoken))


def _apart(best: Near, windows: Sequence[Near]) -> list[Near]:
    """Returns the windows that share no line with the best or with an earlier one."""
    kept: list[Near] = []
    for window in windows:
        if not any(window.overlaps(other) for other in (best, *kept)):
            kept.append(window)
    return kept


def _missing(block: Block, found: Sequence[Near], fuzzy: float, work: Work) -> PatchFailure:
    """Says that a block's old text is not there, and what is most like it (`found`, best first)."""
    quoted = block.search[0].strip()[:200]
    message = (
        f"its text, starting {quoted!r}, is nowhere in the mutable text; quote lines exactly as they are"
    )
    if work.done:
        message += " (too much text to look for lines that are only alike)"
    if found and found[0].ratio > 0.3:
        best = found[0]
        shown = best.document.show(best.start, best.stop)
        message += f". The nearest lines ({best.ratio:.0%} alike, {best.document.name}):\n{shown}"
        if best.ratio >= fuzzy and (misquoted := _misquoted(block, best)):
            message += f"\nThe quote has {misquoted}."
    return PatchFailure("no_match", message)
