from __future__ import annotations

import pytest

from speciate.experiments import analyse, cautions, load_plan, planned_pairs
from speciate.testing.experiments import Numbers
from speciate.testing.plans import PLAN, PlanFolder


def test_without_a_baseline_every_pair_is_compared(plans: PlanFolder) -> None:
    plans.write(PLAN.replace('baseline = "weighted"\n', "") + "[conditions.third]")
    plan, _ = load_plan(str(plans.path))
    assert planned_pairs(plan) == [("weighted", "uniform"), ("weighted", "third"), ("uniform", "third")]


def test_a_baseline_is_compared_with_all_others(plans: PlanFolder) -> None:
    plans.write(PLAN + "[conditions.third]")
    plan, _ = load_plan(str(plans.path))
    assert planned_pairs(plan) == [("weighted", "uniform"), ("weighted", "third")]


def test_medians_areas_and_tests_are_those_of_the_runs() -> None:
    (task,) = analyse(Numbers(a=[5.0, 6.0, 7.0, 8.0], b=[1.0, 2.0, 3.0, 4.0]).results())
    first, second = task.conditions
    assert first.final is not None
    assert (first.final.estimate, first.runs) == (6.5, 4)
    assert first.curves is not None
    assert first.curves.median.tolist() == [0.0, 6.5]
    assert second.area is not None
    assert second.area.estimate == pytest.approx(1.25)  # half the way the score is 0
    (pair,) = task.finals
    assert (pair.test, pair.winner(0.05), pair.superiority) == ("mann-whitney", "a", 1.0)


def test_runs_of_one_seed_are_compared_if_the_plan_says_so() -> None:
    numbers = Numbers(a=[11.0, 21.0, 31.5, 41.2, 51.1, 61.3], b=[10.0, 20.0, 30.0, 40.0, 50.0, 60.0])
    (task,) = analyse(numbers.results(pairing="seeds"))
    assert (task.finals[0].test, task.finals[0].winner(0.05)) == ("wilcoxon", "a")
    assert analyse(numbers.results())[0].finals[0].winner(0.05) is None


def test_two_factors_of_two_levels_have_an_interaction() -> None:
    numbers = Numbers(
        {"x+p": [9.0, 10.0, 11.0], "x+q": [4.0, 5.0, 6.0], "y+p": [1.0, 2.0, 3.0], "y+q": [1.0, 2.0, 3.0]}
    )
    (task,) = analyse(numbers.results(crossed=True))
    assert task.interaction is not None
    assert task.interaction.effect.estimate == pytest.approx(5.0)
    assert task.interaction.effect.excludes_zero


def said(numbers: Numbers, **more: str) -> str:
    results = numbers.results(**more)  # type: ignore[arg-type]  # few words, each of its own type
    return " ".join(cautions(results, analyse(results)))


def test_what_was_not_shown_is_said_and_what_was_shown_is_not() -> None:
    same = Numbers(a=[1.0, 3.0, 5.0, 7.0], b=[2.0, 4.0, 6.0, 8.0])
    assert "Not shown on toy, final score: which is better of a and b" in said(same)
    apart = Numbers(a=[5.0, 6.0, 7.0, 8.0], b=[1.0, 2.0, 3.0, 4.0])
    assert "Not shown" not in said(apart)


def test_too_few_seeds_are_said_with_how_many_it_takes() -> None:
    text = said(Numbers(a=[5.0, 6.0, 7.0], b=[1.0, 2.0, 3.0]))
    assert "Too few seeds on toy: of 1 comparisons none could have come out below 0.05" in text
    assert "It takes 4 seeds" in text
    assert "Too few seeds" not in said(Numbers(a=[5.0, 6.0, 7.0, 8.0], b=[1.0, 2.0, 3.0, 4.0]))


def test_simulated_models_and_missing_runs_come_first() -> None:
    numbers = Numbers(a=[5.0, 6.0], b=[1.0, None], stand_ins=("simulated:bold",))
    results = numbers.results()
    first, second = cautions(results, analyse(results))[:2]
    assert "simulated:bold" in first
    assert "nothing here is shown about real models" in first
    assert "1 of 4 runs are missing (toy/b 1)" in second


def test_runs_that_another_cap_ended_are_said() -> None:
    assert "ended by something else than the budget (seconds)" in said(Numbers(a=[1.0], stop="seconds"))
    assert "ended by something else" not in said(Numbers(a=[1.0]))


def test_seeds_that_go_alike_whatever_the_condition_are_said() -> None:
    alike = Numbers(a=[1.0, 5.0, 9.0, 3.0], b=[2.0, 6.0, 10.0, 4.5])
    assert "draw the same random numbers" in said(alike)
    assert "draw the same random numbers" not in said(alike, pairing="seeds")
    assert "draw the same random numbers" not in said(Numbers(a=[1.0, 5.0, 9.0, 3.0], b=[9.0, 2.0, 1.0, 5.0]))


def test_scoring_that_changed_between_runs_is_said() -> None:
    assert "The scoring of toy changed" in said(Numbers(a=[1.0, 2.0], rescored=True))
    assert "The scoring of toy changed" not in said(Numbers(a=[1.0, 2.0]))


def test_nothing_is_compared_without_runs() -> None:
    assert "Nothing is compared on toy" in said(Numbers(a=[1.0], b=[None]))
