"""From the options of a command to the settings of a run. Heavy: imported by commands as they run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from speciate.cli.keyed import preset_layers
from speciate.cli.options import Driver, Order
from speciate.engine import RunConfig
from speciate.engine.settings import Layer, Preset, assignment_layer, compose, load_preset, read_file
from speciate.errors import ConfigError
from speciate.records import Json

CHANGEABLE = ("budget", "evaluation", "llm", "models")
"""Sections that a resumed run may change: all others decide what happens, and half a run decided otherwise
would be no run of either kind. That others propose from now on is an event of its history."""


@dataclass(frozen=True, kw_only=True)
class Caps:
    """Caps as options; None leaves a cap as it is."""

    candidates: int | None = None
    evaluations: int | None = None
    max_cost: float | None = None
    max_tokens: int | None = None
    max_calls: int | None = None
    max_seconds: float | None = None
    allow_unknown_price: bool = False

    def layer(self) -> Layer:
        """Returns the caps that were given."""
        return {
            "budget": _given(
                candidates=self.candidates,
                evaluations=self.evaluations,
                cost=self.max_cost,
                tokens=self.max_tokens,
                calls=self.max_calls,
                seconds=self.max_seconds,
                allow_unknown_price=self.allow_unknown_price or None,
            )
        }


@dataclass(frozen=True, kw_only=True)
class Course:
    """How a run goes, as options; None and False leave a setting as it is."""

    models: Sequence[str] = ()
    seed: int | None = None
    driver: Driver | None = None
    in_flight: int | None = None
    order: Order | None = None
    unsafe_no_sandbox: bool = False
    allow_invalid_seed: bool = False

    def layer(self) -> Layer:
        """Returns the settings that were given."""
        return {
            **_given(
                models=list(self.models) or None,
                seed=self.seed,
                driver=None if self.driver is None else self.driver.value,
                allow_invalid_seed=self.allow_invalid_seed or None,
            ),
            "pipeline": _given(
                in_flight=self.in_flight, order=None if self.order is None else self.order.value
            ),
            "evaluation": _given(unsafe_no_sandbox=self.unsafe_no_sandbox or None),
        }


def settings(
    options: Sequence[Layer],
    *,
    preset: Preset | None = None,
    file: Path | None = None,
    assignments: Sequence[str] = (),
    base: RunConfig | None = None,
) -> RunConfig:
    """Lays preset, file, options and single assignments over each other, the last ones on top.

    Raises:
        ConfigError: a setting is unknown or does not fit, or the file cannot be read.
    """
    over = layers_given(options, file=file, assignments=assignments)
    return compose([*([] if preset is None else preset_layers(preset, over)), *over], base=base)


def layers_given(
    options: Sequence[Layer], *, file: Path | None = None, assignments: Sequence[str] = ()
) -> list[Layer]:
    """Returns what a user has given, the last ones on top.

    Raises:
        ConfigError: an assignment is none, or the file cannot be read.
    """
    read = [] if file is None else [read_file(file)]
    return [*read, *options, *(assignment_layer(text) for text in assignments)]


def preset_for(name: str | None, task: str) -> Preset | None:
    """Returns a preset that fits a task, or None if none is asked for.

    Raises:
        ConfigError: there is no such preset, or it is meant for another problem.
    """
    if name is None:
        return None
    preset = load_preset(name)
    if preset.task is not None and preset.task != task:
        raise ConfigError(
            f"the preset {name} is meant for {preset.task}, not for {task}: leave one of them out"
        )
    return preset


def resumed_settings(recorded: RunConfig, options: Sequence[Layer], assignments: Sequence[str]) -> RunConfig:
    """Lays new caps over a run's recorded settings.

    Raises:
        ConfigError: something is set that a resumed run cannot change, is unknown or does not fit.
    """
    for text in assignments:
        section = text.partition("=")[0].partition(".")[0].strip()
        if section in RunConfig.model_fields and section not in CHANGEABLE:
            raise ConfigError(
                f"{section} cannot change within a run; --set of resume takes {', '.join(CHANGEABLE)}: "
                "start a new run for other settings"
            )
    return settings(options, assignments=assignments, base=recorded)


def _given(**values: Json) -> dict[str, Json]:
    return {name: value for name, value in values.items() if value is not None}
