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

from speciate.patches.markers import Document

_TOKEN = re.compile(r"\w+|[^\w\s]")
_PEAKS = 12
_LEAST_OVERLAP = 0.5
_VARIANTS = ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1))
"""Shifts of start and changes of size that are tried around a peak."""


@dataclass(frozen=True, slots=True)
class Near:
    """Lines [start, stop) of a document and how like the quote they are, from 0 to 1."""

    document: Document
    start: int
    stop: int
    ratio: float

    def overlaps(self, other: Near) -> bool:
        """Says whether both share a line."""
        same_file = self.document.name == other.document.name
        return same_file and self.start < other.stop and other.start < self.stop

    def rivals(self, other: Near) -> bool:
        """Says whether this is another place than `other`: lines apart, or as like a few lines off."""
        moved = self.stop - self.start == other.stop - other.start and self.start != other.start
        return not self.overlaps(other) or (moved and self.ratio == other.ratio)


@dataclass(slots=True)
class Work:
    """What one reply may still cost: characters scanned for tokens, and pairs of characters compared."""

    scanned: int = 3_000_000
    compared: int = 8_000_000

    @property
    def done(self) -> bool:
        """Whether the allowance is used up; what is found from then on may be incomplete."""
        return self.scanned < 0 or self.compared < 0


def near_windows(document: Document, search: Sequence[str], work: Work) -> list[Near]:
    """Returns the windows of mutable lines most like the quoted ones, best first.

    Ties go to the window as long as the quote, then to the earlier one.

    Args:
        document: the file.
        search: quoted lines without outer blank lines; at least one.
        work: the allowance, which is drawn from.
    """
    quoted = [line.strip() for line in search]
    actual = [line.strip() for line in document.bare]
    found: dict[tuple[int, int], Near] = {}
    for region in document.regions:
        for peak in _peaks(list(_overlaps(actual, region, quoted, work)), len(quoted)):
            for shift, extra in _VARIANTS:
                start = max(peak + shift, region.start)
                stop = min(start + len(quoted) + extra, region.stop)
                if start < stop and (start, stop) not in found and not work.done:
                    ratio = _similarity(quoted, actual[start:stop], work)
                    found[start, stop] = Near(document, start, stop, ratio)
    return sorted(found.values(), key=lambda n: (-n.ratio, abs(n.stop - n.start - len(quoted)), n.start))


def _peaks(windows: Sequence[tuple[int, float]], size: int) -> list[int]:
    """Returns the starts of the windows with most in common that share no line; at least one, if any."""
    peaks: list[int] = []
    taken: set[int] = set()
    for start, overlap in sorted(windows, key=lambda window: (-window[1], window[0])):
        if len(peaks) == _PEAKS or (peaks and overlap < _LEAST_OVERLAP):
            break
        if start not in taken:
            peaks.append(start)
            taken.update(range(start - size + 1, start + size))
    return peaks


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
