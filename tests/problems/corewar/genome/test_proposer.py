from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typing_extensions import override

from speciate.errors import ConfigError
from speciate.problems.corewar.generators import MINDS
from speciate.problems.corewar.genome import RedcodeProposer, genome_of, open_redcode
from speciate.problems.corewar.redcode import assemble
from speciate.problems.corewar.settings import PRESETS
from speciate.problems.corewar.task import load
from speciate.records import Entry, Outcome, Program, Proposal, Rejected, Result
from speciate.tasks import Task
from speciate.testing.proposers import ProposerContract, make_assignment, small_task

PAPER = ";name Paper\nSPL 1\nSPL 1\nMOV.I <1, >1\nDAT 0, 0\nJMP -4\n"
STONE = ";name Stone\n;strategy throws\nADD.AB #4, 3\nMOV.I 2, @2\nJMP -2\nDAT #0, #0\n"


@cache
def task(preset: str = "drq") -> Task:
    return load({"preset": preset})


def entry(ordinal: int, source: str, **traits: float) -> Entry:
    outcome = Outcome(result=Result(objectives=(1.0,)))
    return Entry(ordinal, Program.of({"warrior.red": source}), outcome, traits)


def proposed(
    proposer: RedcodeProposer,
    operator: str,
    parents: Sequence[Entry] = (),
    *,
    seed: int = 0,
    preset: str = "drq",
) -> Proposal | Rejected:
    parents = tuple(parents) or (entry(1, PAPER), entry(2, STONE))
    return asyncio.run(
        proposer.propose(make_assignment(task(preset), operator=operator, parents=parents, seed=seed))
    )


class TestContract(ProposerContract):
    @override
    def make_proposer(self) -> RedcodeProposer:
        return open_redcode("", task())

    @override
    def task(self) -> Task:
        return task()

    @override
    def parents(self) -> Sequence[Entry]:
        return (entry(1, PAPER), entry(2, STONE))


@given(st.sampled_from(sorted(MINDS)), st.integers(0, 10_000), st.sampled_from(sorted(PRESETS)))
@settings(deadline=None, max_examples=60)
def test_every_child_assembles_strictly_and_is_short_enough(name: str, seed: int, preset: str) -> None:
    rules = PRESETS[preset]
    try:
        proposer = open_redcode(name, task(preset))
    except ConfigError:  # a family that is too long for the rules
        assert preset == "nano"
        return
    made = proposed(proposer, "new", seed=seed, preset=preset)
    assert isinstance(made, Proposal)
    parents = [entry(1, made.program.source), entry(2, task(preset).initial.source)]
    for operator in ("new", "mutate", "crossover"):
        child = proposed(proposer, operator, parents, seed=seed, preset=preset)
        if isinstance(child, Rejected):
            assert child.reason in ("no_change", "no_partner")
            continue
        assert len(assemble(child.program.source, rules)) <= rules.max_length
        codes = [genome_of(assemble(parent.program.source, rules)) for parent in parents]
        assert operator == "new" or genome_of(assemble(child.program.source, rules)) not in codes


def test_other_seeds_give_other_proposals() -> None:
    proposer = open_redcode("", task())
    for operator in proposer.operators:
        made = [proposed(proposer, operator, seed=seed) for seed in range(5)]
        assert len({m.program.source for m in made if isinstance(m, Proposal)}) > 1


def test_a_child_keeps_the_remarks_of_its_first_parent() -> None:
    child = proposed(open_redcode("", task()), "crossover")
    assert isinstance(child, Proposal)
    assert child.program.source.startswith(";name Paper\n")
    assert "in the place of" in child.summary


def test_a_new_warrior_belongs_to_the_mind() -> None:
    proposer = open_redcode("replicator", task())
    made = proposed(proposer, "new", [entry(0, STONE)])
    assert isinstance(made, Proposal)
    assert "family: replicator" in made.program.source


def test_an_impure_mind_draws_from_other_families_too() -> None:
    proposer = open_redcode("replicator?purity=0.3", task())
    made = [proposed(proposer, "new", [entry(0, STONE)], seed=seed) for seed in range(30)]
    own = ["family: replicator" in one.program.source for one in made if isinstance(one, Proposal)]
    assert 0 < sum(own) < len(own) == 30


@pytest.mark.parametrize("purity", ["-0.1", "1.1"])
def test_a_purity_is_a_share(purity: str) -> None:
    with pytest.raises(ConfigError, match="purity is from 0 to 1"):
        open_redcode(f"replicator?purity={purity}", task())


def test_the_step_is_inherited_and_mutates() -> None:
    proposer = open_redcode("?step=10", task())
    steps = [
        made.traits["step"]
        for seed in range(40)
        if isinstance(
            made := proposed(proposer, "mutate", [entry(1, STONE, step=100.0)], seed=seed), Proposal
        )
    ]
    assert min(steps) < 100 < max(steps)
    assert all(10 < step < 1000 for step in steps)
    still = open_redcode("?step=10&step_rate=0", task())
    first = proposed(still, "mutate", [entry(1, STONE)])
    assert isinstance(first, Proposal)
    assert first.traits == {"step": 10.0}


@pytest.mark.parametrize("step", [float("nan"), float("inf"), -5.0, 0.0, 1e300])
def test_a_strange_step_is_brought_into_bounds(step: float) -> None:
    made = proposed(open_redcode("", task()), "mutate", [entry(1, STONE, step=step)])
    assert isinstance(made, Proposal)
    assert 1 <= made.traits["step"] <= 2000


@pytest.mark.parametrize(
    ("operator", "parents", "reason"),
    [
        ("crossover", [entry(1, PAPER)], "no_partner"),
        ("crossover", [entry(1, PAPER), entry(2, PAPER)], "no_partner"),
        ("mutate", [entry(1, "no code at all")], "unparsable"),
        ("crossover", [entry(1, PAPER), entry(2, "no code at all")], "unparsable"),
    ],
)
def test_what_cannot_be_done_is_rejected(operator: str, parents: list[Entry], reason: str) -> None:
    made = proposed(open_redcode("", task()), operator, parents)
    assert isinstance(made, Rejected)
    assert (made.step, made.reason) == ("propose", reason)


def test_options_set_weights_and_sizes() -> None:
    proposer = open_redcode("bomber?new=0.3&crossover=0&insert=7&stride=0&mend=1", task())
    assert proposer.weights == {"new": 0.3, "mutate": 0.8, "crossover": 0.0}
    assert proposer.config.operator_weights["insert"] == 7
    assert proposer.config.number_weights["stride"] == 0
    assert (proposer.config.mend, proposer.config.operator_weights["delete"]) == (1.0, 1.5)


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("bommber", "did you mean 'bomber'"),
        ("?insrt=2", "did you mean 'insert'"),
        ("?insert=many", "insert takes a number, not 'many'"),
        ("?insert=nan", "insert takes a number"),
        ("?insert=-1", "at least 0"),
        ("?mend=2", "mend"),
        ("?new=0&mutate=0&crossover=0", "not all 0"),
        ("?new=-1", "at least 0"),
    ],
)
def test_nonsense_is_told(argument: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        open_redcode(argument, task())


def test_a_mind_whose_warriors_are_too_long_is_refused_before_the_run() -> None:
    with pytest.raises(ConfigError, match="hybrid"):
        open_redcode("hybrid", load({"preset": "nano", "rules": {"max_length": 3, "min_distance": 3}}))


def test_it_is_for_core_war_alone() -> None:
    with pytest.raises(ConfigError, match="is for the problem corewar, not for 'small'"):
        open_redcode("", small_task())
