"""Every conformance vector on every engine that is here. The oracle was pMARS; see the data's README."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from speciate.problems.corewar import Settings, Warrior, assemble, battle, run_state
from speciate.problems.corewar.mars import Counting, EngineName, Rules, Stepper, available, engines, state

DATA = Path(__file__).parents[1] / "data"
Vector = dict[str, Any]  # as JSON has it

FEW = 50_000
"""Instructions that the interpreted engine may need for one vector here."""


def read(name: str) -> list[Vector]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]


def settings(vector: Vector) -> Settings:
    opts = vector["opts"]
    return Settings(
        core_size=opts["s"],
        cycles=opts["c"],
        processes=opts["p"],
        max_length=opts["l"],
        min_distance=opts["d"],
        pspace_size=opts.get("S"),
        read_limit=opts.get("R"),
        write_limit=opts.get("W"),
    )


@cache
def assembled(source: str, rules: Settings) -> Warrior:
    return assemble(source, rules)


def company(vector: Vector) -> list[Warrior]:
    return [assembled(source, settings(vector)) for source in vector["warriors"]]


BATTLES = [*read("battles"), *read("rwlimits")]
STATES = read("states")


def longest(vector: Vector) -> int:
    return int(vector["opts"]["c"] * vector["opts"]["r"] * len(vector["warriors"]))


def test_no_vector_is_missing() -> None:
    assert (len(BATTLES), len(STATES)) == (159, 36)
    assert sum(longest(vector) <= FEW for vector in BATTLES) > 40


@pytest.mark.parametrize("statistics", ["verdict", "full"])
@pytest.mark.parametrize("engine", available())
def test_battles_end_as_in_pmars(engine: EngineName, statistics: Counting) -> None:
    vectors = [vector for vector in BATTLES if engine != "python" or longest(vector) <= FEW]
    wrong = [vector["id"] for vector in vectors if fought(vector, engine, statistics) != vector["result"]]
    assert wrong == []


def fought(vector: Vector, engine: EngineName, statistics: Counting) -> list[list[int]]:
    positions: list[list[int]] = vector["positions"]
    result = battle(company(vector), settings(vector), positions, statistics=statistics, engine=engine)
    return result.results


@pytest.mark.parametrize("vector", STATES, ids=lambda vector: vector["id"])
def test_the_core_is_as_in_pmars(vector: Vector) -> None:
    found = run_state(company(vector), settings(vector), vector["positions"], vector["after"])
    assert hashlib.sha256(found.listing().encode()).hexdigest() == vector["core_sha256"]
    assert found.next_warrior == vector["next_warrior"]
    assert found.procs == vector["procs"]
    assert found.next_pc == vector["next_pc"]


def test_the_compiled_kernel_leaves_the_core_as_in_pmars() -> None:
    for vector in STATES:
        rules = Rules.of(settings(vector))
        kernel = engines.compiled_kernel(state.law(rules))
        stepper = Stepper(company(vector), vector["positions"][0], rules, kernel=kernel)
        stepper.advance(vector["after"])
        listing = stepper.state().listing()
        assert hashlib.sha256(listing.encode()).hexdigest() == vector["core_sha256"], vector["id"]
