"""Draws how many branches are alive."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from speciate.reports.branches import Branches
from speciate.reports.canvas import draw_figure
from speciate.reports.pictures.shared import DOT, LINE, PATH

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_branches(found: Branches, title: str, path: Path) -> None:
    """Draws the number of branches in the archives, and the share that the largest one holds.

    Args:
        found: the data.
        title: what was run.
        path: the PNG file to write.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OSError: the file cannot be written.
    """

    def draw(axes: Axes) -> None:
        from matplotlib.ticker import MaxNLocator, PercentFormatter

        axes.plot(found.closed, found.alive, color=DOT, linewidth=1.8, label="branches alive")
        axes.plot(found.closed, found.effective, color=LINE, linewidth=1.8, label="effective number")
        axes.set(xlabel="candidates closed", ylabel="branches", title=title)
        axes.set_ylim(0, 1.15 * max(1, int(found.alive.max())))
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        share = axes.twinx()
        share.plot(found.closed, found.largest, "--", color=PATH, linewidth=1.4, label="share of the largest")
        share.set_ylim(0, 1.15)
        share.set_yticks(np.linspace(0, 1, 6))
        share.yaxis.set_major_formatter(PercentFormatter(1.0))
        share.set_ylabel("share of the archive", color=PATH)
        share.grid(visible=False)
        share.spines["right"].set_visible(True)
        lines = [*axes.get_lines(), *share.get_lines()]
        axes.legend(lines, [str(line.get_label()) for line in lines], loc="upper center", ncols=3, fontsize=9)

    draw_figure(draw, path)
