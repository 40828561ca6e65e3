from __future__ import annotations

import gc
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import get_args

import numpy as np
import pytest

from speciate.errors import ConfigError, MissingExtraError, UsageError
from speciate.problems.corewar.mars import (
    Counting,
    Counts,
    EngineName,
    Rules,
    available,
    chosen,
    describe,
    engines,
    pack,
    run,
    state,
)
from speciate.testing.battles import random_batches, random_warrior

FASTER: tuple[EngineName, ...] = tuple(name for name in available() if name != "python")


def flat(counts: Counts) -> list[object]:
    arrays = (counts.alive, counts.lifetime, counts.spawned, counts.covered, counts.written)
    return [array.tolist() for array in arrays]


def test_the_tests_cover_the_compiled_kernel() -> None:
    assert {"numba", "python"} <= set(available())


@pytest.mark.parametrize("engine", FASTER)
@pytest.mark.parametrize("counting", get_args(Counting))
def test_all_engines_count_the_same(engine: EngineName, counting: Counting) -> None:
    rng = np.random.default_rng(11)
    for batch, rules in random_batches(rng, 100, counting=counting):
        expected, got = run(batch, rules, engine="python"), run(batch, rules, engine=engine)
        assert flat(got) == flat(expected), (batch, rules)


@pytest.mark.parametrize("engine", FASTER)
def test_all_engines_count_the_same_in_the_largest_core(engine: EngineName) -> None:
    rng = np.random.default_rng(7)
    size, limit = 1 << 16, 1 << 12
    rules = Rules(
        core_size=size,
        cycles=400,
        processes=size,
        pspace=size,
        read_limit=limit,
        write_limit=2 * limit,
        counting="full",
    )
    warriors = [random_warrior(rng, size, 40) for _ in range(8)]
    for _ in range(3):
        positions = [rng.integers(size, size=8).tolist() for _ in range(2)]
        batch = pack(warriors, [list(range(8))], [positions], rules)
        assert flat(run(batch, rules, engine=engine)) == flat(run(batch, rules, engine="python"))


@pytest.mark.parametrize("engine", available())
def test_counts_do_not_depend_on_the_number_of_threads(engine: EngineName) -> None:
    rng = np.random.default_rng(3)
    for batch, rules in random_batches(rng, 5):
        one, three = (flat(run(batch, rules, threads=threads, engine=engine)) for threads in (1, 3))
        assert one == three


@pytest.mark.parametrize("engine", ["numba", "python"])
def test_a_long_battle_is_fought_in_pieces_and_keeps_its_pspace(
    engine: EngineName, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(17)
    battles = list(random_batches(rng, 10))
    whole = [flat(run(batch, rules, engine=engine)) for batch, rules in battles]
    monkeypatch.setattr(engines, "_CHUNK", 1)
    assert [flat(run(batch, rules, engine=engine)) for batch, rules in battles] == whole


def test_threads_that_start_together_compile_once() -> None:
    engines._compiled.cache_clear()
    law = state.law(next(random_batches(np.random.default_rng(1), 1))[1])
    with ThreadPoolExecutor(4) as pool:
        kernels = list(pool.map(engines.compiled_kernel, [law] * 4))
    assert len(set(map(id, kernels))) == 1


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Lets a test hide modules from the engines."""
    monkeypatch.delenv("SPECIATE_MARS", raising=False)
    caches = (engines._absence, engines.load, engines._say_once)
    for cached in caches:
        cached.cache_clear()
    yield monkeypatch
    for cached in caches:
        cached.cache_clear()


def hide(without: pytest.MonkeyPatch, *names: str) -> None:
    modules = {"c": f"{engines.__package__}.native", "numba": "numba"}
    for name in names:
        without.setitem(sys.modules, modules[name], None)


def test_without_c_and_numba_battles_are_interpreted_and_one_is_told(
    without: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hide(without, "c", "numba")
    assert chosen() == "python"
    for batch, rules in random_batches(np.random.default_rng(1), 3):
        run(batch, rules)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "speciate[numba]" in caplog.text
    assert "no c: " in describe()
    assert "no numba: " in describe()


def test_without_c_the_compiled_kernel_fights(without: pytest.MonkeyPatch) -> None:
    hide(without, "c")
    assert chosen() == "numba"


def test_the_variable_names_an_engine(without: pytest.MonkeyPatch) -> None:
    without.setenv("SPECIATE_MARS", "python")
    assert chosen() == "python"
    assert describe().startswith("python (named by SPECIATE_MARS)")
    without.setenv("SPECIATE_MARS", "nunba")
    with pytest.raises(ConfigError, match="did you mean 'numba'"):
        chosen()


def test_an_engine_that_is_not_here_is_refused_by_name(without: pytest.MonkeyPatch) -> None:
    hide(without, "c", "numba")
    batch, rules = next(random_batches(np.random.default_rng(1), 1))
    with pytest.raises(MissingExtraError, match=r"speciate\[numba\]"):
        run(batch, rules, engine="numba")
    with pytest.raises(UsageError, match="simulator in C is not here"):
        run(batch, rules, engine="c")
    with pytest.raises(UsageError, match="threads is 0"):
        run(batch, rules, threads=0)


def test_a_thread_that_fails_stops_the_others() -> None:
    done: list[int] = []
    stop = threading.Event()

    def work() -> None:
        done.append(1)
        if len(done) == 2:
            raise RuntimeError("broken")
        assert stop.wait(60)

    with pytest.raises(RuntimeError, match="broken"):
        engines._in_threads(work, 2, stop)
    assert stop.is_set()


def test_choosing_the_interpreter_imports_no_compiler() -> None:
    program = """
import sys
from speciate.problems.corewar import Settings, assemble, battle
battle([assemble("mov 0, 1", Settings(cycles=10))], Settings(cycles=10), engine="python")
print("numba" in sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


@pytest.mark.parametrize("collected", [True, False])
def test_a_failing_start_leaves_the_collector_of_cycles_as_it_was(collected: bool) -> None:
    def fail() -> None:
        assert not gc.isenabled()
        raise OSError("disk full")

    before = gc.isenabled()
    (gc.enable if collected else gc.disable)()
    try:
        with pytest.raises(OSError, match="disk"), engines._uncollected():
            fail()
        assert gc.isenabled() is collected
    finally:
        (gc.enable if before else gc.disable)()
