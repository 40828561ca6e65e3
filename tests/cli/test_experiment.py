from __future__ import annotations

from pathlib import Path

import pytest

from speciate.cli.experimenting import Progress, Request, experimenting
from speciate.cli.output import Output
from speciate.experiments import shipped_plans
from speciate.testing.command_line import CommandLine
from speciate.testing.plans import ENSEMBLES, PlanFolder


@pytest.fixture
def plans(tmp_path: Path) -> PlanFolder:
    return PlanFolder(tmp_path / "plans")


def test_without_a_plan_the_shipped_ones_are_listed(cli: CommandLine) -> None:
    said = cli("experiment")
    assert all(name in said.out for name in shipped_plans())
    assert [plan["name"] for plan in cli("experiment", "--json").json["plans"]] == list(shipped_plans())


def test_a_dry_run_says_what_would_run_and_writes_nothing(cli: CommandLine, plans: PlanFolder) -> None:
    before = sorted(plans.folder.iterdir())
    said = cli("experiment", plans.path, "--dry-run", "--seeds", "3", "--budget", "7", "--jobs", "5")
    assert "2 conditions × 3 seeds = 6 runs of 7 candidates, 5 at a time" in said.out
    assert "too few seeds to show anything: 1 comparisons need 4 seeds" in said.out
    assert sorted(plans.folder.iterdir()) == before
    assert not Path("experiments").exists()


def test_a_dry_run_tells_what_is_there_already(cli: CommandLine, plans: PlanFolder) -> None:
    plans.run_here()
    told = cli("experiment", plans.path, "--out", plans.out, "--dry-run", "--json").json
    assert told["runs"] == {"planned": 4, "done": 4}


def test_a_dry_run_says_what_is_missing_and_shows_the_plan_all_the_same(
    cli: CommandLine, plans: PlanFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    words = ("experiment", plans.path, "--out", plans.out, "--model", "openai:gpt-5-mini")
    said = cli(*words, "--dry-run")
    assert said.code == 0
    assert "2 conditions × 2 seeds = 4 runs" in said.out
    assert said.out.count("missing: 'openai:gpt-5-mini' needs a key") == 1
    told = cli(*words, "--dry-run", "--json").json
    assert told["runs"]["planned"] == 4
    assert [what for what in told["missing"] if "OPENAI_API_KEY" in what] == told["missing"] != []
    refused = cli(*words)
    assert refused.code == 2
    assert "needs a key in the environment variable OPENAI_API_KEY" in refused.err
    assert not plans.out.exists()


def test_an_experiment_ends_in_one_object(cli: CommandLine, plans: PlanFolder) -> None:
    plans.run_here()
    said = cli("experiment", plans.path, "--out", plans.out, "--json")
    assert said.code == 0
    told = said.json
    assert told["runs"] == {"planned": 4, "counted": 4}
    assert [one["condition"] for one in told["conditions"]] == ["weighted", "uniform"]
    assert told["conditions"][0]["median_final"] < 8
    assert {one["of"] for one in told["comparisons"]} == {"final", "area"}
    assert any("Too few seeds" in line for line in told["not_shown"])
    assert all(Path(name).is_file() for name in told["files"])
    assert "median final" in said.err


def test_new_runs_are_told_of_as_they_end(cli: CommandLine, plans: PlanFolder) -> None:
    plans.change("seeds = 2", "seeds = 1")
    said = cli("experiment", plans.path, "--out", plans.out, "--jobs", "2")
    assert said.code == 0
    assert "[2/2] sum/" in said.err
    assert f"Written: {plans.out / 'results' / 'report.md'}" in said.out


def test_a_failed_run_is_told_and_leaves_with_1(cli: CommandLine, plans: PlanFolder) -> None:
    jobs = plans.run_here()
    (jobs[0].folder / "history.sqlite").write_text("no database")
    said = cli("experiment", plans.path, "--out", plans.out, "--json")
    assert said.code == 1
    assert [one["run"] for one in said.json["missing"]] == ["sum/weighted/seed-0"]
    assert "weighted/seed-0 FAILED" in said.err


def test_settings_and_models_of_the_command_line_are_what_conditions_start_from(
    cli: CommandLine, plans: PlanFolder
) -> None:
    words = ("--model", "simulated:bold", "--set", "population.islands=2", "--dry-run", "--json")
    said = cli("experiment", plans.path, *words)
    assert said.code == 0
    bad = cli("experiment", plans.path, "--set", "seed=3")
    assert bad.code == 2
    assert "seeds are named" in bad.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--model", "local:m@http://127.0.0.1:9/v1"), "no cap limits what that costs"),
        (("--model", "local:m@http://127.0.0.1:9/v1", "--set", "budget.cost=0.25"), "at most $1.00 in all"),
    ],
)
def test_what_real_models_may_cost_is_said_first(
    cli: CommandLine, plans: PlanFolder, words: tuple[str, ...], said: str
) -> None:
    prices = "--set", 'llm.prices={ "local:m@http://127.0.0.1:9/v1" = { input = 1, output = 1 } }'
    assert said in cli("experiment", plans.path, "--dry-run", *words, *prices).out
    free = cli("experiment", plans.path, "--dry-run", "--model", "simulated:bold").out
    assert "costs" not in free
    assert "models cost" not in free


def test_runs_that_go_on_are_told_with_what_they_have_spent(
    plans: PlanFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = plans.run_here()[:2]
    (second.folder / "history.sqlite").unlink()
    Progress(plans.open(), Output(as_json=False)).going([first, second])
    assert capsys.readouterr().err == (
        "going on: sum/weighted/seed-0 12/12 candidates, sum/uniform/seed-0 begins\n"
    )


def test_a_wrong_plan_is_misuse(cli: CommandLine, plans: PlanFolder) -> None:
    plans.change("policy", "polizy")
    said = cli("experiment", plans.path)
    assert said.code == 2
    assert "did you mean 'policy'" in said.err


def test_an_interrupt_says_how_to_go_on(plans: PlanFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("speciate.cli.experimenting.conduct", interrupted)
    request = Request(
        plan=str(plans.path),
        out=plans.out,
        jobs=None,
        seeds=None,
        budget=None,
        models=(),
        assignments=(),
        dry_run=False,
    )
    with pytest.raises(KeyboardInterrupt) as caught:
        experimenting(request, Output(as_json=False, quiet=True))
    assert f"speciate experiment {plans.path} --out {plans.out}" in caught.value.__notes__[0]


def test_a_model_for_all_is_refused_where_the_plan_says_who_sits_where(
    cli: CommandLine, plans: PlanFolder
) -> None:
    plans.write(ENSEMBLES)
    said = cli("experiment", plans.path, "--out", plans.out, "--model", "redcode:imp")
    assert said.code == 2
    assert "says who proposes at each node" in said.err
    assert not plans.out.exists()


def test_an_experiment_on_ensembles_ends_in_one_object(cli: CommandLine, plans: PlanFolder) -> None:
    plans.write(ENSEMBLES.replace("seeds = 2", "seeds = 1"))
    plans.run_here()
    said = cli("experiment", plans.path, "--out", plans.out, "--json")
    assert said.code == 0
    assert said.json["runs"] == {"planned": 6, "counted": 6}
    assert {one["measure"] for one in said.json["conditions"]} >= {"coverage", "qd_score"}
    assert any("none of 3 comparisons could have come out" in line for line in said.json["not_shown"])
