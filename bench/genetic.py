"""What the genetic operators reach: a bare search loop in one process, without engine, store and sandbox.

    python -m bench.genetic [--problem NAME] [--candidates N ...] [--seeds S] [--policy NAME] [--json FILE]

Prints the median and the range over seeds of the best score after each number of candidates, the share of
valid children, and the CPU time of a proposal. Candidates run in this process: our own operators make
them from the texts in `genetic_tasks`, no model does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import signal
import statistics
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType, ModuleType

import numpy as np
from bench.genetic_tasks import PROBLEMS, Problem
from bench.report import Report, Row, plain

from speciate.archives import EliteList
from speciate.mutation import Assignment
from speciate.mutation.genetic import GeneticConfig, GeneticProposer
from speciate.records import Choice, Entry, Member, Ordinal, Outcome, Program, Proposal, Result
from speciate.seeds import stream
from speciate.selection import BestOfN, HillClimb, ParentPolicy, Ranked, Uniform, Weighted
from speciate.testing.gateways import ScriptedGateway

POLICIES: dict[str, ParentPolicy] = {
    "weighted": Weighted(),
    "hill_climb": HillClimb(),
    "uniform": Uniform(),
    "best_of_n": BestOfN(),
}
CROSSOVER = 0.15
PATIENCE = 0.5
"""Seconds a candidate may run."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a search is done with."""

    problem: str
    candidates: int
    policy: str
    config: GeneticConfig


@dataclass(frozen=True, slots=True)
class Trace:
    """One search: the best score so far after each candidate, and what it took."""

    best: list[float]
    valid: float
    milliseconds: float
    source: str
    operators: dict[str, int]


@dataclass(slots=True)
class Search:
    """A running search over a list of 40 elites."""

    settings: Settings
    seed: int
    archive: EliteList = field(default_factory=lambda: EliteList(40))
    entries: dict[Ordinal, Entry] = field(default_factory=dict)
    offspring: dict[Ordinal, int] = field(default_factory=dict)

    @property
    def problem(self) -> Problem:
        return PROBLEMS[self.settings.problem]

    async def run(self) -> Trace:
        """Runs all candidates one after the other."""
        proposer = GeneticProposer(self.settings.config)
        curve: list[float] = []
        gains: dict[str, int] = {}
        spent, valid = 0.0, 0
        self.place(0, Proposal(self.problem.task.initial))
        for ordinal in range(1, self.settings.candidates + 1):
            assignment = self.assignment(ordinal)
            start = time.process_time()
            made = await proposer.propose(assignment)
            spent += time.process_time() - start
            if isinstance(made, Proposal):
                before = self.archive.ranked()[0].fitness[0]
                valid += self.place(ordinal, made)
                if self.archive.ranked()[0].fitness[0] > before:
                    name = made.summary.split(":")[0]
                    gains[name] = gains.get(name, 0) + 1
            curve.append(self.archive.ranked()[0].fitness[0])
        source = self.entries[self.archive.ranked()[0].ordinal].program.source
        count = self.settings.candidates
        return Trace(curve, valid / count, 1000 * spent / count, source, gains)

    def place(self, ordinal: Ordinal, proposal: Proposal) -> bool:
        """Scores a candidate and offers it to the archive; returns whether it is valid."""
        value = scored(self.problem, proposal.program)
        if value is None:
            return False
        placement = self.archive.add(Member(ordinal, (value,)))
        for gone in placement.evicted:
            del self.entries[gone]
        if placement.kept:
            outcome = Outcome(result=Result((value,)))
            self.entries[ordinal] = Entry(ordinal, proposal.program, outcome, proposal.traits)
        return True

    def assignment(self, ordinal: Ordinal) -> Assignment:
        """Chooses parents and operator."""
        rng = stream(self.seed, ordinal, "parent")
        occupants = [
            Ranked(m.ordinal, rank, m.fitness[0], self.offspring.get(m.ordinal, 0))
            for rank, m in enumerate(self.archive.ranked(), start=1)
        ]
        policy = POLICIES[self.settings.policy]
        crossing = len(occupants) > 1 and rng.random() < CROSSOVER
        parents = [policy.draw(occupants, rng) for _ in range(1 + crossing)]
        self.offspring[parents[0]] = self.offspring.get(parents[0], 0) + 1
        crossing = len(set(parents)) > 1
        operator = "crossover" if crossing else "mutate"
        return Assignment(
            task=self.problem.task,
            choice=Choice(ordinal, 0, ordinal, 0, operator, "genetic", tuple(parents)),
            parents=tuple(self.entries[p] for p in parents),
            inspirations=(),
            attempt=0,
            rejections=(),
            gateway=ScriptedGateway([]),
            random=partial(stream, self.seed, ordinal),
        )


