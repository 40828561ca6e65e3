"""Draws what several nodes have after each of their rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from speciate.reports.bands import COLORS
from speciate.reports.canvas import draw_figure, drawable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STYLES = ("-", "--", ":", "-.")
_MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")


def draw_by_round(values: Mapping[str, Sequence[float | None]], label: str, title: str, path: Path) -> None:
    """Draws a line a node over the rounds.

    Args:
        values: of each node, one a round; None where there is none.
        label: what the values are, with their unit and direction.
        title: what was run.
        path: the PNG file to write.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OSError: the file cannot be written.
    """

    def draw(axes: Axes) -> None:
        from matplotlib.ticker import MaxNLocator

        for place, (name, line) in enumerate(values.items()):
            heights = drawable(np.array([np.nan if one is None else one for one in line], dtype=float))
            axes.plot(
                np.arange(1, len(line) + 1),
                heights,
                _STYLES[place // len(COLORS) % len(_STYLES)],
                marker=_MARKS[place % len(_MARKS)],
                markersize=5,
                color=COLORS[place % len(COLORS)],
                alpha=0.85,
                label=name,
            )
        axes.set(xlabel="round", ylabel=label, title=title)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.legend(loc="best", fontsize=8, ncols=2)

    draw_figure(draw, path)
