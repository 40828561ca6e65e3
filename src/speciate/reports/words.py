"""Numbers, durations and money as people read them, in reports and on the command line alike."""

from __future__ import annotations

import math

from speciate.records import Dollars, Seconds


def number(value: float | None, *, digits: int = 6) -> str:
    """Returns a number with so many significant digits; a dash for None."""
    return "–" if value is None else f"{value:.{digits}g}"


def exact(value: float) -> str:
    """Returns a score with ten significant digits: of two good programs the last ones may tell the better."""
    return number(value, digits=10)


def scored_in(round: int | None) -> str:
    """Returns what is said after a score of an earlier round; nothing for None.

    Args:
        round: from 0.
    """
    return "" if round is None else f" (scored in round {round + 1})"


def gain(value: float | None) -> str:
    """Returns a difference with its sign; a dash for None."""
    return "–" if value is None else f"{value:+.4g}"


def share(part: int, whole: int) -> str:
    """Returns a share in per cent; a dash of nothing."""
    return f"{100 * part / whole:.0f} %" if whole else "–"


def percent(value: float | None) -> str:
    """Returns a share from 0 to 1 in per cent; a dash for None."""
    return "–" if value is None else f"{100 * value:.0f} %"


def dollars(cost: Dollars | None) -> str:
    """Returns an amount of money; None is unknown, and neither that nor a small sum is ever shown as 0."""
    if cost is None:
        return "$ unknown"
    if 0 < cost < 0.0001:
        return "under $0.0001"
    return f"${cost:.2f}" if cost == 0 or cost >= 0.1 else f"${cost:.4f}"


def duration(seconds: Seconds) -> str:
    """Returns a duration in the units that suit it."""
    if not math.isfinite(seconds) or seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 120:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"