def scored(problem: Problem, program: Program) -> float | None:
    """Runs and scores a candidate in this process; None if it fails in any way."""
    module = ModuleType("candidate")
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            exec(compile(program.source, "candidate", "exec"), module.__dict__)
            value = problem.score(module)
    except (Exception, TimeoutError):  # noqa: BLE001  a candidate may raise anything
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return value if isinstance(value, float) and math.isfinite(value) else None


def late(signum: int, frame: FrameType | None) -> None:
    raise TimeoutError


def one(settings: Settings, seed: int) -> Trace:
    """Runs one search in a worker process."""
    signal.signal(signal.SIGALRM, late)
    return asyncio.run(Search(settings, seed).run())


def run(*, quick: bool = False) -> Report:
    """Measures the default settings on every problem."""
    lengths, seeds = ((300,), 2) if quick else ((300, 2_000), 5)
    rows: list[Row] = []
    data = []
    with ProcessPoolExecutor(2) as pool:
        for problem in PROBLEMS:
            settings = Settings(problem, max(lengths), "weighted", GeneticConfig())
            traces = list(pool.map(partial(one, settings), range(seeds)))
            data += [_numbers(settings, traces, count) for count in lengths]
            rows += [plain(f"{problem}, {n:,}: best", (t.best[n - 1] for t in traces)) for n in lengths]
            rows.append(plain(f"{problem}: CPU a proposal", (t.milliseconds for t in traces), "ms"))
            rows.append(plain(f"{problem}: valid share", (t.valid for t in traces)))
    return Report("genetic", f"a bare search loop, weighted parents, {seeds} seeds", rows, data)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--problem", nargs="+", choices=PROBLEMS, default=list(PROBLEMS))
    parser.add_argument("--candidates", nargs="+", type=int, default=[300, 2000])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--policy", nargs="+", choices=POLICIES, default=["weighted"])
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--show", action="store_true", help="print the best program")
    args = parser.parse_args()
    config = GeneticConfig.model_validate(dict(pair.split("=", 1) for pair in args.set))
    rows = []
    with ProcessPoolExecutor(args.jobs) as pool:
        for problem in args.problem:
            for policy in args.policy:
                settings = Settings(problem, max(args.candidates), policy, config)
                traces = list(pool.map(partial(one, settings), range(args.seeds)))
                rows += [_row(settings, traces, count) for count in args.candidates]
                if args.show:
                    print(max(traces, key=lambda trace: trace.best[-1]).source)
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1))


def _row(settings: Settings, traces: list[Trace], count: int) -> dict[str, object]:
    """Prints one line and returns it as data."""
    numbers = _numbers(settings, traces, count)
    best = sorted(trace.best[count - 1] for trace in traces)
    print(
        f"{settings.problem:15} {settings.policy:10} {count:6} candidates: best {numbers['median']:8.4f} "
        f"[{best[0]:.4f}, {best[-1]:.4f}], valid {numbers['valid']:.2f}, "
        f"{numbers['milliseconds']:.2f} ms a proposal",
        numbers["improvements"],
        flush=True,
    )
    return numbers


def _numbers(settings: Settings, traces: list[Trace], count: int) -> dict[str, object]:
    """Returns what all seeds came to after so many candidates."""
    best = sorted(trace.best[count - 1] for trace in traces)
    gains: dict[str, int] = {}
    for trace in traces:
        for name, hits in trace.operators.items():
            gains[name] = gains.get(name, 0) + hits
    return {
        "problem": settings.problem,
        "policy": settings.policy,
        "candidates": count,
        "median": statistics.median(best),
        "best": best,
        "valid": statistics.mean(trace.valid for trace in traces),
        "milliseconds": statistics.median(trace.milliseconds for trace in traces),
        "improvements": dict(sorted(gains.items(), key=lambda item: -item[1])),
        "config": settings.config.model_dump(),
    }


if __name__ == "__main__":
    main()
