"""The C extension: vectors, hostile arguments, signals."""

import hashlib
import json
import signal
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from speciate.problems.corewar import Settings, Warrior, assemble
from speciate.problems.corewar.mars import engines, selftest
from speciate.problems.corewar.mars.batch import Batch, Counting, Rules, Stop, pack
from speciate.testing.mars import random_battle

native = pytest.importorskip("speciate.problems.corewar.mars.native", exc_type=ImportError)

DATA = Path(__file__).parent.parent / "data"
DISPATCHES = ("jumps", "switch")
WAYS: tuple[tuple[Stop, Counting], ...] = (
    ("verdict", "verdict"),
    ("one_left", "verdict"),
    ("one_left", "covered"),
    ("one_left", "full"),
)


def vectors(*names: str) -> list[dict[str, Any]]:
    return [json.loads(line) for name in names for line in (DATA / f"{name}.jsonl").read_text().splitlines()]


def prepared(vector: dict[str, Any], **rules: Any) -> tuple[Batch, Rules]:
    options = vector["opts"]
    settings = Settings(
        core_size=options["s"],
        cycles=options["c"],
        processes=options["p"],
        max_length=options["l"],
        min_distance=options["d"],
        pspace_size=options.get("S"),
        read_limit=options.get("R"),
        write_limit=options.get("W"),
    )
    warriors: list[Warrior] = [assemble(source, settings) for source in vector["warriors"]]
    found = Rules.of(settings, **rules)
    return pack(warriors, [range(len(warriors))], [vector["positions"]], found), found


def verdicts(alive: np.ndarray) -> list[list[int]]:
    """The counts of a vector's `result`, from (rounds, seats)."""
    seats, living = alive.shape[1], alive.sum(axis=1)
    survived = [[int((alive[living == k, i]).sum()) for k in range(1, seats + 1)] for i in range(seats)]
    if seats == 2:
        return survived
    return [[*counts, int((alive[:, i] == 0).sum())] for i, counts in enumerate(survived)]


@pytest.mark.parametrize("dispatch", DISPATCHES)
@pytest.mark.parametrize(("stop", "counting"), WAYS)
def test_battles_end_as_in_pmars(dispatch: str, stop: Stop, counting: Counting) -> None:
    for vector in vectors("battles", "rwlimits"):
        batch, rules = prepared(vector, stop=stop, counting=counting)
        alive = native.fight(batch, rules, dispatch=dispatch).alive[0]
        assert verdicts(alive.astype(int)) == vector["result"], vector["id"]


@pytest.mark.parametrize("dispatch", DISPATCHES)
@pytest.mark.parametrize("pairs", [False, True])
def test_the_core_is_as_in_pmars(dispatch: str, pairs: bool) -> None:
    for vector in vectors("states"):
        batch, rules = prepared(vector)
        core, seat, queues = native.core_after(batch, rules, vector["after"], pairs=pairs, dispatch=dispatch)
        listing = "".join(f"{cell.text()}\n" for cell in core)
        assert hashlib.sha256(listing.encode()).hexdigest() == vector["core_sha256"], vector["id"]
        assert [len(queue) for queue in queues] == vector["procs"]
        assert [queue[0] if queue else None for queue in queues] == vector["next_pc"]
        assert seat == vector["next_warrior"]


def test_the_self_test_expects_what_the_kernel_in_python_finds() -> None:
    kernel = engines.load("python")
    assert selftest.digest(lambda batch, rules: kernel.fight(batch, rules, 1)) == selftest.EXPECTED


@pytest.mark.parametrize("dispatch", DISPATCHES)
def test_both_dispatches_pass_the_self_test(dispatch: str) -> None:
    found = selftest.digest(lambda batch, rules: native.fight(batch, rules, dispatch=dispatch))
    assert found == selftest.EXPECTED


def test_an_extension_that_is_wrong_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selftest, "EXPECTED", "another")
    with pytest.raises(ImportError, match="self-test"):
        native._choose()


def test_the_status_names_compiler_and_dispatch() -> None:
    assert "C extension" in native.status()


def changed(batch: Batch, field: str, index: tuple[int, ...], value: int) -> Batch:
    array = getattr(batch, field).copy()
    array[index] = value
    return replace(batch, **{field: array})


