"""Simulates ensembles under every policy that was asked for, and tells how they went."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import product, zip_longest
from pathlib import Path
from typing import Final

from speciate.cli.ensemble_seats import Wishes
from speciate.cli.ensemble_start import composed
from speciate.cli.keyed import preset_layers
from speciate.cli.output import Output, columns
from speciate.cli.settings import layers_given, preset_for
from speciate.engine import RunConfig, is_model
from speciate.engine.settings import Layer, over_task_defaults
from speciate.ensembles import (
    Churn,
    Looked,
    Memo,
    Partition,
    Point,
    Scenario,
    Simulation,
    Spread,
    Weather,
    common_pool,
    elites_at_the_end,
    look_again,
    members_of,
    read_spread,
    simulate,
)
from speciate.errors import ConfigError, RunFolderError, UsageError
from speciate.files import write_whole
from speciate.records import Json
from speciate.tasks import Task

_FREE: Final = ("simulated", "scripted", "replay")
"""Kinds of models that a simulation may ask: nobody waits for them or pays."""


@dataclass(frozen=True, kw_only=True)
class Around:
    """What happens around the nodes, as it was written; see `speciate simulate --help`."""

    latency: str | None = None
    delay: str | None = None
    loss: float = 0.0
    duplicate: float = 0.0
    partition: str | None = None
    churn: tuple[str, ...] = ()
    seed: int = 0

    def scenario(self) -> Scenario:
        """Returns it as a simulation takes it.

        Raises:
            ConfigError: something cannot be read.
        """
        return Scenario(
            latency=None if self.latency is None else read_spread(self.latency),
            weather=Weather(
                loss=self.loss,
                duplicate=self.duplicate,
                delay=Spread() if self.delay is None else read_spread(self.delay),
                partition=None if self.partition is None else _partition(self.partition),
            ),
            churn=_churn(self.churn),
            seed=self.seed,
        )


def _partition(text: str) -> Partition:
    parts = text.split(":")
    try:
        begins, ends = float(parts[0]), float(parts[1])
        groups = int(parts[2]) if len(parts) == 3 else 2
    except (ValueError, IndexError):
        raise ConfigError(f"--partition takes BEGIN:END or BEGIN:END:GROUPS, not {text!r}") from None
    if len(parts) > 3:
        raise ConfigError(f"--partition takes BEGIN:END or BEGIN:END:GROUPS, not {text!r}")
    return Partition(begins, ends, groups)


def _churn(texts: Sequence[str]) -> Churn:
    shares: dict[str, float] = {}
    names = [field.name for field in fields(Churn)]
    for text in texts:
        name, _, share = text.partition(":")
        try:
            shares[name] = float(share)
        except ValueError:
            name = ""
        if name not in names:
            raise ConfigError(f"--churn takes {', '.join(f'{each}:SHARE' for each in names)}; not {text!r}")
    return Churn(**shares)


def sharing_layer(text: str) -> dict[str, Json]:
    """Returns the settings ``ensemble.sharing`` of a policy as the option names it.

    Raises:
        ConfigError: there is no such policy.
    """
    kind, _, number = text.partition(":")
    match kind, number.isdecimal():
        case "all", _ if not number:
            return {}
        case "opening", _ if not number:
            return {"order": "novel", "only": "opening"}
        case "best", True:
            return {"order": "quality", "most": int(number)}
        case "bytes", True:
            return {"bytes": int(number)}
        case _:
            raise ConfigError(f"--sharing takes all, opening, best:N or bytes:N, not {text!r}")


@dataclass(frozen=True)
class _Told:
    topology: str
    sharing: str
    simulation: Simulation
    looked: Looked


def simulate_all(
    name: str,
    around: Around,
    *,
    models: tuple[str, ...],
    nodes: int | None,
    rounds: int | None,
    iterations: int | None,
    topologies: Sequence[str],
    sharings: Sequence[str],
    every: int,
    preset: str | None,
    file: Path | None,
    assignments: Sequence[str],
    out: Path | None,
    output: Output,
) -> None:
    """Simulates an ensemble once for each topology and policy of sharing; they share what has been scored.

    Args:
        name: a problem or a task folder.
        around: what happens around the nodes.
        models: who proposes, one a node; they go round.
        nodes: how many, or None.
        rounds: of each node, or None.
        iterations: of each round, or None.
        topologies: as ``--topology`` takes them.
        sharings: as ``--sharing`` takes them.
        every: after how many rounds archives are merged.
        preset: a preset's name, or None.
        file: settings in a file, or None.
        assignments: single settings, as ``--set`` takes them.
        out: a file for all points as CSV, or None.
        output: where the words go.

    Raises:
        UsageError: the task, the settings or a file have to be mended first.
        SpeciateError: a simulation could not go on.
    """
    began, memo, told = time.monotonic(), Memo(), list[_Told]()
    _check_models(models)
    scenario, chosen = around.scenario(), preset_for(preset, name)
    sets = layers_given([], assignments=assignments)
    for topology, sharing in product(topologies, sharings):
        wishes = Wishes(models=models, nodes=nodes, rounds=rounds, iterations=iterations, topology=topology)
        shared: dict[str, Json] = {"sharing": sharing_layer(sharing)}
        own: list[Layer] = [{"driver": "sequential", "seed": around.seed, "ensemble": shared}, wishes.layer()]
        over = layers_given(own, file=file)
        below = [] if chosen is None else preset_layers(chosen, [*over, *sets])
        task, config = composed(name, wishes, below, over, sets)
        complete = over_task_defaults(config, task)
        _check_models(spec for member in members_of(complete) for spec in member.config.models)
        output.remark(_opening(task, complete, topology, sharing))
        simulation = simulate(task, config, scenario, every=every, memo=memo)
        told.append(_Told(topology, sharing, simulation, simulation.looked))
    if len(told) > 1 and task.spec.evaluation.company:
        told = _in_one_company(told, task, memo)
    if out is not None:
        _write(out, told)
        output.remark(f"Written: {out}")
    output.say(*_table(told, task, complete))
    output.result(_as_json(told, task, complete, around, time.monotonic() - began))


def _in_one_company(told: Sequence[_Told], task: Task, memo: Memo) -> list[_Told]:
    """Merges all archives once more: what differs in company cannot be compared.

    The company is that of all simulations' champions, as many as there is room for, in turn.
    """
    ends = (elites_at_the_end(one.simulation.accounts) for one in told)
    in_turn = [end for turn in zip_longest(*ends) for end in turn if end is not None]
    pool, _ = common_pool(task, in_turn)
    return [replace(one, looked=look_again(task, one.simulation, pool, memo=memo)) for one in told]


def _check_models(specs: Iterable[str]) -> None:
    for spec in specs:
        if is_model(spec) and spec.partition(":")[0] not in _FREE:
            raise UsageError(
                f"{spec} would really be asked, and for virtual time: `speciate ensemble` is for models; a "
                "simulation takes genetic proposers, or simulated: ones"
            )


def _opening(task: Task, config: RunConfig, topology: str, sharing: str) -> str:
    rules = config.ensemble
    return (
        f"Simulating {task.name}: {len(rules.nodes)} nodes, {rules.rounds} rounds of {rules.iterations} "
        f"proposals, links {topology}, sharing {sharing}"
    )


def _table(told: Sequence[_Told], task: Task, config: RunConfig) -> list[str]:
    """Returns the curve of a single simulation, or a line for each of several."""
    if len(told) == 1:
        curve = told[0].looked.curve
        rows = [["round", *_HEAD], *([str(point.round), *_cells(point)] for point in curve)]
        rows.append(["end", *_cells(told[0].looked.end)])
    else:
        rows = [["links", "sharing", *_HEAD]]
        rows += [[one.topology, one.sharing, *_cells(one.looked.end)] for one in told]
    last = told[0].simulation
    where = "against champions of all nodes in one company" if task.spec.evaluation.company else "by the task"
    return [
        *columns(rows),
        "",
        f"Merged archives are scored {where}; kilobytes are all that had come in by then. "
        f"{last.candidates} candidates, {last.evaluations} evaluated"
        + ("" if len(told) == 1 else " in the first"),
    ]


_HEAD: Final = (
    "nodes",
    "time",
    "coverage",
    "QD-Score",
    "alone: coverage",
    "QD-Score",
    "KB in",
    "age",
    "rounds old",
)


def _cells(point: Point) -> tuple[str, ...]:
    return (
        str(point.nodes),
        f"{point.at:.1f} s",
        _shown(point.coverage, "{:.1%}"),
        _shown(point.qd_score, "{:.4g}"),
        _shown(point.mean_coverage, "{:.1%}"),
        _shown(point.mean_qd_score, "{:.4g}"),
        f"{point.bytes / 1000:.1f}",
        _shown(point.age, "{:.1f} s"),
        _shown(point.lag, "{:.2f}"),
    )


def _shown(value: float | None, form: str) -> str:
    return "-" if value is None else form.format(value)


def _write(path: Path, told: Sequence[_Told]) -> None:
    """Writes every point of every simulation, the end as round ``end``."""
    text = io.StringIO()
    names = [field.name for field in fields(Point)]
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["topology", "sharing", *names])
    for one in told:
        for point in one.looked.curve:
            writer.writerow([one.topology, one.sharing, *asdict(point).values()])
        end = asdict(one.looked.end) | {"round": "end"}
        writer.writerow([one.topology, one.sharing, *end.values()])
    try:
        write_whole(path, text.getvalue())
    except OSError as error:
        raise RunFolderError(f"{path} cannot be written: {error.strerror or error}") from error


def _as_json(
    told: Sequence[_Told], task: Task, config: RunConfig, around: Around, seconds: float
) -> Mapping[str, object]:
    return {
        "task": task.name,
        "seed": config.seed,
        "nodes": len(config.ensemble.nodes),
        "rounds": config.ensemble.rounds,
        "iterations": config.ensemble.iterations,
        "around": asdict(around),
        "simulations": [
            {
                "topology": one.topology,
                "sharing": one.sharing,
                "candidates": one.simulation.candidates,
                "evaluations": one.simulation.evaluations,
                "reused": one.simulation.reused,
                "alive": sum(account.end is not None for account in one.simulation.accounts),
                "end": asdict(one.looked.end),
                "curve": [asdict(point) for point in one.looked.curve],
            }
            for one in told
        ],
        "seconds": seconds,
    }
