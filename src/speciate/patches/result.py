"""What a patch comes to when it does not apply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Reason: TypeAlias = Literal[
    "no_patch",
    "malformed",
    "no_match",
    "ambiguous",
    "immutable",
    "markers",
    "no_change",
    "unknown_file",
    "too_large",
]
"""One word for one cause.

- ``no_patch``: the reply holds nothing that could be applied.
- ``malformed``: it starts a patch and does not end it, or asks for something that has no meaning.
- ``no_match``: text to be replaced is nowhere in the mutable text.
- ``ambiguous``: it is there more than once.
- ``immutable``: the patch changes text outside the regions.
- ``markers``: the new text holds marker lines.
- ``no_change``: the program stays what it was.
- ``unknown_file``: the patch names a file the program does not have.
- ``too_large``: the reply is larger than any program of the task could need.
"""


@dataclass(frozen=True, slots=True)
class PatchFailure:
    """Why a reply could not be applied.

    Attributes:
        reason: one word for the cause.
        message: what a model needs to do better; shows places with line numbers. May reach prompts.
    """

    reason: Reason
    message: str
