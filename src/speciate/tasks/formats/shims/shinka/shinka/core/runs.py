"""Repeated runs of a candidate's function, one after another or in worker processes."""

from __future__ import annotations

import importlib.util
import json
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MODULE = "program"
"""Name under which a candidate is imported."""


class MissingFunctionError(AttributeError):
    """The candidate has no function of the name that is run."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run: what it returned (Any: whatever the candidate returns), and its wall time."""

    result: Any
    seconds: float


@dataclass(frozen=True, slots=True)
class Plan:
    """What is run.

    Attributes:
        program: path of the candidate.
        function: name of its function.
        arguments: keyword arguments by number of the run. Any: whatever the script passes.
        count: number of runs.
    """

    program: str
    function: str
    arguments: Callable[[int], dict[str, Any]]
    count: int

    def function_of(self) -> Callable[..., Any]:
        """Loads the candidate and returns its function; raises whatever the candidate raises.

        Raises:
            MissingFunctionError: it has no such function.
        """
        found = vars(load_program(self.program)).get(self.function)
        if not callable(found):
            raise MissingFunctionError(f"the program has no function {self.function!r}")
        return found  # type: ignore[no-any-return]  # what the candidate's function returns is its affair


def load_program(program_path: str) -> Any:  # Any: attributes of the module are the candidate's
    """Returns a program: a Python file as a module, a JSON file as its value."""
    if program_path.endswith(".json"):
        return json.loads(Path(program_path).read_text(encoding="utf-8"))
    spec = importlib.util.spec_from_file_location(MODULE, program_path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{program_path} cannot be imported as a Python module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = module  # classes that the candidate defines have to be found when they are pickled
    spec.loader.exec_module(module)
    return module


def sequential(plan: Plan) -> Iterator[Run]:
    """Yields the runs, each made when it is asked for."""
    function = plan.function_of()
    for number in range(plan.count):
        yield _timed(function, plan.arguments(number))


def parallel(plan: Plan, workers: int) -> Iterator[Run]:
    """Yields the runs in order; `workers` processes make them at once.

    The candidate is loaded before they are forked: they find it loaded, and what they return is understood.

    Raises:
        RuntimeError: the candidate ended a worker.
    """
    plan.function_of()
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        numbers = range(plan.count)
        jobs = [pool.submit(_in_worker, plan.function, plan.arguments(number)) for number in numbers]
        try:
            yield from (job.result() for job in jobs)
        except BrokenProcessPool:
            raise RuntimeError(f'a worker process of "{plan.program}" ended before it had answered') from None


def _in_worker(function: str, arguments: dict[str, Any]) -> Run:
    return _timed(vars(sys.modules[MODULE])[function], arguments)


def _timed(function: Callable[..., Any], arguments: dict[str, Any]) -> Run:
    begun = time.perf_counter()
    result = function(**arguments)
    return Run(result, time.perf_counter() - begun)
