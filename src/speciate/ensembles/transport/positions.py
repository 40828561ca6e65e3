"""How far a log has been read. A position of a log that is gone is not taken for one of its successor.

A position is the number of an announcement plus a fraction that tells its log from others. A log that began
anew counts from 1 again: positions of the old one mean nothing there, so everything in it is read again, and
whoever applies messages knows those it has.
"""

from __future__ import annotations

from speciate.records import text_hash


def mark_of(born: str) -> float:
    """Returns a fraction above 0 that differs between logs, but for one pair in 500,000.

    Of twenty bits, so that a position stays exact up to four thousand million announcements.

    Args:
        born: tells the log from others.
    """
    return (int(text_hash(born)[:5], 16) | 1) / 2**20


def number_of(position: float, mark: float, last: int) -> int:
    """Returns the number of the last announcement that was read; 0 if the position is of another log.

    Args:
        position: up to where its log was read.
        mark: of the present log.
        last: the number of the last announcement in it.
    """
    number = int(position)
    return number if position == number + mark and number <= last else 0
