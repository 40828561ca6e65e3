"""Names that scripts import beside what they need for an evaluation."""

from __future__ import annotations

from typing import Any


class Settings:
    """Stands for a config class: takes any settings and keeps them, so that a script which makes one runs."""

    # Any: whatever the script wants to keep.
    def __init__(self, **settings: Any) -> None:
        self.__dict__.update(settings)


class Runner:
    """Stands for what starts a search.

    Raises:
        RuntimeError: whenever one is made: the search is outside, this is one evaluation of it.
    """

    def __init__(self, *_: object, **__: object) -> None:
        raise RuntimeError(f"{type(self).__name__} cannot be used inside an evaluation")
