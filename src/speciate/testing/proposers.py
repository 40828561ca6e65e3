"""What every proposer must pass. Inherit `ProposerContract`, and `ModelProposerContract` for models too."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from speciate.mutation import Assignment, Proposer
from speciate.patches import immutable_change
from speciate.records import (
    Choice,
    Entry,
    ModelGateway,
    Objective,
    Outcome,
    Program,
    Proposal,
    Rejected,
    Reply,
    Result,
)
from speciate.seeds import stream
from speciate.tasks import ObjectiveSpec, Task, TaskSpec
from speciate.testing.gateways import Answer, ScriptedGateway

FIRST = """import math

SCALE = 3  # not to be touched

# EVOLVE-BLOCK-START
def area(radius):
    half = radius / 2.0
    total = 0.0
    for step in range(4):
        total += math.pi * half * half
    return total
# EVOLVE-BLOCK-END


def report():
    return area(SCALE)
"""
SECOND = FIRST.replace("half = radius / 2.0", "half = 0.25 * radius").replace("range(4)", "range(9)")

# The same test runs under each class that inherits it, on purpose.
contract = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.differing_executors])


def small_task() -> Task:
    """Returns a Python task with one region and text around it that may not change."""
    spec = TaskSpec(name="small", description="Find the area.", objectives=(ObjectiveSpec(name="score"),))
    return Task(spec, Program.of({"initial.py": FIRST}))


def scored(ordinal: int, source: str, score: float = 1.0) -> Entry:
    """Returns a valid candidate of the small task."""
    result = Result(objectives=(Objective("score").inward(score),), public={"seen": score})
    return Entry(ordinal, Program.of({"initial.py": source}), Outcome(result=result))


def make_assignment(
    task: Task,
    *,
    operator: str,
    proposer: str = "tested",
    parents: Sequence[Entry] = (),
    inspirations: Sequence[Entry] = (),
    rejections: Sequence[Rejected] = (),
    gateway: ModelGateway | None = None,
    ordinal: int = 7,
    seed: int = 0,
    notes: str = "",
) -> Assignment:
    """Returns an assignment whose attempt follows the given rejections.

    Without parents there are two of the small task; without a gateway any question to a model fails.
    """
    parents = tuple(parents) or (scored(1, FIRST), scored(2, SECOND, 2.0))
    choice = Choice(
        ordinal=ordinal,
        epoch=0,
        seen=ordinal,
        island=0,
        operator=operator,
        proposer=proposer,
        parents=tuple(entry.ordinal for entry in parents),
        inspirations=tuple(entry.ordinal for entry in inspirations),
    )
    return Assignment(
        task=task,
        choice=choice,
        parents=tuple(parents),
        inspirations=tuple(inspirations),
        attempt=len(rejections),
        rejections=tuple(rejections),
        gateway=gateway or ScriptedGateway([]),
        random=partial(stream, seed, ordinal, attempt=len(rejections)),
        notes=notes,
    )


class ProposerContract(ABC):
    """Contract of all proposers. A subclass builds the proposer and, for models, what they answer."""

    @abstractmethod
    def make_proposer(self) -> Proposer:
        """Returns a fresh proposer."""

    def task(self) -> Task:
        """Returns what it proposes for."""
        return small_task()

    def parents(self) -> Sequence[Entry]:
        """Returns two candidates of the task that differ."""
        return (scored(1, FIRST), scored(2, SECOND, 2.0))

    def answers(self, operator: str) -> Sequence[Answer]:
        """Returns what models say to `operator`, so that it succeeds at once."""
        return ()

    def run(self, operator: str, *, seed: int = 0) -> Proposal | Rejected:
        """Makes one attempt on a fresh proposer and gateway."""
        gateway = ScriptedGateway(self.answers(operator))
        assignment = make_assignment(
            self.task(), operator=operator, parents=self.parents(), gateway=gateway, seed=seed
        )
        return asyncio.run(self.make_proposer().propose(assignment))

    def test_it_has_a_name_and_distinct_operators(self) -> None:
        proposer = self.make_proposer()
        assert proposer.name
        assert proposer.operators
        assert len(set(proposer.operators)) == len(proposer.operators)

    def test_equal_assignments_give_equal_proposals(self) -> None:
        for operator in self.make_proposer().operators:
            assert self.run(operator, seed=3) == self.run(operator, seed=3)

    def test_one_proposer_can_make_many_attempts_at_once(self) -> None:
        proposer = self.make_proposer()

        async def together(operator: str) -> list[Proposal | Rejected]:
            gateways = [ScriptedGateway(self.answers(operator)) for _ in range(5)]
            return await asyncio.gather(
                *(
                    proposer.propose(
                        make_assignment(
                            self.task(), operator=operator, parents=self.parents(), gateway=g, seed=k
                        )
                    )
                    for k, g in enumerate(gateways)
                )
            )

        for operator in proposer.operators:
            made = asyncio.run(together(operator))
            assert made == [self.run(operator, seed=k) for k in range(5)]

    def test_every_operator_succeeds_and_changes_the_program(self) -> None:
        for operator in self.make_proposer().operators:
            made = [self.run(operator, seed=seed) for seed in range(10)]
            proposals = [m for m in made if isinstance(m, Proposal)]
            assert proposals, made
            assert all(p.program != self.parents()[0].program for p in proposals)

    def test_nothing_outside_the_regions_changes(self) -> None:
        task = self.task()
        for operator in self.make_proposer().operators:
            for seed in range(10):
                made = self.run(operator, seed=seed)
                if isinstance(made, Proposal):
                    assert immutable_change(task.initial, made.program, task) is None

    def test_the_attempt_is_passed_on(self) -> None:
        earlier = Rejected("screen", "duplicate", "This has been tried.", attempt=0)
        for operator in self.make_proposer().operators:
            gateway = ScriptedGateway(self.answers(operator))
            assignment = make_assignment(
                self.task(),
                operator=operator,
                parents=self.parents(),
                gateway=gateway,
                rejections=[earlier],
            )
            assert asyncio.run(self.make_proposer().propose(assignment)).attempt == 1


class ModelProposerContract(ProposerContract):
    """What proposers that ask a model must pass besides."""

    @pytest.mark.parametrize(
        "reply",
        [
            Reply("", "m"),
            Reply(" \n\t", "m"),
            Reply("", "m", error="the provider is down"),
            Reply("I cannot help with that.", "m", finish="content_filter"),
            Reply("```python\nx = 1", "m", finish="length"),
            Reply("x" * 2_000_000, "m"),
            Reply("\ud800 ```python\n\ud800\n```", "m"),
            Reply("<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE", "m"),
            Reply("```" * 1000, "m"),
        ],
    )
    def test_a_reply_that_is_none_is_a_rejection(self, reply: Reply) -> None:
        for operator in self.make_proposer().operators:
            assignment = make_assignment(small_task(), operator=operator, gateway=ScriptedGateway([reply]))
            made = asyncio.run(self.make_proposer().propose(assignment))
            assert isinstance(made, Rejected)
            assert made.step == "propose"
            assert made.reason
            assert made.message

    @given(text=st.text(max_size=400))
    @contract
    def test_no_reply_raises_or_touches_immutable_text(self, text: str) -> None:
        task = small_task()
        dressed = [
            text,
            f"```python\n{text}\n```",
            f"<<<<<<< SEARCH\n    half = radius / 2.0\n=======\n{text}\n>>>>>>> REPLACE\n",
            FIRST.replace("SCALE = 3", text),
        ]
        for operator in self.make_proposer().operators:
            for reply in dressed:
                assignment = make_assignment(task, operator=operator, gateway=ScriptedGateway([reply]))
                made = asyncio.run(self.make_proposer().propose(assignment))
                if isinstance(made, Proposal):
                    assert immutable_change(task.initial, made.program, task) is None
