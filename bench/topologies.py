"""Does it pay to choose whom one listens to? Policies of exchange on Core War, by seeds and by bytes.

    python -m bench topologies [--quick]

Eight simulated nodes, two of each of the four genetic priors, on the rules `tiny`; 8 rounds, equal proposals
under every policy, the same seeds for all, which are compared pair by pair. All archives are scored again in
one company that no search has met, the built-in warriors of the roster `training`. The same on the cheap task
of `bench.simulate`, whose scores hang on no company, with eight nodes that differ by their seeds alone.

Two questions are asked of each policy against all-to-all: is its merged QD-Score greater
(two-sided signed-rank test, p < 0.05)? And does it reach all-to-all (not worse by more than `MARGIN` of it,
tested as a shift, p < 0.05 and in this direction) with at most a quarter of the bytes? Each question's tests
are corrected by Holm, those of the choices and those of loss and of no exchange at all apart.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from bench.report import Report, Row
from bench.simulate import numbers_task

from speciate.engine import RunConfig
from speciate.engine.settings import compose
from speciate.ensembles import Memo
from speciate.ensembles.simulate import Scenario, simulate
from speciate.ensembles.simulation import Weather
from speciate.records import Context, Json
from speciate.statistics import holm, signed_rank
from speciate.tasks import Task, load_task

NODES, ROUNDS, ITERATIONS, SEEDS = 8, 8, 4, 20
BATTLES = 3
"""Battles of one evaluation."""
MARGIN = 0.02
"""A policy reaches all-to-all if it is not worse by more than this share of its QD-Score."""
BYTES, LEVEL = 0.25, 0.05
ALL = "all"


@dataclass(frozen=True, slots=True)
class Policy:
    """One way to exchange champions.

    Attributes:
        name: in tables.
        topology: settings `ensemble.topology`.
        sharing: settings `ensemble.sharing`.
        loss: share of announcements that are lost.
    """

    name: str
    topology: dict[str, Json]
    sharing: dict[str, Json]
    loss: float = 0.0


_ALL: dict[str, Json] = {"kind": "all"}
POLICIES = (
    Policy(ALL, _ALL, {}),
    Policy("ring", {"kind": "ring"}, {}),
    Policy("random-2", {"kind": "random", "links": 2}, {}),
    Policy("random-4", {"kind": "random", "links": 4}, {}),
    Policy("adaptive-2", {"kind": "adaptive", "links": 2}, {}),
    Policy("all, novel only", _ALL, {"order": "novel", "only": "opening"}),
    Policy("all, best one", _ALL, {"order": "quality", "most": 1}),
    Policy("all, 1 KB a round", _ALL, {"bytes": 1024}),
    Policy("random-2, novel only", {"kind": "random", "links": 2}, {"order": "novel", "only": "opening"}),
    Policy("nobody", _ALL, {"most": 0}),
    Policy("all, 10 % lost", _ALL, {}, loss=0.1),
    Policy("all, 50 % lost", _ALL, {}, loss=0.5),
    Policy("all, 90 % lost", _ALL, {}, loss=0.9),
)

CONTROLS = ("nobody", *(policy.name for policy in POLICIES if policy.loss))
"""What nobody would choose: a family of tests of its own."""
CHOICES = tuple(policy.name for policy in POLICIES if policy.name not in (ALL, *CONTROLS))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one simulation came to: merged QD-Score and coverage, their means of single nodes, and bytes."""

    qd: float
    coverage: float
    single_qd: float
    single_coverage: float
    bytes: int
    taken: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where policies are compared.

    Attributes:
        task: what is evolved.
        pool: the company in which all archives are merged.
    """

    task: Task
    pool: Context


def places() -> dict[str, Place]:
    """Returns where policies are compared, by name."""
    numbers = numbers_task()
    return {
        "corewar": Place(task_of("initial"), task_of("training").context),
        "numbers": Place(numbers, numbers.context),
    }


def task_of(opponents: str) -> Task:
    """Returns Core War by the rules `tiny`, against a roster."""
    return load_task(
        "corewar", {"preset": "tiny", "rounds": BATTLES, "opponents": opponents, "heldout": "none"}
    )


def settings(policy: Policy, task: Task, seed: int) -> RunConfig:
    """Returns the settings of one simulation: those of DEI but for the policy and the size."""
    minds = task.spec.nodes
    nodes: list[Json] = [
        {"name": f"n{number}", "model": minds[number % len(minds)] if minds else None}
        for number in range(NODES)
    ]
    ensemble: dict[str, Json] = {
        "rounds": ROUNDS,
        "iterations": ITERATIONS,
        "initial": 0,
        "opponents": {"champions": 4, "max": 10},
        "topology": policy.topology,
        "sharing": policy.sharing,
        "nodes": nodes,
    }
    return compose(
        [
            {
                "seed": seed,
                "driver": "sequential",
                "population": {"islands": 1, "archive": {"kind": "grid"}},
                "selection": {"policy": "uniform"},
                "inspirations": {"random": 0, "top": 0},
                "budget": {"candidates": None},
                "ensemble": ensemble,
            }
        ]
    )


def outcomes(seed: int, place: Place) -> dict[str, Outcome]:
    """Simulates all policies with one seed; they share what has been scored."""
    task, pool, memo = place.task, place.pool, Memo()
    found = {}
    for policy in POLICIES:
        scenario = Scenario(weather=Weather(loss=policy.loss), seed=seed)
        ended = simulate(task, settings(policy, task, seed), scenario, every=ROUNDS + 1, pool=pool, memo=memo)
        end = ended.looked.end
        found[policy.name] = Outcome(
            qd=end.qd_score or 0.0,
            coverage=end.coverage or 0.0,
            single_qd=end.mean_qd_score or 0.0,
            single_coverage=end.mean_coverage or 0.0,
            bytes=end.bytes,
            taken=sum(each.taken for account in ended.accounts for each in account.rounds),
        )
    return found


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the seeds say of a policy against all-to-all; p values after Holm's correction.

    Attributes:
        difference: median of its merged QD-Score less all-to-all's, seed by seed.
        superiority: share of seeds in which it is greater, ties half.
        p_differs: of the first question.
        p_reaches: of the second; 1 where the shift goes the wrong way.
        bytes: its bytes as a share of all-to-all's.
    """

    difference: float
    superiority: float
    p_differs: float
    p_reaches: float
    bytes: float

    @property
    def better(self) -> bool:
        """Whether it beats all-to-all."""
        return self.p_differs < LEVEL and self.difference > 0

    @property
    def cheaper(self) -> bool:
        """Whether it reaches all-to-all with a quarter of the bytes."""
        return self.p_reaches < LEVEL and self.bytes <= BYTES


