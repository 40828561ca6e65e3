"""Makes figures the way all of ours look. Needs matplotlib (extra ``plot``).

Equal data give equal files: no clock, no name of a program in them, no settings of the user's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from speciate.errors import MissingExtraError
from speciate.records import Objective

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Draw: TypeAlias = "Callable[[Axes], None]"

_SIZE, _DPI = (7.2, 4.2), 150
_HUGE = 1e300


def axis_label(objective: Objective) -> str:
    """Returns the objective's name and which way is better."""
    return f"{objective.name} ({'higher' if objective.direction == 'maximize' else 'lower'} is better)"


def drawable(scores: np.ndarray) -> np.ndarray:
    """Returns scores within what matplotlib can compute with: margins of still larger ones overflow."""
    clipped: np.ndarray = np.clip(scores, -_HUGE, _HUGE)
    return clipped


def draw_figure(draw: Draw, path: Path) -> None:
    """Makes a figure of one pair of axes, lets `draw` fill it, and writes it whole or not at all.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OSError: the file cannot be written.
    """
    with _canvas() as (figure, axes):
        draw(axes)
        partial = path.with_name(f".{path.name}.partial")
        figure.savefig(partial, format="png", dpi=_DPI, metadata={"Software": None})
        partial.replace(path)


@contextmanager
def _canvas() -> Iterator[tuple[Figure, Axes]]:
    try:
        from matplotlib import rc, rc_context, rcdefaults
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("drawing pictures", "plot") from error
    with rc_context():
        rcdefaults()
        rc("figure", facecolor="white")
        rc("font", size=10)
        rc("text", parse_math=False)  # a dollar in a name is a dollar
        rc("axes", titlesize=11, titleweight="bold", titlelocation="left", grid=True, axisbelow=True)
        rc("axes.formatter", useoffset=False)
        rc("axes.spines", top=False, right=False)
        rc("grid", color="#e8ebef")
        rc("legend", framealpha=0.85, edgecolor="none", markerscale=1.6)  # readable over dots
        figure = Figure(figsize=_SIZE, layout="constrained")
        FigureCanvasAgg(figure)
        yield figure, figure.add_subplot()
