"""Starts an ensemble and goes on with one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import typer

from speciate.cli.answers import Answers
from speciate.cli.ensemble_ending import finish_ensemble
from speciate.cli.ensemble_seats import ITERATIONS, ROUNDS, Wishes, caps_named, divided, seats
from speciate.cli.failures import BROKEN, resumable
from speciate.cli.folders import check_out, next_folder
from speciate.cli.keyed import preset_layers, preset_remarks
from speciate.cli.output import Output
from speciate.cli.progress import StopNotice, node_line, shown_lines
from speciate.cli.settings import layers_given, preset_for, resumed_settings
from speciate.cli.start import check_parts, opening_remarks, who_proposes
from speciate.cli.tally import Tally
from speciate.engine import EnsembleConfig, Observer, RunConfig, is_model
from speciate.engine.settings import Layer, compose, over_task_defaults
from speciate.ensembles import (
    LAST_ROUND,
    Ensemble,
    Watch,
    check_lost,
    check_nodes,
    evolve_ensemble,
    members_of,
    missing_nodes,
    open_histories,
    read_ensemble,
    resume_ensemble,
)
from speciate.errors import ConfigError, TaskError, UsageError
from speciate.reports import missing_words
from speciate.store import RunHistory
from speciate.tasks import Task, load_task


def start_ensemble(
    name: str,
    wishes: Wishes,
    options: Sequence[Layer],
    *,
    preset: str | None,
    file: Path | None,
    assignments: Sequence[str],
    out: Path | None,
    output: Output,
) -> None:
    """Evolves a task on several nodes in a new folder.

    Args:
        name: a problem or a task folder.
        wishes: who sits where, and for how many rounds.
        options: further settings from options.
        preset: a preset's name, or None.
        file: settings in a file, or None.
        assignments: single settings, as ``--set`` takes them.
        out: the ensemble's folder; None takes the next free one under ``runs``.
        output: where the words go.

    Raises:
        UsageError: the task, the settings or the folder have to be mended first.
        SpeciateError: no node could go on.
        typer.Exit: a node failed.
    """
    check_out(out, name)
    chosen = preset_for(preset, name)
    over = layers_given([*options, wishes.layer()], file=file)
    sets = layers_given([], assignments=assignments)
    below = [] if chosen is None else preset_layers(chosen, [*over, *sets])
    task, config = composed(name, wishes, below, over, sets)
    folder = out or next_folder(task.name)
    for line in [] if chosen is None else preset_remarks(chosen, [*over, *sets]):
        output.remark(line)
    for line in _opening(name, task, config, folder):
        output.remark(line)

    def evolving(watch: Watch) -> Ensemble:
        return evolve_ensemble(name, config, folder=folder, watch=watch, signals=True)

    _session(evolving, task, config, folder, {}, output)


def carry_on_ensemble(
    folder: Path,
    options: Sequence[Layer],
    assignments: Sequence[str],
    *,
    anew: bool,
    approve: bool,
    output: Output,
) -> None:
    """Goes on with an ensemble where its nodes ended.

    Args:
        folder: the ensemble's folder.
        options: settings that change, for example raised caps; caps are of all nodes together.
        assignments: single settings, as ``--set`` takes them.
        anew: whether nodes that are lost begin anew.
        approve: whether a person was to be asked before each evaluation, which ensembles cannot do.
        output: where the words go.

    Raises:
        UsageError: a task has changed, a setting cannot change, or the folder does not hold what it should.
        SpeciateError: no node could go on.
        typer.Exit: a node failed.
    """
    if approve:
        raise UsageError("--approve asks for one run at a time: an ensemble's nodes would all ask at once")
    source, recorded = read_ensemble(folder)
    if source is None:
        raise TaskError(
            "this ensemble's task was built in Python: call resume_ensemble of speciate.ensembles"
        )
    task = load_task(source, recorded.task.parameters)
    names = [member.name for member in members_of(recorded)]
    given = caps_named([*options, *layers_given([], assignments=assignments)])

    def override(config: RunConfig) -> RunConfig:
        changed = resumed_settings(config, options=options, assignments=assignments)
        return compose([{"budget": divided(changed.budget, given, len(names))}], base=changed)

    override(recorded)  # what cannot change is told first
    check_nodes(folder, source, recorded)
    if not anew:
        check_lost(folder, recorded)
    with open_histories(folder, recorded, none=True) as histories:
        tallies = {name: Tally.after(history) for name, history in histories.items()}
        missing = missing_nodes(folder, recorded, histories)
        played = not missing and all(map(_played, histories.values()))
    if played:
        # A session would only count its own start as time of the run.
        output.remark(f"All nodes of {folder} have played their rounds: there is nothing left to do")
        finish_ensemble(Ensemble(recorded, (), folder), task, folder, output)
        return
    output.remark(f"Going on with {task.name} in {folder}: {len(names)} nodes")
    for line in missing_words(missing):
        output.remark(f"{line}: it begins now")

    def evolving(watch: Watch) -> Ensemble:
        return resume_ensemble(folder, overrides=override, watch=watch, signals=True)

    _session(evolving, task, recorded, folder, tallies, output)


def _played(history: RunHistory) -> bool:
    """Whether a node's last session ended with its last round."""
    sessions = history.reader.sessions()
    return bool(sessions) and sessions[-1].stop_reason == LAST_ROUND


