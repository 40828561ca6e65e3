"""What the task's parameters say: the rules, the protocol and the axes of a competition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Self, TypeVar, get_args

from speciate.errors import ConfigError, TaskError, nearest
from speciate.problems.corewar.descriptors import AxisName
from speciate.problems.corewar.scoring import Protocol
from speciate.problems.corewar.settings import PRESETS, Settings
from speciate.records import Json

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a warrior's score depends on besides its opponents.

    Attributes:
        settings: the rules of the battle, with the number of rounds.
        protocol: how a battle becomes a score.
        seed: names the positions in the core, for protocols that draw them.
        axes: what is measured of a warrior's behaviour, in the order of the task's descriptors.
    """

    settings: Settings
    protocol: Protocol
    seed: int
    axes: tuple[AxisName, ...]

    @classmethod
    def of(cls, parameters: Mapping[str, Json]) -> Self:
        """Reads the task's parameters.

        Raises:
            TaskError: a value makes no sense; the message names the parameter and what is possible.
        """
        protocol = _one_of(get_args(Protocol), parameters["protocol"], "protocol")
        axes = parameters["axes"]
        if not isinstance(axes, list) or not axes or len(set(map(str, axes))) < len(axes):
            raise TaskError(f"parameters.axes is {axes!r}; expected a list of one or more distinct names")
        seed = parameters["seed"]
        assert isinstance(seed, int)  # a parameter keeps the type that task.toml gives it
        named = tuple(_one_of(get_args(AxisName), axis, "axes") for axis in axes)
        return cls(_settings(parameters), protocol, seed, named)

    def json(self) -> dict[str, Json]:
        """Returns the conditions as the settings of a `Context`: every rule by its value, not by a preset."""
        return {
            "rules": asdict(self.settings),
            "protocol": self.protocol,
            "seed": self.seed,
            "axes": list(self.axes),
        }

    @classmethod
    def from_json(cls, settings: Mapping[str, Json]) -> Self:
        """Reads what `json` wrote. Raises KeyError or TypeError for anything else."""
        rules, axes, seed = settings["rules"], settings["axes"], settings["seed"]
        if not isinstance(rules, dict) or not isinstance(axes, list) or not isinstance(seed, int):
            raise TypeError(f"these are no conditions of a battle: {dict(settings)}")
        protocol = _one_of(get_args(Protocol), settings["protocol"], "protocol")
        named = tuple(_one_of(get_args(AxisName), axis, "axes") for axis in axes)
        return cls(Settings(**rules), protocol, seed, named)  # type: ignore[arg-type]  # Settings checks them


def _settings(parameters: Mapping[str, Json]) -> Settings:
    preset = _one_of(tuple(PRESETS), parameters["preset"], "preset")
    rules, rounds = parameters["rules"], parameters["rounds"]
    assert isinstance(rules, dict)
    assert isinstance(rounds, int)
    if "rounds" in rules:
        raise TaskError("parameters.rules.rounds: set parameters.rounds instead")
    try:
        return PRESETS[preset].but(**rules, rounds=rounds)  # type: ignore[arg-type]  # Settings checks them
    except ConfigError as error:
        raise TaskError(f"parameters.rules: {error}") from error


def _one_of(known: tuple[T, ...], value: Json, name: str) -> T:
    """Returns the one of `known` that equals `value`; raises TaskError if there is none."""
    for one in known:
        if one == value:
            return one
    names = [str(one) for one in known]
    hint = nearest(str(value), names)
    raise TaskError(f"parameters.{name}: there is no {value!r}{hint} (known: {', '.join(names)})")
