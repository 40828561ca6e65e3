"""A plan: task × conditions × seeds at an equal budget, from a TOML file or shipped with speciate."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from speciate.engine.settings import Layer
from speciate.errors import ConfigError, nearest
from speciate.records import Direction, Json
from speciate.reports import Unit
from speciate.tasks import explain

JOIN = "+"
"""Stands between the levels of several factors in the name of a condition."""

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
    """

    about: str = ""
    settings: Mapping[str, Json] = Field(default_factory=dict)
    initial: Path | None = None


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
        settings: of all runs.
        conditions: by name.
        factors: levels by name by factor; crossed, they are the conditions.
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
    settings: Mapping[str, Json] = Field(default_factory=dict)
    conditions: Mapping[Name, ConditionConfig] = Field(default_factory=dict)
    factors: Mapping[Name, Mapping[Name, ConditionConfig]] = Field(default_factory=dict)

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
        if self.baseline is not None and self.baseline not in (known := self.all_conditions()):
            hint = nearest(self.baseline, known)
            raise ValueError(f"baseline {self.baseline!r} is no condition{hint} (known: {', '.join(known)})")
        return self

    def all_conditions(self) -> Mapping[str, ConditionConfig]:
        """Returns the conditions by name; those of crossed factors are named ``level+level``."""
        if self.conditions:
            return self.conditions
        crossed = product(*(levels.items() for levels in self.factors.values()))
        return {JOIN.join(name for name, _ in levels): _joined([c for _, c in levels]) for levels in crossed}


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
    return ConditionConfig(
        about="; ".join(filter(None, (c.about for c in levels))), settings=settings, initial=initial
    )


def _over(below: Mapping[str, Json], above: Mapping[str, Json]) -> dict[str, Json]:
    merged = dict(below)
    for name, value in above.items():
        old = merged.get(name)
        merged[name] = _over(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged
