"""A plan: task × conditions × seeds at an equal budget, from a TOML file or shipped with speciate."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from speciate.engine.settings import Layer
from speciate.errors import ConfigError, nearest
from speciate.records import Direction, Json
from speciate.reports import Unit
from speciate.statistics import Test
from speciate.tasks import explain

JOIN = "+"
"""Stands between the levels of several factors in the name of a condition."""

SEPARATOR = "+"
"""Stands between the proposers that one node draws from."""

_NAME = re.compile(r"[\w.-]+")


def _folder_name(name: str) -> str:
    if not _NAME.fullmatch(name) or name.startswith("."):
        raise ValueError(f"{name!r} cannot name a folder: use letters, digits, '-', '_' and '.'")
    return name


Name = Annotated[str, AfterValidator(_folder_name)]


MOST_SEEDS = 10_000
"""A plan's runs are listed before the first one begins; more than this is a slip of the finger."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ConditionConfig(_Frozen):
    """One way to run.

    Attributes:
        about: one line on what it is, for the tables.
        settings: laid over the plan's settings; nested, or with dots
            (``settings.selection.policy = "uniform"``).
        initial: file of another initial program for one-file tasks, relative to the plan; None keeps the
            task's own.
        nodes: of an ensemble, who proposes at each node: one of the plan's `proposers`, or several joined by
            ``+`` that the node draws from. Empty leaves it to ``settings.ensemble.nodes``.
    """

    about: str = ""
    settings: Mapping[str, Json] = Field(default_factory=dict)
    initial: Path | None = None
    nodes: tuple[str, ...] = ()


class BudgetPlan(_Frozen):
    """What every run may spend.

    Attributes:
        unit: what it is counted in.
        amount: how much of it.
    """

    unit: Unit = "candidates"
    amount: float = Field(gt=0, allow_inf_nan=False)

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.unit != "cost" and self.amount != int(self.amount):
            raise ValueError(f"an amount of {self.unit} is a whole number, not {self.amount}")
        return self


class MeasureConfig(_Frozen):
    """What runs are compared by; without it the task's first objective.

    Attributes:
        public: name of a public metric.
        direction: whether more of it is better.
        of: ``best`` is the metric of the best candidate by the first objective; ``any`` the best value of the
            metric among all valid candidates.
    """

    public: str
    direction: Direction = "maximize"
    of: Literal["best", "any"] = "best"


class MergedConfig(_Frozen):
    """How ensembles are compared: their elites are scored once more in one company, and the best of each cell
    kept.

    Attributes:
        parameters: laid over the task's parameters for that company: it is the context of the task with them,
            the same for all conditions and seeds. Without any, of a task whose scores depend on company, each
            ensemble is scored among its own champions, and their scores cannot be compared.
    """

    parameters: Mapping[str, Json] = Field(default_factory=dict)


class PublishedConfig(_Frozen):
    """A row of figures that somebody else has published, to stand beside ours.

    Attributes:
        condition: as they call it.
        proposer: of one proposer's nodes, or empty for the merged archive.
        figures: mean, or mean and standard deviation, by the name of the measure.
    """

    condition: str
    proposer: str = ""
    figures: Mapping[str, float | tuple[float, float]]


