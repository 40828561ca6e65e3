"""Settings of small runs of the knobs task, by the name of their proposers and their driver."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from speciate.engine import RunConfig
from speciate.engine.settings import Layer, compose
from speciate.records import Json
from speciate.testing.knobs import write_script


class SmallRuns:
    """Writes the settings of runs of 24 candidates, on two islands with migration, with a scripted model.

    Args:
        folder: where the model's script is written.
    """

    def __init__(self, folder: Path) -> None:
        self.script = folder / "script.jsonl"
        self.model = write_script(self.script)

    def settings(
        self, proposers: str = "genetic", driver: str = "sequential", *more: Layer, **top: Json
    ) -> RunConfig:
        """Returns complete settings.

        Args:
            proposers: ``genetic``, ``model`` or ``both``.
            driver: ``sequential``, ``pipeline:ordinal`` or ``pipeline:arrival``.
            more: layers over these.
            top: single values over all.
        """
        named: Mapping[str, list[Json]] = {
            "genetic": [],
            "model": [self.model],
            "both": [self.model, "genetic"],
        }
        kind, _, order = driver.partition(":")
        base: Layer = {
            "seed": 3,
            "driver": kind,
            "models": named[proposers],
            "budget": {"candidates": 24},
            "pipeline": {"order": order or "ordinal", "in_flight": 4, "window": 8},
            "population": {"islands": 2, "migration_interval": 5, "migration_fraction": 0.3},
            "llm": {"retry": {"attempts": 2, "first_wait": 0.0}},
        }
        return compose([base, *more, top])
