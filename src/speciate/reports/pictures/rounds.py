"""Draws the champions of a run's rounds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from speciate.records import Objective
from speciate.reports.canvas import axis_label, draw_figure, drawable
from speciate.reports.pictures.shared import LINE, PATH
from speciate.reports.summary import RoundSummary

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_rounds(played: Sequence[RoundSummary], objective: Objective, title: str, path: Path) -> None:
    """Draws the score of each champion in its own round, and its generality where that was measured.

    Args:
        played: the rounds that have ended.
        objective: the first objective.
        title: what was run.
        path: the PNG file to write.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OSError: the file cannot be written.
    """

    def draw(axes: Axes) -> None:
        from matplotlib.ticker import MaxNLocator, PercentFormatter

        numbers = [one.number + 1 for one in played]
        scores = np.array([np.nan if one.score is None else one.score for one in played])
        older = np.array([one.scored_in is not None for one in played])
        own, kept = (drawable(np.where(mask, scores, np.nan)) for mask in (~older, older))
        axes.plot(numbers, own, "o", color=LINE, label="champion's score in its own round")
        if older.any():
            words = "its score of an earlier round"
            axes.plot(numbers, kept, "o", color=LINE, markerfacecolor="none", label=words)
        axes.set(xlabel="round", ylabel=axis_label(objective), title=title)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        lines = axes.get_lines()
        if any(one.generality is not None for one in played):
            right = axes.twinx()
            shares = [np.nan if one.generality is None else one.generality for one in played]
            right.plot(numbers, shares, "--s", color=PATH, markersize=4, label="generality of the champion")
            right.set_ylim(-0.03, 1.15)
            right.set_yticks(np.linspace(0, 1, 6))
            right.yaxis.set_major_formatter(PercentFormatter(1.0))
            right.set_ylabel("held-out opponents beaten or tied", color=PATH)
            right.grid(visible=False)
            right.spines["right"].set_visible(True)
            lines = [*lines, *right.get_lines()]
        low, high = axes.get_ylim()
        axes.set_ylim(low, high + 0.15 * (high - low))
        axes.legend(lines, [str(line.get_label()) for line in lines], loc="upper center", ncols=2, fontsize=9)

    draw_figure(draw, path)
