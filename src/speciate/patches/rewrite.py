"""Fits a new text of a file, or of its one region, between the text that must not change."""

from __future__ import annotations

from collections.abc import Sequence

from speciate.errors import TaskError
from speciate.patches.markers import split_lines
from speciate.patches.result import PatchFailure
from speciate.tasks import FileSegments, Segment, marker_lines, mutable_text, replace_mutable, segments


def rewrite(file: FileSegments, text: str) -> str | PatchFailure:
    r"""Returns a file's new text, in the file's own line ends.

    Args:
        file: the file as it is.
        text: the whole file with its markers, the regions with their marker lines, or the content of the
            only region.
    """
    now = "".join(segment.text for segment in file.segments)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if file.segments[0].mutable:
        return _ended_like(now, text)
    if not any(segment.mutable for segment in file.segments):
        return PatchFailure("immutable", f"nothing in {file.name} may change")
    regions = _marked_regions(file, text) if marker_lines(text, file.language) else _only_region(file, text)
    if isinstance(regions, PatchFailure):
        return regions
    return replace_mutable(file.segments, [_line_ends_like(now, region) for region in regions])


def _line_ends_like(now: str, text: str) -> str:
    """Returns the text with CRLF line ends if most lines of the file have them."""
    return text.replace("\n", "\r\n") if 2 * now.count("\r\n") > now.count("\n") else text


def _ended_like(now: str, text: str) -> str:
    """Returns a whole file's text with the line ends, and the last line's end, that the file has."""
    if not now or now.endswith("\n"):
        text = text if text.endswith("\n") else text + "\n"
    else:
        text = text.removesuffix("\n")
    return _line_ends_like(now, text)


def _marked_regions(file: FileSegments, text: str) -> Sequence[str] | PatchFailure:
    """Takes the regions out of a text with markers, if all immutable text in it is as it was."""
    try:
        parts = segments(text, file.language, name=f"your {file.name}")
    except TaskError as error:
        return PatchFailure("malformed", str(error))
    if len(parts) != len(file.segments):
        had, has = (sum(part.mutable for part in some) for some in (file.segments, parts))
        return PatchFailure(
            "markers",
            f"{file.name} has {had} EVOLVE-BLOCK regions and your text {has}; keep all marker lines",
        )
    for old, new in zip(file.segments, parts, strict=True):
        if not old.mutable and not _kept(old, new, file):
            return PatchFailure("immutable", _difference(old, new, file.name))
    return mutable_text(parts)


def _kept(old: Segment, new: Segment, file: FileSegments) -> bool:
    """Says whether immutable text is as it was, or left out altogether but for the marker lines."""
    was, now = _plain(old.text), _plain(new.text)
    marked = set(marker_lines("\n".join(now), file.language))
    return was == now or len(marked) == len(now)


def _plain(text: str) -> list[str]:
    """Returns the lines of a text without trailing white space and without blank lines."""
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def _difference(old: Segment, new: Segment, name: str) -> str:
    was, now = _plain(old.text), _plain(new.text)
    same = next(
        (i for i, (a, b) in enumerate(zip(was, now, strict=False)) if a != b), min(len(was), len(now))
    )
    wanted = repr(was[same][:200]) if same < len(was) else "nothing more"
    came = repr(now[same][:200]) if same < len(now) else "nothing more"
    return (
        f"text of {name} outside the EVOLVE-BLOCK regions must stay as it is: expected {wanted}, found {came}"
    )


def _only_region(file: FileSegments, text: str) -> Sequence[str] | PatchFailure:
    """Takes a text without markers for the content of the only region."""
    if sum(segment.mutable for segment in file.segments) > 1:
        return PatchFailure(
            "markers", f"{file.name} has several regions; send it whole, with all marker lines"
        )
    before, _, after = file.segments
    return [_without_frame(split_lines(text), _code(before, file), _code(after, file))]


def _code(segment: Segment, file: FileSegments) -> list[str]:
    """Returns the lines of immutable text that are neither blank nor markers."""
    marked = set(marker_lines(segment.text, file.language))
    lines = enumerate(segment.text.split("\n"), start=1)
    return [line.strip() for number, line in lines if line.strip() and number not in marked]


def _without_frame(lines: list[str], before: list[str], after: list[str]) -> str:
    """Cuts the immutable text, and blank lines beside it, off a whole file without its marker lines."""
    filled = [index for index, line in enumerate(lines) if line.strip()]
    code = [lines[index].strip() for index in filled]
    framed = (
        (before or after)
        and len(code) >= len(before) + len(after)
        and code[: len(before)] == before
        and code[len(code) - len(after) :] == after
    )
    if not framed:
        return "".join(lines)
    inner = filled[len(before) : len(code) - len(after)]
    return "".join(lines[inner[0] : inner[-1] + 1]) if inner else ""