class Plan(_Frozen):
    """Everything an experiment is.

    Attributes:
        name: the file's name without its ending.
        about: what is asked, in a sentence or two.
        tasks: problems, or task folders relative to the plan.
        seeds: how many (0, 1, 2, …), or which.
        budget: of each run.
        measure: what is compared; None is the first objective.
        baseline: the condition that all others are compared with; None compares every pair.
        pairing: ``none`` takes runs for independent (Mann-Whitney); ``seeds`` compares the runs of each seed
            with each other (Wilcoxon), which finds more where they go alike, for they draw the same
            random numbers. To be chosen before the results are known.
        confidence: of the intervals.
        alpha: level of the tests, after Holm's correction.
        floor: score that counts for the area under the curve before anything is valid; None where the initial
            program is valid, as it usually is.
        preset: name of the preset that all runs start from, or None; its budget does not count.
        settings: of all runs.
        conditions: by name.
        factors: levels by name by factor; crossed, they are the conditions.
        proposers: specs of models and other proposers by a short name, for the nodes of conditions.
        merged: all conditions are ensembles, compared by their merged archives; None where all are runs.
        groups: conditions by the name of a group: in each seed a group counts with the mean of its
            conditions. Groups are compared instead of the conditions in them. Of ensembles only.
        pairs: names of the conditions or groups to compare, instead of what `baseline` says.
        gain: conditions or groups that the baseline has to beat, all of them, before a gain is spoken of.
        published: figures from elsewhere, to stand beside the results.
        published_in: where they come from, and what makes them another thing.
    """

    name: Name
    about: str = ""
    tasks: tuple[str, ...] = Field(min_length=1)
    seeds: int | tuple[int, ...]
    budget: BudgetPlan
    measure: MeasureConfig | None = None
    baseline: str | None = None
    pairing: Literal["none", "seeds"] = "none"
    confidence: float = Field(default=0.95, gt=0, lt=1)
    alpha: float = Field(default=0.05, gt=0, lt=1)
    floor: float | None = Field(default=None, allow_inf_nan=False)
    preset: str | None = None
    settings: Mapping[str, Json] = Field(default_factory=dict)
    conditions: Mapping[Name, ConditionConfig] = Field(default_factory=dict)
    factors: Mapping[Name, Mapping[Name, ConditionConfig]] = Field(default_factory=dict)
    proposers: Mapping[Name, str] = Field(default_factory=dict)
    merged: MergedConfig | None = None
    groups: Mapping[Name, Annotated[tuple[str, ...], Field(min_length=1)]] = Field(default_factory=dict)
    pairs: tuple[tuple[str, str], ...] = ()
    gain: tuple[str, ...] = ()
    published: tuple[PublishedConfig, ...] = ()
    published_in: str = ""

    @property
    def test(self) -> Test:
        """How runs are compared."""
        return "wilcoxon" if self.pairing == "seeds" else "mann-whitney"

    @property
    def seed_list(self) -> tuple[int, ...]:
        """The seeds."""
        return tuple(range(self.seeds)) if isinstance(self.seeds, int) else self.seeds

    @model_validator(mode="after")
    def _usable(self) -> Self:
        if (self.seeds if isinstance(self.seeds, int) else len(self.seeds)) > MOST_SEEDS:
            raise ValueError(f"{MOST_SEEDS:,} seeds are the most of one plan")
        if not self.seed_list or len(set(self.seed_list)) < len(self.seed_list) or min(self.seed_list) < 0:
            raise ValueError("seeds are at least one, from 0 on, each named once")
        if bool(self.conditions) == bool(self.factors):
            raise ValueError("a plan has either conditions or factors")
        self._check_names()
        if self.merged is None and (self.groups or self.gain):
            raise ValueError("groups and gain are of plans that compare ensembles: say how in [merged]")
        if self.merged is not None and self.measure is not None:
            raise ValueError("ensembles are measured by their merged archives: a plan has measure or merged")
        self._check_gain()
        return self

    def _check_gain(self) -> None:
        if not self.gain:
            return
        if self.baseline is None:
            raise ValueError("a gain is the baseline's: name one")
        if any(self.baseline in members for members in self.groups.values()):
            raise ValueError(
                f"the baseline {self.baseline} is in a group, which would be compared with itself"
            )
        planned = {frozenset(pair) for pair in self.pairs} or {
            frozenset((self.baseline, name)) for name in self.compared() if name != self.baseline
        }
        for name in self.gain:
            if frozenset((self.baseline, name)) not in planned:
                raise ValueError(f"gain: {name} is not compared with the baseline {self.baseline}")

    def _check_names(self) -> None:
        conditions = self.all_conditions()
        known = [*conditions, *self.groups]
        for group, members in self.groups.items():
            if group in conditions:
                raise ValueError(f"{group!r} is a condition and cannot be a group")
            _check_known(f"groups.{group}", members, conditions)
        _check_known("baseline", () if self.baseline is None else (self.baseline,), known)
        _check_known("pairs", [name for pair in self.pairs for name in pair], known)
        _check_known("gain", self.gain, known)
        for name, condition in conditions.items():
            _check_known(
                f"conditions.{name}.nodes", _sitting(condition.nodes), self.proposers, what="proposer"
            )

    def seats(self, condition: ConditionConfig) -> list[Json]:
        """Returns the settings ``ensemble.nodes`` of a condition that says who proposes at its nodes."""
        counts = Counter(condition.nodes)
        found: list[Json] = []
        for number, seat in enumerate(condition.nodes, 1):
            name = f"n{number}" if SEPARATOR in seat or counts[seat] > 1 else seat
            models: list[Json] = [self.proposers[one] for one in seat.split(SEPARATOR)]
            found.append({"name": name, "models": models})
        return found

    def proposer_name(self, spec: str) -> str:
        """Returns the plan's short name of a proposer, or the spec itself if it has none."""
        return next((name for name, known in self.proposers.items() if known == spec), spec)

    def compared(self) -> tuple[str, ...]:
        """Returns what is compared: conditions that are in no group, and groups."""
        grouped = {name for members in self.groups.values() for name in members}
        return (*(name for name in self.all_conditions() if name not in grouped), *self.groups)

    def all_conditions(self) -> Mapping[str, ConditionConfig]:
        """Returns the conditions by name; those of crossed factors are named ``level+level``."""
        if self.conditions:
            return self.conditions
        crossed = product(*(levels.items() for levels in self.factors.values()))
        return {JOIN.join(name for name, _ in levels): _joined([c for _, c in levels]) for levels in crossed}