def verdicts(seeds: Sequence[Mapping[str, Outcome]], names: Sequence[str]) -> dict[str, Verdict]:
    """Returns what the seeds say of policies against all-to-all; those named are one family of tests."""
    base = [seed[ALL].qd for seed in seeds]
    pairs = {name: [seed[name].qd for seed in seeds] for name in names}
    differ = {name: signed_rank(own, base) for name, own in pairs.items()}
    adjusted = holm([differ[name].p for name in names])
    reached = holm([_reaches(pairs[name], base) for name in names])
    whole = sum(seed[ALL].bytes for seed in seeds)
    return {
        name: Verdict(
            difference=statistics.median(one - of for one, of in zip(pairs[name], base, strict=True)),
            superiority=differ[name].superiority,
            p_differs=float(adjusted[number]),
            p_reaches=float(reached[number]),
            bytes=sum(seed[name].bytes for seed in seeds) / whole,
        )
        for number, name in enumerate(names)
    }


def _reaches(own: Sequence[float], base: Sequence[float]) -> float:
    """Returns the p value of "not worse by more than the margin"; 1 where the shift goes the wrong way."""
    lifted = [value + MARGIN * abs(of) for value, of in zip(own, base, strict=True)]
    above = statistics.median(a - b for a, b in zip(lifted, base, strict=True)) > 0
    return signed_rank(lifted, base).p if above else 1.0


def run(*, quick: bool = False) -> Report:
    """Simulates all policies with every seed."""
    before = time.process_time()
    numbers = range(3 if quick else SEEDS)
    seeds = {name: [outcomes(seed, place) for seed in numbers] for name, place in places().items()}
    return report(seeds, (time.process_time() - before) / 60)


def report(found: Mapping[str, Sequence[Mapping[str, Outcome]]], minutes: float) -> Report:
    """Judges what was simulated.

    Args:
        found: for each place the outcomes of each seed, by policy.
        minutes: CPU time that it took.
    """
    rows, data = [Row("CPU", minutes, "min")], {}
    for place, seeds in found.items():
        judged = verdicts(seeds, CHOICES) | verdicts(seeds, CONTROLS)
        rows += [_row(place, policy.name, seeds, judged.get(policy.name)) for policy in POLICIES]
        said = {
            name: {**asdict(one), "better": one.better, "cheaper": one.cheaper}
            for name, one in judged.items()
        }
        data[place] = {
            "seeds": [{name: asdict(one) for name, one in seed.items()} for seed in seeds],
            "verdicts": said,
        }
    about = (
        f"{NODES} nodes, {ROUNDS} x {ITERATIONS} proposals, {SEEDS} paired seeds, margin {MARGIN:.0%}: "
        f"Core War tiny with four priors and {BATTLES} battles, and numbers"
    )
    return Report("topologies", about, rows, data)


def _row(place: str, name: str, seeds: Sequence[Mapping[str, Outcome]], verdict: Verdict | None) -> Row:
    own = [seed[name] for seed in seeds]
    said = [
        f"sd {statistics.stdev(one.qd for one in own):.2f}",
        f"coverage {statistics.mean(one.coverage for one in own):.3f}",
        f"alone {statistics.mean(one.single_qd for one in own):.2f}",
        f"{statistics.mean(one.bytes for one in own) / 1000:.0f} KB",
    ]
    met = None
    if verdict is not None:
        said += [
            f"bytes {verdict.bytes:.0%}",
            f"difference {verdict.difference:+.2f}",
            f"better in {verdict.superiority:.0%}",
            f"p {verdict.p_differs:.3f}",
            f"reaches p {verdict.p_reaches:.3f}",
        ]
        met = verdict.better or verdict.cheaper if name in CHOICES else None
    goal = "" if met is None else "beats or cheap"
    value = statistics.mean(one.qd for one in own)
    return Row(f"{place}, {name}: merged QD-Score", value, "", goal, met, ", ".join(said))
