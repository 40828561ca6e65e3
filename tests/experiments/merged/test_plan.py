from __future__ import annotations

import re
from pathlib import Path

import pytest

from speciate.ensembles import members_of
from speciate.errors import ConfigError
from speciate.experiments import check_jobs, load_plan, planned_pairs
from speciate.testing.plans import PlanFolder


def check(plans: PlanFolder) -> None:
    check_jobs(plans.jobs(), load_plan(str(plans.path))[0].budget)


def test_who_sits_where_is_named_once(plans: PlanFolder) -> None:
    by_condition = {job.condition: members_of(job.settings) for job in plans.jobs()}
    seats = {
        name: [(one.name, one.config.models) for one in members] for name, members in by_condition.items()
    }
    assert seats["both"] == [("imp", ("redcode:imp",)), ("other", ("redcode:uniform",))]
    assert seats["mixed"] == [(name, ("redcode:imp", "redcode:uniform")) for name in ("n1", "n2")]
    assert seats["same-imp"] == [(name, ("redcode:imp",)) for name in ("n1", "n2")]
    check(plans)


def test_groups_are_compared_instead_of_what_is_in_them(plans: PlanFolder) -> None:
    plan, _ = load_plan(str(plans.path))
    assert planned_pairs(plan) == [("both", "mixed"), ("both", "same"), ("both", "solo")]
    plans.change('baseline = "both"', 'pairs = [["both", "solo-imp"]]').write_text(
        plans.path.read_text().replace('gain = ["same", "mixed"]\n', "")
    )
    assert planned_pairs(load_plan(str(plans.path))[0]) == [("both", "solo-imp")]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('both.nodes = ["imp"', 'both.nodes = ["impp"', "no proposer; did you mean 'imp'"),
        ('solo = ["solo-imp"', 'solo = ["solo-impp"', "groups.solo: .*did you mean 'solo-imp'"),
        ('same = ["same-imp"', 'both = ["same-imp"', "'both' is a condition and cannot be a group"),
        ('gain = ["same"', 'gain = ["sane"', "gain: 'sane' is no condition"),
        ('baseline = "both"\n', "", "a gain is the baseline's"),
        ('gain = ["same"', 'gain = ["both"', "gain: both is not compared with the baseline both"),
        ('baseline = "both"', 'baseline = "solo-imp"', "which would be compared with itself"),
        ('solo = ["solo-imp", "solo-other"]', "solo = []", "groups.solo"),
        ("[merged]", '[measure]\npublic = "x"\n[merged]', "measure or merged"),
        ('[merged]\nparameters = { opponents = "imp,dwarf" }', "", "say how in .merged."),
    ],
)
def test_a_plan_that_contradicts_itself_is_refused(
    plans: PlanFolder, old: str, new: str, message: str
) -> None:
    plans.change(old, new)
    with pytest.raises(ConfigError, match=message):
        load_plan(str(plans.path))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("amount = 16", "amount = 17", "condition both on corewar: its nodes propose 16 candidates in all"),
        ("amount = 16", "amount = 15", "and the budget is 15"),
        ("amount = 16", 'amount = 16\nunit = "evaluations"', "the budget of ensembles is in candidates"),
        ("initial = 0", 'initial = 0\nclock = "wall"', "no run can be repeated"),
        ('{ opponents = "imp,dwarf" }', '{ opponents = "impp" }', "impp"),
    ],
)
def test_ensembles_that_are_not_equal_or_cannot_be_measured_are_refused(
    plans: PlanFolder, old: str, new: str, message: str
) -> None:
    plans.change(old, new)
    with pytest.raises(ConfigError, match=message):
        check(plans)


def test_ensembles_without_a_word_on_merging_are_refused(plans: PlanFolder) -> None:
    text = plans.path.read_text()
    for line in ('gain = ["same", "mixed"]\n', '[merged]\nparameters = { opponents = "imp,dwarf" }\n'):
        text = text.replace(line, "")
    start, end = text.index("[groups]"), text.index("[conditions]")
    plans.write(text[:start] + text[end:])
    with pytest.raises(ConfigError, match="ensembles are compared by their merged archives"):
        check(plans)


def test_a_plan_may_start_from_a_preset(plans: PlanFolder) -> None:
    plans.change("[budget]", 'preset = "paper/dei"\n[budget]')
    settings = plans.jobs()[0].settings
    assert (settings.ensemble.opponents.max, settings.ensemble.rounds) == (24, 2)
    assert (settings.budget.candidates, settings.driver) == (None, "sequential")


def test_the_plan_of_the_page_can_be_run(plans: PlanFolder) -> None:
    page = (Path(__file__).parents[3] / "docs" / "experiments.md").read_text()
    blocks = re.findall(r"^```toml\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    (shown,) = [block for block in blocks if "[merged]" in block]
    plans.write(shown)
    check(plans)
    conditions = {job.condition for job in plans.jobs()}
    assert conditions == {"both", "mixture", "two-bombers", "two-scanners", "alone"}
