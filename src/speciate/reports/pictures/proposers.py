"""Draws who was chosen to propose."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from speciate.reports.bands import COLORS
from speciate.reports.canvas import draw_figure
from speciate.reports.shares import ProposerShares

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HATCHES = ("", "//", "..", "xx")
_LEGEND_ROW = 2


def draw_shares(found: ProposerShares, title: str, path: Path) -> None:
    """Draws the shares of the proposers in each part of the run, one bar a part.

    Args:
        found: the data.
        title: what was run.
        path: the PNG file to write.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OSError: the file cannot be written.
    """

    def draw(axes: Axes) -> None:
        from matplotlib.ticker import PercentFormatter

        starts = np.array([0, *found.ends[:-1]])
        below = np.zeros(len(found.ends))
        for place, name in enumerate(found.proposers):
            shares = found.shares[:, place]
            axes.bar(
                starts,
                shares,
                width=found.ends - starts,
                bottom=below,
                align="edge",
                color=COLORS[place % len(COLORS)],
                hatch=_HATCHES[place // len(COLORS) % len(_HATCHES)],
                edgecolor="white",
                linewidth=0.8,
                label=name,
            )
            below = below + shares
        axes.set(xlabel="candidates", ylabel="share of the candidates", title=title)
        axes.set_ylim(0, 1)
        axes.margins(x=0)
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
        axes.grid(visible=False)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=_LEGEND_ROW, fontsize=8)

    draw_figure(draw, path)
