"""Which models never answered, so that a run without proposals does not look like one without luck."""

from __future__ import annotations

from typing import TypeAlias

from typing_extensions import override

from speciate.engine import Observer
from speciate.records import Asked, Event, Ordinal, Replied

_Call: TypeAlias = tuple[Ordinal, int, str]


class Answers(Observer):
    """Counts the calls of this session that ended without an answer, model by model."""

    def __init__(self) -> None:
        self._asked: dict[_Call, str] = {}
        self._answered: set[str] = set()
        self._failed: dict[str, int] = {}
        self._last: dict[str, str] = {}

    @override
    def on_event(self, event: Event) -> None:
        match event:
            case Asked():
                self._asked[event.ordinal, event.attempt, event.part] = event.model
            case Replied():
                # A call of an earlier session may be answered in this one, and was not seen being asked.
                model = self._asked.pop((event.ordinal, event.attempt, event.part), None)
                if model is not None:
                    self._replied(model, event.error)
            case _:
                pass

    def _replied(self, model: str, error: str | None) -> None:
        if error is None:
            self._answered.add(model)
        else:
            self._failed[model] = self._failed.get(model, 0) + 1
            self._last[model] = error

    @property
    def none(self) -> bool:
        """Whether models were asked and not one of them ever answered."""
        return bool(self._failed) and not self._answered

    def silent(self) -> list[str]:
        """Returns a line for each model that was asked and never answered."""
        return [
            f"NO ANSWER to any of {self._failed[model]} requests to {model}; the last one: {error}"
            for model, error in self._last.items()
            if model not in self._answered
        ]
