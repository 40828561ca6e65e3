"""Selection draws parents and inspirations from the occupants of an island."""

from speciate.selection.base import ParentPolicy, Ranked
from speciate.selection.beam import Beam
from speciate.selection.best_of_n import BestOfN
from speciate.selection.cells import Cells
from speciate.selection.config import PolicyName, SelectionConfig, build_policy
from speciate.selection.hill_climb import HillClimb
from speciate.selection.inspirations import InspirationConfig, draw_inspirations
from speciate.selection.occupants import Occupants, OccupantsView
from speciate.selection.power_law import PowerLaw
from speciate.selection.tournament import Tournament
from speciate.selection.uniform import Uniform
from speciate.selection.weighted import Scale, Weighted

__all__ = [
    "Beam",
    "BestOfN",
    "Cells",
    "HillClimb",
    "InspirationConfig",
    "Occupants",
    "OccupantsView",
    "ParentPolicy",
    "PolicyName",
    "PowerLaw",
    "Ranked",
    "Scale",
    "SelectionConfig",
    "Tournament",
    "Uniform",
    "Weighted",
    "build_policy",
    "draw_inspirations",
]
