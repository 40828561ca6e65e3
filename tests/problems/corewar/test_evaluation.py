from __future__ import annotations

from dataclasses import replace

import pytest

from speciate.errors import ScoreError
from speciate.problems.corewar.evaluation import evaluate
from speciate.problems.corewar.redcode import RedcodeError
from speciate.problems.corewar.task import load
from speciate.records import Context, Json, Program, Result

IMP = ";name Imp\nMOV.I 0, 1\n"
DUD = ";name Dud\nDAT #0, #0\n"
DWARF = ";name Dwarf\nADD.AB #4, 3\nMOV.I 2, @2\nJMP -2\nDAT #0, #0\n"
CROWD = ";name Crowd\nSPL 0\nJMP 0\n"


def program(source: str) -> Program:
    return Program.of({"warrior.red": source})


def context(*opponents: str, **parameters: Json) -> Context:
    """A company under the rules of the nano hill, unless the parameters say otherwise."""
    named: dict[str, Json] = {"preset": "nano", "opponents": "none", "rounds": 4, **parameters}
    return replace(load(named).context, opponents=tuple(map(program, opponents)))


def result(source: str, *opponents: str, **parameters: Json) -> Result:
    return evaluate(program(source), context(*opponents, **parameters))


@pytest.mark.parametrize("protocol", ["drq", "survival", "pmars"])
def test_alone_the_score_is_the_share_of_the_cycles_that_it_lives(protocol: str) -> None:
    assert result(IMP, protocol=protocol).objectives == (1.0,)
    assert result(DUD, protocol=protocol).objectives == (0.0,)
    five = "NOP 0, 0\nNOP 0, 0\nNOP 0, 0\nNOP 0, 0\nDAT #0, #0"
    assert result(five, protocol=protocol).objectives == (4 / 800,)


@pytest.mark.parametrize(
    ("protocol", "win", "loss", "tie"), [("drq", 2.0, 0.0, 1.0), ("survival", 1, 0, 1), ("pmars", 3, 0, 1)]
)
def test_against_one_that_dies_at_once_and_against_itself(
    protocol: str, win: float, loss: float, tie: float
) -> None:
    assert result(IMP, DUD, protocol=protocol).objectives == (win,)
    assert result(DUD, IMP, protocol=protocol).objectives == (loss,)
    assert result(CROWD, CROWD, protocol=protocol).objectives == (tie,)


def test_melee_and_pairs_add_up_over_the_opponents() -> None:
    assert result(IMP, DUD, DUD, DUD, protocol="drq").objectives == (4.0,)
    assert result(IMP, DUD, DUD, DUD, protocol="survival").objectives == (3.0,)
    mixed = result(IMP, DUD, DUD, CROWD, protocol="pmars")
    assert mixed.objectives[0] == pytest.approx((3 + 3 + 1) / 3)


@pytest.mark.parametrize("protocol", ["drq", "survival", "pmars"])
def test_every_opponent_has_its_case(protocol: str) -> None:
    found = result(CROWD, DUD, DUD, CROWD, protocol=protocol)
    assert [case.case for case in found.cases] == ["Dud", "Dud (2)", "Crowd"]
    assert found.cases[0].values == {
        "wins": 4, "ties": 0, "losses": 0, "lived": 1.0, "opponent_lived": 0.0,
    }  # fmt: skip
    assert found.cases[2].values["ties"] == 4
    assert (found.public["wins"], found.public["ties"], found.public["losses"]) == (8, 4, 0)


def test_descriptors_are_the_axes_in_their_order() -> None:
    found = result(CROWD, DUD, axes=["pl", "tsp", "uo", "mc"])
    spawned, covered = found.public["spawned"], found.public["covered"]
    assert found.descriptor == (2.0, spawned, 2.0, covered)
    assert spawned == 39  # the k-th comes k cycles after the one before: 1 + 2 + … + 39 = 780 of 800
    assert covered == 2


def test_feedback_tells_what_happened() -> None:
    found = result(CROWD, DUD, CROWD, protocol="survival")
    assert found.feedback == (
        "On average it lived to the end. It outlives Dud (4:0). It is even with Crowd (0:0). "
        "It started 39 further processes and ran code at 2 of the 80 cells."
    )
    assert "It falls before Imp (0:4)" in result(DUD, IMP).feedback


def test_a_name_that_another_wrote_cannot_fill_prompts_or_write_lines() -> None:
    found = result(IMP, ";name " + "x\x1b[2J" * 100 + "\nDAT 0\n")
    assert len(found.cases[0].case) <= 40
    assert found.cases[0].case.isprintable()


def test_equal_evaluations_give_equal_results_and_the_seed_counts() -> None:
    assert result(DWARF, IMP, CROWD) == result(DWARF, IMP, CROWD)
    seeded = [result(DWARF, DWARF, seed=seed, preset="tiny", rounds=1) for seed in range(8)]
    assert len({found.public["lived"] for found in seeded}) > 1


def test_a_candidate_that_does_not_assemble_is_invalid() -> None:
    with pytest.raises(RedcodeError, match="line 1"):
        result("MOVE 0, 1", IMP)
    with pytest.raises(ValueError, match="5"):
        result("NOP 0, 0\n" * 6, IMP)


def test_an_opponent_that_does_not_assemble_breaks_the_set_up() -> None:
    with pytest.raises(ScoreError, match="an opponent does not assemble"):
        result(IMP, "nonsense")


def test_a_company_for_which_there_is_no_room_breaks_the_set_up_whoever_comes() -> None:
    """Sixteen warriors of five cells fill the core of 80; one that is shorter must not decide that."""
    assert result(IMP, *[DUD] * 15).objectives == (16.0,)
    with pytest.raises(ScoreError, match=r"at most 15 opponents here\. Set ensemble\.opponents\.max"):
        result(IMP, *[DUD] * 16)
    assert result(IMP, *[DUD] * 70, protocol="survival").objectives == (70.0,)