def _sitting(nodes: Iterable[str]) -> list[str]:
    return [name for seat in nodes for name in seat.split(SEPARATOR)]


def _check_known(where: str, names: Iterable[str], known: Iterable[str], what: str = "condition") -> None:
    """Refuses names that are not known.

    Raises:
        ValueError: one is not.
    """
    every = list(known)
    for name in names:
        if name not in every:
            raise ValueError(
                f"{where}: {name!r} is no {what}{nearest(name, every)} (known: {', '.join(every)})"
            )


def load_plan(name_or_path: str, *, changes: Layer | None = None) -> tuple[Plan, Path]:
    """Loads a plan.

    Args:
        name_or_path: a TOML file, or the name of a plan that ships with speciate.
        changes: laid over what the file says, for example another number of seeds.

    Returns:
        The plan, and the folder that its paths are relative to.

    Raises:
        ConfigError: there is no such plan, or it cannot be understood.
    """
    path = _find(name_or_path)
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    except OSError as error:
        raise ConfigError(f"cannot read the plan {path}: {error.strerror}") from error
    try:
        plan = Plan.model_validate({"name": path.stem, **_over(told, changes or {})})
    except ValidationError as error:
        raise ConfigError(explain(error, Plan, str(path))) from error
    return plan, path.parent.resolve()


def shipped_plans() -> tuple[str, ...]:
    """Returns the names of the plans that ship with speciate, sorted."""
    return tuple(sorted(path.stem for path in _shelf().glob("*.toml")))


def _find(name_or_path: str) -> Path:
    path = Path(name_or_path)
    if path.suffix == ".toml" or path.is_file():
        return path
    known = shipped_plans()
    if name_or_path not in known:
        raise ConfigError(
            f"there is no plan {name_or_path!r}{nearest(name_or_path, known)}; give a TOML file, or one of "
            f"{', '.join(known)}"
        )
    return _shelf() / f"{name_or_path}.toml"


def _shelf() -> Path:
    return Path(str(resources.files("speciate.experiments") / "plans"))


def _joined(levels: list[ConditionConfig]) -> ConditionConfig:
    """Returns the condition of several levels at once; where two set the same, the later factor wins."""
    settings: Mapping[str, Json] = {}
    for level in levels:
        settings = _over(settings, level.settings)
    initial = next((level.initial for level in reversed(levels) if level.initial is not None), None)
    nodes = next((level.nodes for level in reversed(levels) if level.nodes), ())
    return ConditionConfig(
        about="; ".join(filter(None, (c.about for c in levels))),
        settings=settings,
        initial=initial,
        nodes=nodes,
    )


def _over(below: Mapping[str, Json], above: Mapping[str, Json]) -> dict[str, Json]:
    merged = dict(below)
    for name, value in above.items():
        old = merged.get(name)
        merged[name] = _over(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged
