"""All that a report tells of a run, as data: sections word it, pictures draw it, `as_json` writes it down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from speciate.records import Asked, Evaluated, Event, Objective, Started
from speciate.reports.archive_map import ArchiveMap, archive_map
from speciate.reports.branches import Branches, branches
from speciate.reports.convergence import Convergence, Milestone, convergence, milestones
from speciate.reports.costs import Timing, Work, by_operator, by_proposer, timing
from speciate.reports.endings import EndingRow, endings
from speciate.reports.failures import FailureRow, RejectionRow, failures, rejections
from speciate.reports.islands import IslandRow, island_rows
from speciate.reports.lineage import Lineage, PathStep, lineage, path_to
from speciate.reports.manifest import RunFacts, read_facts
from speciate.reports.pareto import ParetoFront, pareto_front
from speciate.reports.prompts import Asking, read_asking
from speciate.reports.remarks import remarks
from speciate.reports.scratchpad import Notebook, read_notebook
from speciate.reports.screens import Gate, gates
from speciate.reports.seed_distance import SeedDistances, seed_distances
from speciate.reports.shares import ProposerShares, proposer_shares
from speciate.reports.staleness import Staleness, staleness
from speciate.reports.stepping_stones import SteppingStones, stepping_stones
from speciate.reports.summary import Summary, summarise
from speciate.reports.timeline import timeline
from speciate.reports.tried_again import TriedAgain, tried_again
from speciate.reports.unusable import ReplyRow, most_replies, unusable_replies
from speciate.store import RunHistory


@dataclass(frozen=True, slots=True)
class Report:
    """What is told of a run, in the order in which the page tells it.

    Attributes:
        history: the run.
        facts: its manifest.
        summary: its summary.
        remarks: what a reader must know first, in Markdown.
        curve: how the best came up.
        milestones: when shares of the gain were reached.
        front: the first two objectives against each other, or None for a task with one.
        path: the line of first parents to the best; empty without one.
        tree: the tree of valid candidates.
        stones: whether the way to the best led over programs that were nothing special.
        distances: how far programs are from the initial one.
        cells: the map of a grid, or None for other archives.
        islands: what happened on each island.
        branches: how many lines of descent are alive.
        proposers: what each proposer came to.
        operators: what each operator came to.
        shares: who was chosen to propose as the run went on.
        gates: what each screen of novelty did.
        tried_again: what the attempts that came after stopped ones cost.
        asking: how the models were asked.
        notebook: the scratchpad, or None for a run without one.
        endings: how candidates ended, by operator and proposer.
        failures: failed evaluations, by cause.
        rejections: rejected attempts, by cause.
        replies: what became of each proposer's replies.
        most_replies: the most replies that one candidate may take.
        timing: where the time went.
        staleness: how old the knowledge of the choices was.
    """

    history: RunHistory
    facts: RunFacts
    summary: Summary
    remarks: Sequence[str]
    curve: Convergence
    milestones: Sequence[Milestone]
    front: ParetoFront | None
    path: Sequence[PathStep]
    tree: Lineage
    stones: SteppingStones
    distances: SeedDistances
    cells: ArchiveMap | None
    islands: Sequence[IslandRow]
    branches: Branches
    proposers: Mapping[str, Work]
    operators: Mapping[str, Work]
    shares: ProposerShares
    gates: Sequence[Gate]
    tried_again: Sequence[TriedAgain]
    asking: Asking
    notebook: Notebook | None
    endings: Sequence[EndingRow]
    failures: Sequence[FailureRow]
    rejections: Sequence[RejectionRow]
    replies: Sequence[ReplyRow]
    most_replies: int
    timing: Timing
    staleness: Staleness

    @property
    def objective(self) -> Objective:
        """The first objective."""
        return self.facts.objective


def read_report(
    history: RunHistory, *, folder: Path | None = None, events: Sequence[Event] | None = None
) -> Report:
    """Gathers all that is told of a run.

    Args:
        history: the run as far as it has been read.
        folder: its folder, or None if it lives in memory.
        events: the events that are `light`, in order of arrival; None reads them.

    Raises:
        StoreError: the history cannot be read.
        StoreCorruptError: what is stored cannot be understood.
    """
    facts, summary = read_facts(history.reader), summarise(history, folder=folder)
    objective = facts.objective
    events = [event for event in history.events() if light(event)] if events is None else events
    curve, course = convergence(history, objective), timeline(history, events)
    best = summary.best
    return Report(
        history=history,
        facts=facts,
        summary=summary,
        remarks=remarks(history, facts, summary),
        curve=curve,
        milestones=milestones(curve, objective),
        front=pareto_front(history, facts),
        path=() if best is None else path_to(history, best.ordinal, objective),
        tree=lineage(history, objective),
        stones=stepping_stones(history, course, objective),
        distances=seed_distances(history, facts, course),
        cells=archive_map(history, facts),
        islands=island_rows(history, events, objective),
        branches=branches(history, course),
        proposers=by_proposer(history),
        operators=by_operator(history),
        shares=proposer_shares(history),
        gates=gates(history.screens, summary.counts.valid),
        tried_again=tried_again(events),
        asking=read_asking(history, facts, events),
        notebook=read_notebook(history, facts, events),
        endings=endings(history),
        failures=failures(history),
        rejections=rejections(history),
        replies=unusable_replies(history, events),
        most_replies=most_replies(facts),
        timing=timing(history),
        staleness=staleness(history),
    )


def light(event: Event) -> bool:
    """Says whether a report looks at an event; those with prompts and outcomes take most of the memory."""
    return not isinstance(event, (Asked, Evaluated, Started))
