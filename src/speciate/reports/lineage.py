"""Who descends from whom, and how the best came about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from speciate.records import Objective, Ordinal
from speciate.reports.convergence import outward
from speciate.store import Candidate, RunHistory


@dataclass(frozen=True, slots=True)
class Lineage:
    """The tree of valid candidates; one entry each, by ordinal; all arrays have shape ``(n,)``.

    Attributes:
        ordinals: the candidates, increasing.
        parents: their first parents, −1 for the initial program.
        generations: first parents between the candidate and the initial program.
        scores: the first objective in the candidate's own epoch, in the user's own direction.
        living: whether it is an occupant of an archive, or an ancestor of one by first parents.
        on_path: whether it lies on the path from the initial program to the best.
    """

    ordinals: np.ndarray
    parents: np.ndarray
    generations: np.ndarray
    scores: np.ndarray
    living: np.ndarray
    on_path: np.ndarray


@dataclass(frozen=True, slots=True)
class PathStep:
    """One candidate on the path from the initial program to another.

    Attributes:
        ordinal: its number.
        generation: its place on the path, 0 for the initial program.
        parents: its parents; the first is the step before.
        operator: how it was made.
        proposer: who made it.
        model: the model that answered, or None.
        epoch: the epoch whose score is given.
        score: its first objective in the user's own direction, or None if it has no score there.
        gain: score minus the parent's in the same epoch, positive for the better, or None without both.
        summary: one line from the proposer.
    """

    ordinal: Ordinal
    generation: int
    parents: tuple[Ordinal, ...]
    operator: str
    proposer: str
    model: str | None
    epoch: int
    score: float | None
    gain: float | None
    summary: str


@dataclass(frozen=True, slots=True)
class OperatorShare:
    """What one operator did on a path.

    Attributes:
        steps: how many steps of the path it made.
        gain: what these steps gained together, positive for the better.
    """

    steps: int = 0
    gain: float = 0.0


def lineage(history: RunHistory, objective: Objective) -> Lineage:
    """Returns the tree of valid candidates.

    Args:
        history: the run.
        objective: the first objective, whose direction the scores get.
    """
    generations: dict[Ordinal, int] = {}
    for ordinal, candidate in history.candidates.items():  # parents are chosen before their children
        parents = candidate.choice.parents
        generations[ordinal] = generations[parents[0]] + 1 if parents else 0
    valid = [c for _, c in sorted(history.candidates.items()) if c.status == "valid"]
    best = history.best()
    path = set() if best is None else {c.ordinal for c in history.lineage(best.ordinal)}
    living = _with_ancestors(history, (o for members in history.members().values() for o in members))
    return Lineage(
        ordinals=np.array([c.ordinal for c in valid], dtype=np.int64),
        parents=np.array([next(iter(c.choice.parents), -1) for c in valid], dtype=np.int64),
        generations=np.array([generations[c.ordinal] for c in valid], dtype=np.int64),
        scores=outward([c.score for c in valid], objective),
        living=np.array([c.ordinal in living for c in valid], dtype=bool),
        on_path=np.array([c.ordinal in path for c in valid], dtype=bool),
    )


def path_to(history: RunHistory, ordinal: Ordinal, objective: Objective) -> Sequence[PathStep]:
    """Returns the line of first parents from the initial program to a candidate.

    Scores are those by which candidates stand in the end, else of their own epoch; a gain compares child
    and parent in the child's own epoch, and there is none where the parent was not scored in it.

    Raises:
        KeyError: there is no such candidate.
    """
    line = history.lineage(ordinal)
    before: Sequence[Candidate | None] = [None, *line[:-1]]
    return [
        _path_step(history, generation, child, parent, objective)
        for generation, (child, parent) in enumerate(zip(line, before, strict=True))
    ]


def operators_along(path: Sequence[PathStep]) -> Mapping[str, OperatorShare]:
    """Returns what each operator did on a path, those with the most steps first."""
    shares: dict[str, OperatorShare] = {}
    for step in path[1:]:
        share = shares.get(step.operator, OperatorShare())
        shares[step.operator] = OperatorShare(share.steps + 1, share.gain + (step.gain or 0.0))
    return dict(sorted(shares.items(), key=lambda item: (-item[1].steps, item[0])))


def _path_step(
    history: RunHistory, generation: int, child: Candidate, parent: Candidate | None, objective: Objective
) -> PathStep:
    own = child.choice.epoch
    standing = history.scored_in(child.ordinal)
    epoch = own if standing is None or child.score_in(standing) is None else standing
    score, own_score = child.score_in(epoch), child.score
    parent_score = None if parent is None else parent.score_in(own)
    return PathStep(
        ordinal=child.ordinal,
        generation=generation,
        parents=child.choice.parents,
        operator=child.choice.operator,
        proposer=child.choice.proposer,
        model=child.model,
        epoch=epoch,
        score=None if score is None else objective.outward(score),
        gain=None if own_score is None or parent_score is None else own_score - parent_score,
        summary=child.summary,
    )


def _with_ancestors(history: RunHistory, ordinals: Iterable[Ordinal]) -> set[Ordinal]:
    """Returns the ordinals and their lines of first parents; each candidate is visited once."""
    found: set[Ordinal] = set()
    for ordinal in ordinals:
        while ordinal not in found:
            found.add(ordinal)
            ordinal = next(iter(history.candidates[ordinal].choice.parents), ordinal)
    return found
