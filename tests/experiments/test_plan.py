from __future__ import annotations

from pathlib import Path

import pytest

from speciate.errors import ConfigError
from speciate.experiments import check_jobs, load_plan, plan_jobs, shipped_plans

HEAD = 'tasks = ["circle_packing"]\nseeds = 2\nbudget.amount = 5\n'


def load(tmp_path: Path, text: str) -> object:
    (tmp_path / "p.toml").write_text(text)
    return load_plan(str(tmp_path / "p.toml"))[0]


def test_a_plan_is_named_after_its_file(tmp_path: Path) -> None:
    (tmp_path / "policies.toml").write_text(HEAD + "[conditions.a]")
    plan, base = load_plan(str(tmp_path / "policies.toml"))
    assert (plan.name, base) == ("policies", tmp_path)
    assert plan.seed_list == (0, 1)


def test_changes_go_over_what_the_file_says(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(HEAD + "[conditions.a]")
    plan, _ = load_plan(str(tmp_path / "p.toml"), changes={"seeds": 7, "budget": {"amount": 3}})
    assert (len(plan.seed_list), plan.budget.amount, plan.budget.unit) == (7, 3, "candidates")


def test_factors_are_crossed_and_later_ones_win(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(
        HEAD
        + """
        [factors.policy.one]
        about = "first"
        settings.selection = { policy = "uniform", alpha = 2.0 }
        [factors.policy.two]
        [factors.shape.three]
        settings.selection.policy = "beam"
        [factors.shape.four]
        about = "fourth"
        """
    )
    plan, _ = load_plan(str(tmp_path / "p.toml"))
    crossed = plan.all_conditions()
    assert list(crossed) == ["one+three", "one+four", "two+three", "two+four"]
    assert crossed["one+three"].settings == {"selection": {"policy": "beam", "alpha": 2.0}}
    assert crossed["one+four"].about == "first; fourth"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[conditions.a]\n[factors.b.c]", "either conditions or factors"),
        ("", "either conditions or factors"),
        ('baseline = "weightd"\n[conditions.weighted]', "did you mean 'weighted'"),
        ('[conditions."a/b"]', "cannot name a folder"),
        ('[conditions."..a"]', "cannot name a folder"),
        ("sedes = 3\n[conditions.a]", "did you mean 'seeds'"),
        ("budget.unit = 'dollars'\n[conditions.a]", "should be 'candidates'"),
        ("budget.unit = 'tokens'\nbudget.amount = 2.5\n[conditions.a]", "whole number"),
        ("seeds = [1, 1]\n[conditions.a]", "each named once"),
        ("seeds = 0\n[conditions.a]", "at least one"),
        ("seeds = 1000000000\n[conditions.a]", "10,000 seeds are the most"),
        ("not toml", "not valid TOML"),
        ("tasks = []\n[conditions.a]", r"'tasks' should have at least 1 item, not \[\]"),
    ],
)
def test_what_is_wrong_with_a_plan_is_said(tmp_path: Path, text: str, message: str) -> None:
    head = "" if "tasks =" in text else 'tasks = ["circle_packing"]\n'
    head += "" if "seeds =" in text else "seeds = 2\n"
    head += "" if "budget.amount" in text else "budget.amount = 5\n"
    with pytest.raises(ConfigError, match=message):
        load(tmp_path, head + text)


def test_an_unknown_plan_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match="did you mean 'ablation-parents'"):
        load_plan("ablation-parent")


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read the plan"):
        load_plan(str(tmp_path / "none.toml"))


@pytest.mark.parametrize("name", shipped_plans())
def test_shipped_plans_can_be_run(name: str, tmp_path: Path) -> None:
    plan, base = load_plan(name)
    check_jobs(plan_jobs(plan, base, tmp_path), plan.budget)
    assert plan.about
    assert len(plan.seed_list) >= 10 or plan.about.startswith("A demonstration, no experiment")
    assert not list(tmp_path.iterdir())


def test_the_shipped_plans_are_those_that_are_promised() -> None:
    promised = {"parents", "models", "novelty", "scratchpad", "operators", "rewards", "pipeline", "islands"}
    promised |= {"initial", "exact"}
    assert {f"ablation-{name}" for name in promised} <= set(shipped_plans())
