"""A tiny task, and models that answer it, for tests of whole runs: thousands of evaluations a second.

A candidate is a list of assignments that sets two knobs, ``x`` and ``y``. It is data: a small interpreter
here reads it, so the task is ``trusted`` and nothing runs.
"""

from __future__ import annotations

import ast
import json
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from speciate.records import Context, Direction, Json, Program
from speciate.tasks import DescriptorSpec, ObjectiveSpec, Task, task_from_functions

INITIAL = """\
NAME = "knobs"
# EVOLVE-BLOCK-START
x = 4.5
y = -3.25
# EVOLVE-BLOCK-END
"""

PRIVATE = "hidden_gauge"
"""Name of the private metric of every candidate."""

FARTHEST = 6.0
"""Knobs beyond this are invalid."""

_OPERATIONS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def knobs_program(x: float | str, y: float | str) -> Program:
    """Returns the program that sets the knobs to two numbers or expressions."""
    text = INITIAL.replace("x = 4.5", f"x = {x}").replace("y = -3.25", f"y = {y}")
    return Program.of({"initial.py": text})


def knobs_task(
    *,
    direction: Direction = "maximize",
    objectives: int = 1,
    descriptors: Sequence[DescriptorSpec] = (),
    initial: str = INITIAL,
    success: float | None = None,
    opponents: Sequence[Program] = (),
) -> Task:
    """Returns the task: bring ``x`` to 1 and ``y`` to 2, and keep away from the opponents.

    A setting ``shift`` of the context moves where candidates lie in behaviour space.

    Args:
        direction: ``maximize`` counts closeness, which is negative; ``minimize`` counts the distance.
        objectives: 1, or 2 to count the distances of ``x`` and ``y`` apart.
        descriptors: axes named ``x`` and ``y``, if any.
        initial: text of the initial program.
        success: value of the first objective at which a run may stop, or None.
        opponents: opponents of epoch 0.
    """
    names = ["far"] if objectives == 1 else ["far_x", "far_y"]
    sign = 1.0 if direction == "minimize" else -1.0

    # A function of its own source, so that the identity of the scoring is known.
    def score(program: Program, context: Context) -> dict[str, Json]:
        return _score(program, context, names, sign, [axis.name for axis in descriptors])

    return task_from_functions(
        name="knobs",
        initial=Program.of({"initial.py": initial}),
        score=score,  # type: ignore[arg-type]  # evaluators take dictionaries of `results` too
        objectives=[ObjectiveSpec(name=name, direction=direction) for name in names],
        descriptors=descriptors,
        success=success,
        opponents=opponents,
        description="Turn two knobs.",
    )


def company(task: Task) -> Task:
    """Returns a task that says its scores depend on the opponents."""
    evaluation = task.spec.evaluation.model_copy(update={"company": True})
    return replace(task, spec=task.spec.model_copy(update={"evaluation": evaluation}))


def axes(bins: int = 4) -> tuple[DescriptorSpec, DescriptorSpec]:
    """Returns the descriptors ``x`` and ``y``."""
    span = (-FARTHEST, FARTHEST)
    return DescriptorSpec(name="x", range=span, bins=bins), DescriptorSpec(name="y", range=span, bins=bins)


def _score(
    program: Program, context: Context, names: Sequence[str], sign: float, axes_named: Sequence[str]
) -> dict[str, Json]:
    x, y = read_knobs(program)
    shift = context.settings.get("shift", 0.0)
    assert isinstance(shift, float)
    crowding = sum(1.0 / (0.1 + abs(x - read_knobs(rival)[0])) for rival in context.opponents)
    far = [(x - 1) ** 2 + crowding, (y - 2) ** 2]
    values = [sum(far)] if len(names) == 1 else far
    here: Mapping[str, float] = {"x": x + shift, "y": y}
    return {
        "objectives": {name: sign * value for name, value in zip(names, values, strict=True)},
        "public": {"x": x, "y": y},
        "private": {PRIVATE: x - y + 0.123456789},  # a number that cannot be met by chance
        "descriptor": {name: here[name] for name in axes_named},
    }


def read_knobs(program: Program) -> tuple[float, float]:
    """Returns where a program sets its knobs.

    Raises:
        ValueError: it does something else than arithmetic, leaves a knob unset, or turns one too far.
    """
    values: dict[str, float] = {}
    for statement in ast.parse(program.source).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="NAME")]):
                continue
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                values[name] = _number(value, values)
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                values[name] = _apply(op, _number(ast.Name(name), values), _number(value, values))
            case _:
                raise ValueError(f"only assignments are understood, not {ast.unparse(statement)}")
    if not {"x", "y"} <= set(values):
        raise ValueError("x and y must both be set")
    if not all(abs(values[knob]) <= FARTHEST for knob in ("x", "y")):
        raise ValueError(f"knobs go up to {FARTHEST}")
    return values["x"], values["y"]


def _number(node: ast.expr, values: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.Name(id=name) if name in values:
            return values[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand, values)
        case ast.BinOp(left=left, op=op, right=right):
            return _apply(op, _number(left, values), _number(right, values))
        case _:
            raise ValueError(f"only arithmetic is understood, not {ast.unparse(node)}")


def _apply(op: ast.operator, left: float, right: float) -> float:
    operation = _OPERATIONS.get(type(op))
    if operation is None or (isinstance(op, ast.Div) and right == 0):
        raise ValueError("only + - * / are understood, and nothing is divided by 0")
    return operation(left, right)


def full_reply(x: float | str, y: float | str) -> str:
    """Returns an answer that rewrites the program whole."""
    return f"Summary: knobs at {x} and {y}\n\n```python\n{knobs_program(x, y).source}```\n"


def diff_reply(line: str) -> str:
    """Returns an answer that puts `line` at the end of the block; it applies to every program once."""
    mark = "# EVOLVE-BLOCK-END"
    replaced = f"{line}\n{mark}"
    return f"Summary: {line}\n\n<<<<<<< SEARCH\n{mark}\n=======\n{replaced}\n>>>>>>> REPLACE\n"


def write_script(path: Path, *, delays: Sequence[float] = (0.0,)) -> str:
    """Writes a script of good, bad and failing replies to `path`; returns the model's spec.

    The same question gets the same answer, also after a restart, whatever else was asked.

    Args:
        path: a file ending in ``.jsonl``.
        delays: seconds that replies take, in turn.
    """
    good = [
        *(full_reply(x, y) for x in (-2.5, 0.5, 1.0, 3.75) for y in (-1.5, 0.25, 2.0)),
        *map(diff_reply, ("x = x * 0.5", "y = y + 0.75", "x = x - 0.125\ny = 1.5", "y = 9.0", "x = y")),
    ]
    bad = [
        "I would rather not.",  # no program
        "```python\nx = \n```",  # broken syntax
        full_reply(1.0, 2.0).replace('NAME = "knobs"', 'NAME = "mine"'),  # immutable text
        diff_reply("x = 1.0").replace("SEARCH\n#", "SEARCH\nnot here\n#"),  # matches nowhere
        full_reply("x.real", 1.0),  # not valid
        "",
    ]
    lines: list[dict[str, Json]] = [{"reply": text} for text in (*good, *bad)]
    lines += [{"error": "refused", "reply": "no"}, {"error": "unavailable", "reply": "busy"}]
    timed = [{**line, "delay": delays[number % len(delays)]} for number, line in enumerate(lines)]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in timed))
    return f"scripted:{path}?choose=hash"
