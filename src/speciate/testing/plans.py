"""Plans of experiments over a task that is cheap to run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from speciate.experiments import Ended, Experiment, Job, load_plan, open_experiment, plan_jobs
from speciate.experiments.worker import Request, perform
from speciate.testing.command_line import write_task

PLAN = """\
about = "Which policy adds better?"
tasks = ["./sum"]
seeds = 2
baseline = "weighted"

[budget]
amount = 12

[conditions.weighted]
settings.selection.policy = "weighted"

[conditions.uniform]
settings.selection.policy = "uniform"
"""
"""Two conditions, two seeds, twelve candidates each; no sandbox, and no model."""

ENSEMBLES = """\
about = "Do two minds find more than one?"
tasks = ["corewar"]
seeds = 2
baseline = "both"
pairing = "seeds"
gain = ["same", "mixed"]
published_in = "a paper, other rules"
published = [
  { condition = "diverse", figures = { coverage = 0.806, qd_score = 45.9 } },
  { condition = "diverse", proposer = "a model", figures = { generality = [0.85, 0.087] } },
]

[budget]
amount = 16

[merged]
parameters = { opponents = "imp,dwarf" }

[settings.task.parameters]
preset = "nano"
protocol = "survival"
rounds = 1
opponents = "imp"
heldout = "imp,dwarf"

[settings.ensemble]
rounds = 2
iterations = 4
initial = 0

[proposers]
imp = "redcode:imp"
other = "redcode:uniform"

[groups]
same = ["same-imp", "same-other"]
solo = ["solo-imp", "solo-other"]

[conditions]
both.nodes = ["imp", "other"]
mixed.nodes = ["imp+other", "imp+other"]
same-imp.nodes = ["imp", "imp"]
same-other.nodes = ["other", "other"]
solo-imp = { nodes = ["imp"], settings.ensemble.iterations = 8 }
solo-other = { nodes = ["other"], settings.ensemble.iterations = 8 }
"""
"""Six conditions of ensembles, two seeds, sixteen candidates each, in a core of 80 cells."""


class PlanFolder:
    """A folder with a plan and the task it is about.

    Args:
        folder: where to; made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "policies.toml"
        self.out = folder / "out"
        self.task = write_task(folder / "sum")
        self.write(PLAN)

    def write(self, text: str) -> Path:
        """Writes another plan; returns its file."""
        self.path.write_text(text)
        return self.path

    def change(self, old: str, new: str) -> Path:
        """Changes a part of the plan that is in it; returns its file."""
        text = self.path.read_text()
        assert old in text
        return self.write(text.replace(old, new))

    def slow_down(self, seconds: float) -> None:
        """Lets every evaluation take so long, so that a run can be met in its middle."""
        evaluate = self.task / "evaluate.py"
        text = evaluate.read_text()
        head = "def evaluate(program, context):\n"
        assert head in text
        waiting = f"import time\n\n\n{head}    time.sleep({seconds})\n"
        evaluate.write_text(text.replace(head, waiting))

    def jobs(self) -> tuple[Job, ...]:
        """Returns the runs of the plan."""
        plan, base = load_plan(str(self.path))
        return plan_jobs(plan, base, self.out)

    def run_here(self) -> tuple[Job, ...]:
        """Runs the whole plan in this process, which is faster; returns its runs."""
        jobs = self.jobs()
        for job in jobs:
            perform(Request.of(job))
        return jobs

    def open(self) -> Experiment:
        """Opens the experiment of the plan."""
        return open_experiment(str(self.path), out=self.out)


class Notes:
    """Notes every run that ends."""

    def __init__(self) -> None:
        self.all: list[Ended] = []
        self.seen: set[str] = set()

    def ended(self, ended: Ended) -> None:
        """Notes one."""
        self.all.append(ended)

    def going(self, jobs: Sequence[Job]) -> None:
        """Notes which were seen going on."""
        self.seen |= {job.key for job in jobs}

    @property
    def keys(self) -> list[str]:
        """The runs that ended, sorted."""
        return sorted(one.job.key for one in self.all)