@pytest.mark.parametrize(
    ("field", "index", "values"),
    [
        ("code", (0, 0), (-1, 19, 1 << 20)),
        ("code", (0, 1), (-1, 7)),
        ("code", (0, 2), (-1, 8)),
        ("code", (0, 4), (-1, 8)),
        ("code", (0, 3), (-1, 400)),
        ("code", (0, 5), (-1, 400)),
        ("offsets", (0,), (1, -1)),
        ("offsets", (1,), (-5, 0, 1 << 30)),
        ("starts", (0,), (-1, 400)),
        ("lineups", (0, 0), (-2, -1, 99)),
        ("positions", (0, 0, 0), (-1, 400)),
        ("pspaces", (0, 0), (-1, 64)),
    ],
)
def test_numbers_out_of_range_are_refused(
    field: str, index: tuple[int, ...], values: tuple[int, ...]
) -> None:
    batch, rules = random_battle(np.random.default_rng(3), core_size=400)
    for value in values:
        with pytest.raises(ValueError):
            native.fight(changed(batch, field, index, value), rules)


@pytest.mark.parametrize("field", ["code", "offsets", "starts", "lineups", "positions", "pspaces"])
def test_arrays_of_the_wrong_size_or_type_are_refused(field: str) -> None:
    batch, rules = random_battle(np.random.default_rng(3), core_size=400)
    sizes, arrays, law = native._arguments(batch, rules, "jumps")
    place = ["code", "offsets", "starts", "lineups", "positions", "pspaces"].index(field)
    results = [np.zeros(batch.shape, kind) for kind in ("u1", "i8", "i8", "i4", "i4")]
    whole = arrays[place]
    for wrong in (whole.ravel()[:-1].copy(), whole.astype(np.int64), whole.astype(np.float32), b"", None):
        given = (*arrays[:place], wrong, *arrays[place + 1 :])
        with pytest.raises((TypeError, ValueError)):
            native._mars.run(sizes, given, law, tuple(results), 1)


def test_results_of_the_wrong_size_are_refused() -> None:
    batch, rules = random_battle(np.random.default_rng(3), core_size=400)
    arguments = native._arguments(batch, rules, "jumps")
    right = [np.zeros(batch.shape, kind) for kind in ("u1", "i8", "i8", "i4", "i4")]
    for i, wrong in enumerate([np.zeros(1, np.uint8), *right[:4]]):
        results = (
            *right[:i],
            wrong if wrong.itemsize != right[i].itemsize else right[i][..., :-1],
            *right[i + 1 :],
        )
        with pytest.raises((ValueError, BufferError)):
            native._mars.run(*arguments, results, 1)


@pytest.mark.parametrize(
    "change",
    [
        {"core_size": 0},
        {"core_size": 65_537},
        {"cycles": 0},
        {"processes": 0},
        {"processes": 1 << 20},
        {"pspace": 0},
        {"pspace": 401},
        {"read_limit": 7},
        {"write_limit": 0},
    ],
)
def test_impossible_rules_are_refused(change: dict[str, Any]) -> None:
    batch, rules = random_battle(np.random.default_rng(3), core_size=400)
    with pytest.raises(ValueError):
        native.fight(batch, replace(rules, **change))


def test_a_wrong_number_of_threads_is_refused() -> None:
    batch, rules = random_battle(np.random.default_rng(3), core_size=400)
    for threads in (0, -1, 257):
        with pytest.raises(ValueError):
            native.fight(batch, rules, threads)


def test_no_battles_are_no_trouble() -> None:
    batch, rules = random_battle(np.random.default_rng(3), core_size=400)
    assert native.fight(batch.part(0, 0), rules, 4).alive.shape[0] == 0


class Interrupted(Exception):  # noqa: N818 (raised by a signal's handler, not an error)
    pass


@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_ends_a_battle_that_would_last_for_ages(threads: int) -> None:
    def handler(number: int, frame: FrameType | None) -> None:
        raise Interrupted

    settings = Settings(cycles=1 << 31)
    imps = [assemble("mov 0, 1", settings), assemble("jmp 0", settings)]
    rules = Rules.of(settings, stop="never")
    batch = pack(imps, [[0, 0], [1, 1]], [[[0, 4000]] * 20] * 2, rules)
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(Interrupted):
            native.fight(batch, rules, threads)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
