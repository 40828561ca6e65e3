"""Finds the lines of a program that are most like some quoted lines, with bounded work.

Windows of a region are ranked by the tokens they share with the quote (a sliding count, linear in the
text); only the most promising are compared character by character.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from heapq import nlargest

from speciate.patches.markers import Document

_TOKEN = re.compile(r"\w+|[^\w\s]")
_PROMISING = 24
_RESIZED = 4
_LEAST_OVERLAP = 0.3


@dataclass(frozen=True, slots=True)
class Near:
    """Lines [start, stop) of a document and how like the quote they are, from 0 to 1."""

    document: Document
    start: int
    stop: int
    ratio: float

    def overlaps(self, other: Near) -> bool:
        """Says whether both share a line."""
        return (
            self.document.name == other.document.name and self.start < other.stop and other.start < self.stop
        )


@dataclass(slots=True)
class Work:
    """What one reply may still cost: characters scanned for tokens, and pairs of characters compared."""

    scanned: int = 6_000_000
    compared: int = 40_000_000


def near_windows(document: Document, search: Sequence[str], work: Work) -> list[Near]:
    """Returns the windows of mutable lines most like the quoted ones, best first.

    Ties go to the window as long as the quote, then to the earlier one. Returns fewer or none once the
    reply's allowance is used up.

    Args:
        document: the file.
        search: quoted lines without outer blank lines; at least one.
        work: the allowance, which is drawn from.
    """
    quoted = [line.strip() for line in search]
    actual = [line.strip() for line in document.bare]
    ranked = nlargest(
        _PROMISING,
        (
            (overlap, -start)
            for region in document.regions
            for start, overlap in _overlaps(actual, region, quoted, work)
        ),
    )
    sizes = [
        (-start, len(quoted) + extra)
        for place, (overlap, start) in enumerate(ranked)
        if overlap >= _LEAST_OVERLAP or place < _RESIZED
        for extra in ((0, -1, 1) if place < _RESIZED else (0,))
    ]
    found: list[Near] = []
    for start, size in sizes:
        region = next(r for r in document.regions if start in r)
        stop = min(start + size, region.stop)
        if stop > start:
            found.append(Near(document, start, stop, _similarity(quoted, actual[start:stop], work)))
    return sorted(found, key=lambda n: (-n.ratio, abs(n.stop - n.start - len(quoted)), n.start))


def _overlaps(
    lines: Sequence[str], region: range, quoted: Sequence[str], work: Work
) -> Iterator[tuple[int, float]]:
    """Yields each window's start and the share of tokens it has in common with the quote (Dice)."""
    work.scanned -= sum(len(lines[i]) for i in region)
    if work.scanned < 0:
        return
    wanted = Counter(token for line in quoted for token in _TOKEN.findall(line))
    wanted_total = sum(wanted.values())
    held: Counter[str] = Counter()
    window: deque[list[str]] = deque()
    common = total = 0
    for index in region:
        tokens = _TOKEN.findall(lines[index])
        window.append(tokens)
        total += len(tokens)
        for token in tokens:
            if token in wanted:
                common += held[token] < wanted[token]
                held[token] += 1
        if len(window) == len(quoted) or index == region.stop - 1:
            yield index - len(window) + 1, 2 * common / max(total + wanted_total, 1)
        if len(window) == len(quoted):
            gone = window.popleft()
            total -= len(gone)
            for token in gone:
                if token in wanted:
                    held[token] -= 1
                    common -= held[token] < wanted[token]


def _similarity(quoted: Sequence[str], actual: Sequence[str], work: Work) -> float:
    """Returns how like two stretches of lines are: twice the common characters over all (Ratcliff 1988)."""
    total = sum(len(line) + 1 for line in quoted) + sum(len(line) + 1 for line in actual)
    common = 0.0
    matcher = SequenceMatcher(None, quoted, actual, autojunk=len(quoted) > 500)
    for tag, i, j, first, last in matcher.get_opcodes():
        if tag == "equal":
            common += sum(len(line) + 1 for line in quoted[i:j])
        elif tag == "replace":
            pairs = zip(quoted[i:j], actual[first:last], strict=False)
            common += sum(_common(a, b, work) + 1 for a, b in pairs)
    return 2 * common / total if total else 1.0


def _common(a: str, b: str, work: Work) -> float:
    """Returns the number of characters two lines have in common, in order."""
    work.compared -= len(a) * len(b)
    if work.compared > 0 and len(a) * len(b) < 1_000_000:
        return SequenceMatcher(None, a, b, autojunk=False).ratio() * (len(a) + len(b)) / 2
    return _shared(a, b) + _shared(a[::-1], b[::-1]) if a != b else len(a)


def _shared(a: str, b: str) -> int:
    """Returns the length of the common start of two texts, at most half of the shorter."""
    low, high = 0, min(len(a), len(b)) // 2
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if a[:middle] == b[:middle] else (low, middle - 1)
    return low