def composed(
    name: str, wishes: Wishes, below: Sequence[Layer], over: Sequence[Layer], sets: Sequence[Layer]
) -> tuple[Task, RunConfig]:
    """Returns the task and the settings of all nodes: who sits where, for how many rounds, which caps.

    Args:
        name: a problem or a task folder.
        wishes: who sits where.
        below: settings of a preset.
        over: settings from options and a file.
        sets: single settings, over all else.

    Raises:
        UsageError: the task or the settings have to be mended first.
    """
    first = compose([*below, *over, *map(_without_nodes, sets)])
    task = load_task(name, first.task.parameters)
    seated: Layer = {"ensemble": {"nodes": seats(wishes, first.models, task)}}
    lowest: list[Layer] = []
    if not over_task_defaults(first, task).ensemble.rounds:
        lowest.append({"ensemble": {"rounds": ROUNDS, "iterations": ITERATIONS}})
    if wishes.seats_named:  # then who sits where is said more loudly than in a file
        layers = [*lowest, *below, *over, seated, *sets]
    else:
        layers = [*lowest, seated, *below, *over, *sets]
    config = compose(layers)
    if not config.ensemble.nodes:
        raise ConfigError("an ensemble needs nodes: name models by --model, or say how many by --nodes")
    shares = divided(config.budget, caps_named([*over, *sets]), len(config.ensemble.nodes))
    # A task's or preset's cap on candidates is that of one run: here the rounds are bound enough.
    config = compose([*layers, {"budget": {"candidates": None, **shares}}])
    complete = over_task_defaults(config, task)
    for member in members_of(complete):
        own = load_task(name, member.config.task.parameters)
        check_parts(own, over_task_defaults(member.config, own))
    return task, config


def _without_nodes(layer: Layer) -> Layer:
    """Returns a layer without settings of single nodes, which only make sense over all of them."""
    rules = layer.get("ensemble")
    if not isinstance(rules, Mapping):
        return layer
    return {**layer, "ensemble": {name: value for name, value in rules.items() if name != "nodes"}}


def _to_begin_with(rules: EnsembleConfig) -> str:
    """Returns what a node proposes besides its rounds' iterations."""
    if not rules.initial:
        return ""
    return f" (and {rules.initial} more to begin {'each' if rules.archives == 'round' else 'with'})"


def _opening(name: str, task: Task, config: RunConfig, folder: Path) -> list[str]:
    complete = over_task_defaults(config, task)
    rules, members = complete.ensemble, members_of(complete)
    lines = [
        f"Evolving {task.name} in {folder}: {len(members)} nodes, {rules.rounds} rounds of "
        f"{rules.iterations} proposals{_to_begin_with(rules)}, links {rules.topology.kind}, "
        f"{rules.clock} clock"
    ]
    lines += [f"  {member.name}: {who_proposes(task, member.config)}" for member in members]
    if not any(is_model(spec) for member in members for spec in member.config.models):
        alike = len({member.config.models for member in members}) == 1
        lines.append(
            "No model is named: the nodes are told apart by their seeds alone"
            if alike
            else "No model is named: proposals need none"
        )
    models = tuple(dict.fromkeys(spec for member in members for spec in member.config.models))
    return lines + opening_remarks(name, task, complete.model_copy(update={"models": models}), folder)


def _session(
    evolving: Callable[[Watch], Ensemble],
    task: Task,
    config: RunConfig,
    folder: Path,
    tallies: Mapping[str, Tally],
    output: Output,
) -> None:
    """Runs one session of an ensemble and tells how it ended."""
    complete = over_task_defaults(config, task)
    members = {member.name: member for member in members_of(complete)}
    counted = {name: tallies.get(name) or Tally() for name in members}
    answers = {name: Answers() for name in members}
    notice = StopNotice()
    width = max(map(len, members))

    def watch(name: str) -> Sequence[Observer]:
        return [counted[name], answers[name], notice]

    def lines() -> list[str]:
        return [
            f"{name:<{width}}  {node_line(counted[name], task.objectives[0], member.config)}"
            for name, member in members.items()
        ]

    with resumable(folder):
        if output.quiet:
            ensemble = evolving(watch)
        else:
            with shown_lines(lines, live=sys.stderr.isatty()):
                ensemble = evolving(watch)
        for name, heard in answers.items():
            for line in heard.silent():
                output.say(f"{name}: {line}")
        finish_ensemble(ensemble, task, folder, output)
    mute = [
        name
        for name, heard in answers.items()
        if heard.none and all(map(is_model, members[name].config.models))
    ]
    if mute or any(end.error is not None for end in ensemble.nodes):
        raise typer.Exit(BROKEN)
