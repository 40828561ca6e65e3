from __future__ import annotations

from pathlib import Path

import pytest

from speciate.engine.settings import Layer
from speciate.errors import ConfigError
from speciate.experiments import check_jobs, load_plan, plan_jobs
from speciate.testing.plans import PlanFolder


def check(plans: PlanFolder) -> None:
    check_jobs(plans.jobs(), load_plan(str(plans.path))[0].budget)


def test_every_condition_of_a_seed_comes_before_the_next_seed(plans: PlanFolder) -> None:
    assert [job.key for job in plans.jobs()] == [
        "sum/weighted/seed-0",
        "sum/uniform/seed-0",
        "sum/weighted/seed-1",
        "sum/uniform/seed-1",
    ]
    assert len({job.folder for job in plans.jobs()}) == 4


def test_a_condition_lies_over_the_settings_and_the_budget_over_all(plans: PlanFolder) -> None:
    plans.change("[budget]", 'settings.selection = { policy = "beam", beam_width = 3 }\n[budget]')
    job = plans.jobs()[0]
    assert (job.settings.selection.policy, job.settings.selection.beam_width) == ("weighted", 3)
    assert (job.settings.driver, job.settings.success) == ("sequential", False)
    assert job.settings.budget.candidates == 12


def test_another_unit_lifts_the_usual_cap_on_candidates(plans: PlanFolder) -> None:
    plans.change("amount = 12", 'unit = "tokens"\namount = 900')
    budget = plans.jobs()[0].settings.budget
    assert (budget.candidates, budget.tokens) == (None, 900)


def test_a_guard_beside_the_budget_stays(plans: PlanFolder) -> None:
    plans.change("amount = 12", 'unit = "tokens"\namount = 900\n[settings]\nbudget.cost = 1.5')
    assert plans.jobs()[0].settings.budget.cost == 1.5


def test_overrides_lie_between_the_plan_and_its_conditions(plans: PlanFolder) -> None:
    plan, base = load_plan(str(plans.path))
    layers: list[Layer] = [{"selection": {"policy": "beam", "beam_width": 9}}]
    job = plan_jobs(plan, base, plans.out, layers)[0]
    assert (job.settings.selection.policy, job.settings.selection.beam_width) == ("weighted", 9)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("settings.seed = 3", "condition uniform: seeds are named"),
        ("settings.budget.cost = 3.0", "condition uniform: all conditions have the plan's one budget"),
        ("[settings]\nseed = 3", "settings: seeds are named"),
        ("[settings]\nbudget.candidates = 3", "name it under"),
        ("settings.selektion.alpha = 3", "condition uniform: .*did you mean 'selection'"),
        ('initial = "none.py"', "cannot read the initial program"),
    ],
)
def test_what_would_make_runs_unequal_is_refused(plans: PlanFolder, more: str, message: str) -> None:
    plans.write(plans.path.read_text() + more)
    with pytest.raises(ConfigError, match=message):
        plans.jobs()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ('settings.driver = "pipeline"', "uniform on sum: .*in_flight"),
        ('settings.models = ["openia:gpt"]', "uniform on sum: .*did you mean 'openai'"),
        ('settings.population.archive.kind = "pareto"', "uniform on sum: .*two or more objectives"),
        ("[settings]\ntask.parameters.size = 3", "on sum: .*size"),
    ],
)
def test_what_cannot_run_is_told_before_anything_runs(plans: PlanFolder, more: str, message: str) -> None:
    plans.write(plans.path.read_text() + more)
    with pytest.raises(ConfigError, match=message):
        check(plans)


@pytest.mark.parametrize(
    ("budget", "models", "message"),
    [
        ('unit = "cost"', '["genetic"]', "on sum: no model proposes"),
        ('unit = "tokens"', '["genetic"]', "no model proposes"),
        ('unit = "cost"', '["local:m@http://127.0.0.1:9/v1"]', "costs anything"),
        ('unit = "cost"', '["simulated:bold"]', None),
        ('unit = "tokens"', '["local:m@http://127.0.0.1:9/v1"]', None),
        ('unit = "cost"', '["genetic"]\nbudget.seconds = 9', None),
    ],
)
def test_a_run_that_would_never_end_is_refused(
    plans: PlanFolder, budget: str, models: str, message: str | None
) -> None:
    plans.change(
        "[budget]", f"settings.models = {models.replace('budget', 'settings.budget')}\n[budget]\n{budget}"
    )
    if message is None:
        check(plans)
        return
    with pytest.raises(ConfigError, match=message):
        check(plans)


def test_rounds_in_changing_company_have_no_single_curve(plans: PlanFolder) -> None:
    plans.change('tasks = ["./sum"]', 'tasks = ["corewar"]')
    plans.write(plans.path.read_text() + "[settings]\nensemble.rounds = 2")
    with pytest.raises(ConfigError, match="company of its own"):
        check(plans)


def test_a_condition_may_begin_with_another_program(plans: PlanFolder) -> None:
    (plans.folder / "other.py").write_text("# EVOLVE-BLOCK-START\nA = 1\nB = 2\n# EVOLVE-BLOCK-END\n")
    plans.write(plans.path.read_text() + 'initial = "other.py"')
    weighted, uniform = plans.jobs()[:2]
    assert uniform.load().initial.source.splitlines()[1] == "A = 1"
    assert uniform.load().initial.entry == weighted.load().initial.entry == "numbers.py"
    assert weighted.load().initial.source != uniform.load().initial.source


def test_digests_tell_what_is_run(plans: PlanFolder) -> None:
    before = {job.key: job.digest for job in plans.jobs()}
    assert len(set(before.values())) == 4
    plans.change("seeds = 2", "seeds = 3")
    after = {job.key: job.digest for job in plans.jobs()}
    assert {key: after[key] for key in before} == before
    plans.change('policy = "uniform"', 'policy = "beam"')
    changed = {job.key for job in plans.jobs() if before.get(job.key) != job.digest}
    assert changed == {f"sum/uniform/seed-{n}" for n in range(3)} | {"sum/weighted/seed-2"}


def test_replies_are_recorded_run_by_run(plans: PlanFolder) -> None:
    before = plans.jobs()
    plans.change("[budget]", 'settings.llm.record = "replies.jsonl"\n[budget]')
    jobs = plans.jobs()
    assert [job.settings.llm.record for job in jobs] == [job.folder / "replies.jsonl" for job in jobs]
    assert [job.digest for job in jobs] == [job.digest for job in before]


def test_two_tasks_of_one_name_are_refused(plans: PlanFolder, tmp_path: Path) -> None:
    plans.change('["./sum"]', '["./sum", "./a/sum"]')
    with pytest.raises(ConfigError, match="two tasks"):
        plans.jobs()
