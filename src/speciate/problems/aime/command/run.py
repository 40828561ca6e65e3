"""What ``speciate transfer`` does. Heavy: imported as the command runs."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from speciate.errors import UsageError
from speciate.problems.aime.problems import read_problems, source
from speciate.problems.aime.task import AGENTS, agent_source, load
from speciate.problems.aime.transfer import Measuring, Transfer, measure_transfer
from speciate.records import Program


def run_transfer(
    agents: Sequence[str], models: Sequence[str], years: Sequence[int], how: Measuring, *, as_json: bool
) -> None:
    """Measures and prints; what is not named is taken from the problem's own defaults.

    Raises:
        UsageError: an agent's file cannot be read, or years and problems do not fit.
        BudgetExceededError: a cap has no room for the next call.
    """
    own = load({**how.parameters, "heldout": []})
    asked = tuple(dict.fromkeys(models)) or (str(own.spec.parameters["model"]),)
    known = sorted({problem.year for problem in read_problems(source(own.context.settings))})
    programs = {name: Program.of({own.initial.entry: _source(name)}) for name in (agents or tuple(AGENTS))}
    found = asyncio.run(measure_transfer(programs, asked, tuple(dict.fromkeys(years)) or known, how))
    print(*told(found), sep="\n", file=sys.stderr if as_json else sys.stdout)
    if as_json:
        print(json.dumps(as_object(found), allow_nan=False))


def told(found: Transfer) -> list[str]:
    """Returns the tables in Markdown, and what they rest on."""
    tables = (found.by_year(), found.by_model(), found.by_agent())
    lines = [line for rows in tables for line in (*_markdown(rows), "")]
    cell = next(iter(found.cells.values()))
    lines.append(
        f"Right answers in {cell.repeats} runs of each problem; ± is half of a 95 % interval over problems."
    )
    if any(model.startswith("simulated:") for model in found.models):
        lines.append("Simulated characters answer by chance: this says nothing about any model.")
    return lines


def as_object(found: Transfer) -> dict[str, object]:
    """Returns everything measured as one JSON object."""
    cells = [
        {"agent": agent, "model": model, "year": year, **asdict(cell)}
        for (agent, model, year), cell in found.cells.items()
    ]
    return {"agents": found.agents, "models": found.models, "years": found.years, "cells": cells}


def _markdown(rows: list[list[str]]) -> list[str]:
    head, *body = rows
    rule = ["---", *("---:" for _ in head[1:])]
    return [f"| {' | '.join(row)} |" for row in (head, rule, *body)]


def _source(name: str) -> str:
    if name in AGENTS:
        return agent_source(name)
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        known = ", ".join(AGENTS)
        raise UsageError(f"{name!r} is no agent ({known}) and cannot be read: {error}") from None
