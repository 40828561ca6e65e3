"""Circle packing: the largest sum of radii of n circles in a square or in a rectangle of perimeter 4."""

from speciate.problems.circle_packing.task import load

__all__ = ["load"]
