"""Looking back on a run: when a model is asked to, what it is told, and what its advice was worth."""

from speciate.reflection.agenda import Agenda, Job, Tried, improves
from speciate.reflection.asking import Asker
from speciate.reflection.lift import Lift, Trials, chance_above, lift
from speciate.reflection.reading import UnreadableError, tidy, whole_lines, whole_text
from speciate.reflection.stories import Bounds, Story, changed, fenced, show, tell

__all__ = [
    "Agenda",
    "Asker",
    "Bounds",
    "Job",
    "Lift",
    "Story",
    "Trials",
    "Tried",
    "UnreadableError",
    "chance_above",
    "changed",
    "fenced",
    "improves",
    "lift",
    "show",
    "tell",
    "tidy",
    "whole_lines",
    "whole_text",
]
