"""Stand-ins for what score code imports from other systems.

Each folder here is a place on the import path of candidates in the sandbox, and of nobody else: there
``import shinka`` finds ours, and no installation is needed. All is written from the published contracts, with
the standard library alone.
"""

from __future__ import annotations

from pathlib import Path

from speciate.tasks.definition import EvaluationKind


def shims_folder(kind: EvaluationKind) -> Path:
    """Returns the folder that score code of this kind imports from; its ``adapter`` is the way in."""
    return Path(__file__).parent / kind
