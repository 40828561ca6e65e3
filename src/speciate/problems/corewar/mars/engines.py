"""Which simulator fights: the C extension, the kernel compiled by numba, or the kernel as it is.

All give the same counts. The fastest one that works is taken; the environment variable ``SPECIATE_MARS``
names another. Nothing is imported or compiled before the first battle.

The extension is reached through ``native.py``: ``fight(batch, rules, threads) -> Counts`` and ``status() ->
str``, one clause for people. Importing it raises ImportError where the extension was not built or fails its
self-test.
"""

from __future__ import annotations

import gc
import itertools
import logging
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final, Literal, cast, get_args

from speciate.errors import ConfigError, MissingExtraError, UsageError, nearest
from speciate.problems.corewar.instructions import EMPTY
from speciate.problems.corewar.mars import state
from speciate.problems.corewar.mars.batch import Batch, Counts, Rules, check, pack
from speciate.problems.corewar.mars.machine import COVERED, VERDICT, Law
from speciate.problems.corewar.mars.rounds import PLAIN, Kernel
from speciate.problems.corewar.warrior import Warrior

EngineName = Literal["c", "numba", "python"]
VARIABLE: Final = "SPECIATE_MARS"
"""Environment variable that names the engine to use."""

_NATIVE: Final = f"{__package__}.native"
_LOGGER: Final = logging.getLogger(__name__)
MOST_THREADS: Final = 256
"""Most battles fought at once."""
_CHUNK: Final = 5_000_000
"""Instructions between two looks at signals, about 50 ms compiled."""
_COMPILING: Final = threading.Lock()
"""Threads that evaluate candidates ask for the kernel all at once; one compiles it and the others wait."""
_VARIANTS: Final = {VERDICT: "bare", COVERED: "covered"}
"""Which kernel of `compiled.py` counts what is asked for, where there are no limits."""
_PATIENCE: Final = 1.5
"""Seconds after which somebody who waits for the compiler is told why."""

Fight = Callable[[Batch, Rules, int], Counts]
"""Fights a checked batch under the rules, in so many threads."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A simulator that is ready to fight.

    Attributes:
        name: which one.
        fight: what it does.
        status: what it says of itself, one clause.
    """

    name: EngineName
    fight: Fight
    status: Callable[[], str]


def run(batch: Batch, rules: Rules, *, threads: int = 1, engine: EngineName | None = None) -> Counts:
    """Fights all battles of the batch.

    Args:
        batch: the battles.
        rules: the rules they share.
        threads: how many battles are fought at once; the interpreted engine takes no notice. The counts do
            not depend on it.
        engine: which simulator; None takes the best (see `chosen`).

    Returns:
        The counts, (battles, rounds, seats) each.

    Raises:
        ValueError: the batch is malformed.
        UsageError: the engine that is asked for is not here.
    """
    if not 1 <= threads <= MOST_THREADS:
        raise UsageError(f"threads is {threads}; expected 1 to {MOST_THREADS}")
    check(batch, rules)
    name = engine or chosen()
    if name == "python" and not (engine or os.environ.get(VARIABLE)):
        _say_once("battles are interpreted, which is some 200 times slower than with 'speciate[numba]'")
    return load(name).fight(batch, rules, threads)


def chosen() -> EngineName:
    """Returns the engine that is used where none is named: ``SPECIATE_MARS``, or the fastest that is here.

    Raises:
        ConfigError: the variable names no engine.
    """
    named = os.environ.get(VARIABLE, "")
    if not named:
        return next(name for name in get_args(EngineName) if _absence(name) is None)
    if named not in get_args(EngineName):
        known = get_args(EngineName)
        raise ConfigError(
            f"{VARIABLE} is {named!r}; expected one of {', '.join(known)}{nearest(named, known)}"
        )
    return cast(EngineName, named)


def check_named() -> None:
    """Checks that the engine that ``SPECIATE_MARS`` names is here. Does nothing where it names none.

    Raises:
        UsageError: it is not, or there is no such engine.
    """
    if os.environ.get(VARIABLE):
        load(chosen())


def available() -> tuple[EngineName, ...]:
    """Returns the engines that work here, fastest first. The interpreted one always does."""
    return tuple(name for name in get_args(EngineName) if _absence(name) is None)


@cache
def _absence(name: EngineName) -> str | None:
    """Returns why an engine is not here, or None if it is."""
    modules = {"c": _NATIVE, "numba": "numba"}
    if name not in modules:
        return None
    try:
        with _uncollected():
            import_module(modules[name])
    except ImportError as error:
        return str(error)
    return None


