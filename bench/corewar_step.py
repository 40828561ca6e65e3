"""What a step of a search without a model costs beside its battle: propose, assemble, fight, place, record.

    python -m bench corewar_step [--quick]

Protocol and rules of Digital Red Queen: a candidate and 20 of our training warriors in one core, 20 rounds,
with processes and cells counted; operators on Redcode, a grid, a history in SQLite, one candidate after the
other. Each battle is fought a second time right after the first, for its own time alone: both see the same
load. CPU time of the whole process.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from bench.engine import Clock
from bench.report import Report, Row, at_most, fresh, plain

from speciate.engine import BudgetConfig, EnsembleConfig, RunConfig, evolve
from speciate.problems.corewar import assemble, battle
from speciate.problems.corewar.evaluation import evaluate
from speciate.problems.corewar.mars.engines import chosen
from speciate.problems.corewar.parameters import Conditions
from speciate.problems.corewar.warriors import load_builtin
from speciate.records import Context, Program, Result
from speciate.tasks import Task, load_task

OPPONENTS = 20
MOST = 1.1


@dataclass
class Again:
    """Evaluates a warrior, and fights its battle again.

    Attributes:
        battles: CPU seconds of each second battle.
        extra: CPU seconds of everything that only this bench does.
    """

    battles: list[float] = field(default_factory=list)
    extra: list[float] = field(default_factory=list)

    def __call__(self, program: Program, context: Context) -> Result:
        result = evaluate(program, context)
        begun = time.process_time()
        settings = Conditions.from_json(context.settings).settings
        sources = [program.source, *(opponent.source for opponent in context.opponents)]
        warriors = [assemble(source, settings) for source in sources]
        before = time.process_time()
        battle(warriors, settings, rounds=settings.rounds, protocol="drq", statistics="covered")
        self.battles.append(time.process_time() - before)
        self.extra.append(time.process_time() - begun)
        return result


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run cost, mean CPU time a candidate in milliseconds.

    Attributes:
        step: the whole step, without the second battle.
        battle: the battle alone.
    """

    step: float
    battle: float

    @property
    def ratio(self) -> float:
        """The step in battles."""
        return self.step / self.battle


def task(again: Again) -> Task:
    """Returns Core War with `OPPONENTS` opponents, whose battles are fought twice."""
    loaded = load_task("corewar")
    file = loaded.initial.entry
    company = (load_builtin("training") + load_builtin("initial"))[:OPPONENTS]
    opponents = tuple(Program.of({file: warrior.source}) for warrior in company)
    assert len(opponents) == OPPONENTS
    context = replace(loaded.context, opponents=opponents)
    return replace(loaded, trusted=again, context=context)


def cost(candidates: int) -> Cost:
    """Runs once and measures. Meant for `fresh`."""
    again, clock = Again(), Clock()
    config = RunConfig(
        driver="sequential", budget=BudgetConfig(candidates=candidates), ensemble=EnsembleConfig(rounds=0)
    )
    with tempfile.TemporaryDirectory() as temporary:
        evolve(task(again), config, folder=Path(temporary) / "run", observers=[clock])
    total = clock.placed[-1] - clock.placed[0]  # without the initial program, which warms everything up
    steps = len(clock.placed) - 1
    extra, fought = again.extra[1:], again.battles[1:]
    return Cost(1e3 * (total - sum(extra)) / steps, 1e3 * statistics.fmean(fought))


def run(*, quick: bool = False) -> Report:
    """Measures a few runs."""
    candidates, runs = (30, 2) if quick else (150, 5)
    costs = [fresh(cost, candidates) for _ in range(runs)]
    rows: list[Row] = [
        at_most("step in battles", (each.ratio for each in costs), MOST),
        plain("step", (each.step for each in costs), "ms"),
        plain("battle", (each.battle for each in costs), "ms"),
    ]
    company = f"{OPPONENTS} opponents x 20 rounds"
    about = f"a search step without a model, {company}, CPU a candidate; engine: {chosen()}"
    return Report("corewar_step", about, rows, [asdict(each) for each in costs])
