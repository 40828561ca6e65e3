"""Loads the problem with its parameters."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

from speciate.errors import ConfigError, TaskError, nearest
from speciate.problems.corewar.descriptors import MEASURES
from speciate.problems.corewar.evaluation import evaluate, most_opponents
from speciate.problems.corewar.mars import check_named
from speciate.problems.corewar.mars.selftest import EXPECTED
from speciate.problems.corewar.parameters import Conditions
from speciate.problems.corewar.prompts import redcode_grammar, redcode_prompts, warrior_reader
from speciate.problems.corewar.reading import read
from speciate.problems.corewar.redcode import RedcodeError
from speciate.problems.corewar.rosters import roster
from speciate.problems.corewar.scoring import generality
from speciate.problems.corewar.settings import Settings
from speciate.records import Context, Json, Program, text_hash
from speciate.tasks import Canonical, DescriptorSpec, SyntaxCheck, Task
from speciate.tasks import load_folder as load_task_folder

FOLDER = Path(__file__).parent


def load(parameters: Mapping[str, Json] | None = None) -> Task:
    """Returns the task. Called through the entry point ``corewar``.

    Args:
        parameters: replace those of task.toml, which describes them.

    Raises:
        TaskError: a parameter is unknown or has a value that makes no sense.
    """
    task = load_task_folder(FOLDER, parameters)
    given = task.spec.parameters
    conditions = Conditions.of(given)
    descriptors = _descriptors(conditions, given["edges"])
    opponents = roster("opponents", str(given["opponents"]), conditions.settings)
    room, rules = most_opponents(conditions), conditions.settings
    if room is not None and len(opponents) > room:
        raise TaskError(
            f"parameters.opponents: a core of {rules.core_size} cells has no room for {len(opponents)} "
            f"opponents and a warrior of up to {rules.max_length} instructions; protocol drq takes at most "
            f"{room} here, protocol survival any number, in pairs"
        )
    heldout = roster("heldout", str(given["heldout"]), conditions.settings)
    return replace(
        task,
        spec=task.spec.model_copy(update={"descriptors": descriptors}),
        trusted=evaluate,
        context=Context(
            opponents=tuple(Program.of({task.initial.entry: source}) for source in opponents),
            settings=conditions.json(),
        ),
        syntax=_syntax(conditions.settings),
        canonical=_canonical(conditions.settings),
        scored_by=_scored_by(),
        ready=check_named,
        prompts=redcode_prompts(conditions.settings),
        grammar=_grammar(given["grammar_lines"], conditions.settings),
        read_reply=warrior_reader(conditions.settings),
        generality=_generality(heldout, conditions),
        room=room,
    )


def _grammar(lines: Json, settings: Settings) -> str:
    assert isinstance(lines, int)  # a parameter keeps the type that task.toml gives it
    try:
        return redcode_grammar(settings, lines)
    except ConfigError as error:
        raise TaskError(f"parameters.grammar_lines is {lines}: {error}") from error


def _syntax(settings: Settings) -> SyntaxCheck:
    def check(program: Program) -> str | None:
        try:
            read(program.source, settings)
        except RedcodeError as error:
            return str(error)
        return None

    return check


@cache
def _scored_by() -> Mapping[str, str]:
    """Returns the identities of the rooms in which a score comes about.

    The simulator counts by what it does: its self-test has a known outcome, whichever engine fights.
    Assembler and protocols, which have no such test, count by their text.
    """
    texts = {
        room: "".join(file.read_text("utf-8") for file in sorted((FOLDER / room).glob("*.py")))
        for room in ("redcode", "scoring")
    }
    return {"simulator": EXPECTED, **{room: text_hash(text) for room, text in texts.items()}}


def _canonical(settings: Settings) -> Canonical:
    """Returns what reads a warrior as what is loaded into the core: instructions, start and PIN.

    Name, author, comments, labels and layout decide nothing. PIN stays although most code reads no P-space: a
    warrior may come to execute instructions of another one.
    """

    def load_file(program: Program) -> str | None:
        try:
            return read(program.source, settings).listing()
        except RedcodeError:
            return None

    return load_file


def _descriptors(conditions: Conditions, edges: Json) -> tuple[DescriptorSpec, ...]:
    """Returns the axes with their edges: the given ones, else those that suit the rules."""
    assert isinstance(edges, dict)
    for name in edges:
        if name not in conditions.axes:
            raise TaskError(
                f"parameters.edges.{name}: this is none of the axes{nearest(name, conditions.axes)}"
            )
    return tuple(
        DescriptorSpec(
            name=axis,
            edges=_edges(axis, edges[axis])
            if axis in edges
            else MEASURES[axis].edges_for(conditions.settings),
        )
        for axis in conditions.axes
    )


def _edges(axis: str, value: Json) -> tuple[float, ...]:
    numbers = value if isinstance(value, list) else []
    edges = [
        float(edge)
        for edge in numbers
        if isinstance(edge, int | float) and not isinstance(edge, bool) and abs(edge) <= sys.float_info.max
    ]
    increasing = all(low < high for low, high in pairwise(edges))
    if not edges or len(edges) < len(numbers) or not increasing:
        raise TaskError(f"parameters.edges.{axis} is {value!r}; expected a list of increasing numbers")
    return tuple(edges)


def _generality(rivals: tuple[str, ...], conditions: Conditions) -> Callable[[Program], float] | None:
    """Returns what measures a champion against warriors that the search never meets, or None without any."""
    if not rivals:
        return None
    settings = conditions.settings
    opponents = tuple(read(source, settings) for source in rivals)

    def measure(program: Program) -> float:
        warrior = read(program.source, settings)
        return generality(warrior, opponents, settings, settings.rounds, conditions.seed).share

    return measure