def describe() -> str:
    """Returns one line for people: which engine fights, and why none of the faster ones does."""
    engine = load(chosen())
    reason = f" (named by {VARIABLE})" if os.environ.get(VARIABLE) else ""
    faster = itertools.takewhile(lambda name: name != engine.name, get_args(EngineName))
    absent = [f"no {name}: {why}" for name in faster if (why := _absence(name)) is not None]
    return f"{engine.name}{reason}: {'; '.join([engine.status(), *absent])}"


@cache
def load(name: EngineName) -> Engine:
    """Returns the engine.

    Raises:
        MissingExtraError: numba is asked for and absent.
        UsageError: the C extension is asked for and was not built, or there is no such engine.
    """
    if name not in get_args(EngineName):
        known = get_args(EngineName)
        raise UsageError(f"there is no simulator {name!r}{nearest(name, known)} (known: {', '.join(known)})")
    why = _absence(name)
    if why is not None and name == "numba":
        raise MissingExtraError("the compiled simulator", "numba")
    if why is not None:
        raise UsageError(f"the simulator in C is not here ({why}); unset {VARIABLE} to use another")
    if name == "c":
        native = import_module(_NATIVE)
        return Engine("c", native.fight, lambda: native.status())
    if name == "numba":
        return Engine("numba", _fight_compiled, lambda: "the kernel, compiled")
    return Engine(
        "python", _fight_plain, lambda: "the kernel, interpreted, some 200 times slower than compiled"
    )


def _fight_plain(batch: Batch, rules: Rules, threads: int) -> Counts:
    """Fights in the interpreter, where threads would only wait for each other."""
    return _fight(PLAIN, batch, rules, 1)


@cache
def _say_once(message: str) -> None:
    """Tells people a thing once a process."""
    _LOGGER.warning(message)


def _fight_compiled(batch: Batch, rules: Rules, threads: int) -> Counts:
    return _fight(compiled_kernel(state.law(rules)), batch, rules, threads)


def compiled_kernel(law: Law) -> Kernel:
    """Returns a kernel for these rules, compiled or loaded from numba's cache."""
    variant = "whole" if law.limited else _VARIANTS.get(law.counting, "whole")
    with _COMPILING:
        return _compiled(variant)


@cache
def _compiled(variant: str) -> Kernel:
    """Returns a kernel of `compiled.py`, ready to run. Somebody who has to wait for it is told why."""
    note = "waiting for numba; to compile the simulator takes some seconds, once"
    timer = threading.Timer(_PATIENCE, _LOGGER.warning, (note,))
    timer.daemon = True
    timer.start()
    try:
        with _uncollected():
            kernel = cast(Kernel, import_module(f"{__package__}.compiled").compiled(variant))
            _fight(kernel, *_trial(), 1)
    finally:
        timer.cancel()
    return kernel


@contextmanager
def _uncollected() -> Iterator[None]:
    """Leaves cycles of objects uncollected meanwhile.

    numba and what it imports make several hundred thousand objects to stay; to look through them again and
    again would be a sixth of the time until the first battle.
    """
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collected:
            gc.enable()


def _trial() -> tuple[Batch, Rules]:
    """Returns the shortest battle there is."""
    rules = Rules(core_size=1, cycles=1, processes=1, pspace=1, read_limit=1, write_limit=1)
    return pack([Warrior((EMPTY,))], [[0]], [[[0]]], rules), rules


def _fight(kernel: Kernel, batch: Batch, rules: Rules, threads: int) -> Counts:
    """Fights all battles, some at a time, so that the interpreter sees signals in between."""
    counts = Counts.empty(batch.shape)
    battles, rounds, seats = batch.shape
    law, fights, tally = state.law(rules), state.fights(batch, plain=kernel.plain), state.tally(counts)
    few_rounds = max(1, _CHUNK // max(1, seats * rules.cycles))
    few = max(1, min(few_rounds // max(1, rounds), battles // (4 * threads)))
    step = rounds if few > 1 else few_rounds
    starts, lock, stop = iter(range(0, battles, few)), threading.Lock(), threading.Event()

    def take() -> int | None:
        with lock:
            return next(starts, None)

    def work() -> None:
        machine = state.machine(law, seats, plain=kernel.plain)
        for first in iter(take, None):
            for begin in range(0, rounds, step):
                if stop.is_set():
                    return
                end, until = min(first + few, battles), min(begin + step, rounds)
                kernel.run(machine, law, fights, tally, first, end, begin, until)

    _in_threads(work, min(threads, battles), stop)
    return counts


def _in_threads(work: Callable[[], None], threads: int, stop: threading.Event) -> None:
    """Does the work in so many threads, and sets `stop` when one of them fails or the user interrupts."""
    if threads <= 1:
        return work()
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(work) for _ in range(threads)]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            stop.set()
    for future in futures:
        future.result()
    return None
