"""Hand-over of a filled map to pyribs, for its plots and its further archives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from speciate.archives.cvt import CVTArchive
from speciate.archives.grid import GridArchive
from speciate.errors import MissingExtraError
from speciate.records import Descriptor

if TYPE_CHECKING:
    from ribs.archives import CVTArchive as RibsCVT
    from ribs.archives import GridArchive as RibsGrid

Measure: TypeAlias = Callable[[Descriptor], tuple[float, ...]]


def to_pyribs(archive: GridArchive | CVTArchive, *, qd_score_offset: float = 0.0) -> RibsGrid | RibsCVT:
    """Returns a pyribs archive with the same cells and the same occupants.

    A pyribs grid knows equal bins only, and rounds differently at their edges. So that every occupant keeps
    its cell whatever our edges are, measures are coordinates of the map and not of behaviour space: the
    middle of the bin for a `GridArchive` (bin 3 is 3.5 in the range 0 to bins), the point in the unit cube
    for a `CVTArchive`. The solution of an elite is its own descriptor, unscaled; the field ``ordinal``
    names the candidate.

    Args:
        archive: what is handed over.
        qd_score_offset: what pyribs subtracts from each score in its QD-Score.

    Returns:
        A `ribs.archives.GridArchive` or `ribs.archives.CVTArchive`.

    Raises:
        MissingExtraError: pyribs is not installed.
    """
    target, measure = _empty(archive, qd_score_offset)
    members = archive.ranked()
    if members:
        descriptors = [member.descriptor or () for member in members]
        target.add(
            np.array(descriptors),
            np.array([member.fitness[0] for member in members]),
            np.array([measure(descriptor) for descriptor in descriptors]),
            ordinal=np.array([member.ordinal for member in members]),
        )
    return target


def _empty(archive: GridArchive | CVTArchive, offset: float) -> tuple[RibsGrid | RibsCVT, Measure]:
    """An empty pyribs archive with our cells, and what turns a descriptor into its measures."""
    try:
        from ribs import archives as ribs  # seconds to import: it brings numba, scikit-learn and pandas
    except ImportError as error:
        raise MissingExtraError("the export to pyribs", "qd") from error
    if isinstance(archive, GridArchive):
        dims = [axis.bins for axis in archive.axes]
        grid = ribs.GridArchive(
            solution_dim=len(dims),
            dims=dims,
            ranges=[(0, bins) for bins in dims],
            qd_score_offset=offset,
            extra_fields={"ordinal": ((), np.int64)},
        )
        return grid, lambda descriptor: tuple(bin_ + 0.5 for bin_ in archive.locate(descriptor))
    dimensions = archive.centroids.shape[1]
    cvt = ribs.CVTArchive(
        solution_dim=dimensions,
        centroids=archive.centroids,
        ranges=[(0, 1)] * dimensions,
        nearest_neighbors="brute_force",  # ties go to the smaller index, as ours do
        qd_score_offset=offset,
        extra_fields={"ordinal": ((), np.int64)},
    )
    return cvt, archive.scale
