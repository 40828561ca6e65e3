from __future__ import annotations

import json

import pytest

from speciate.errors import ConfigError, RunFolderError
from speciate.experiments import MANIFEST
from speciate.experiments.manifest import check_same, read_manifest, write_manifest
from speciate.testing.plans import PlanFolder


def begin(plans: PlanFolder) -> None:
    experiment = plans.open()
    write_manifest(plans.out, experiment.plan, experiment.jobs, read_manifest(plans.out))


def test_the_manifest_tells_plan_versions_and_complete_settings(plans: PlanFolder) -> None:
    begin(plans)
    told = json.loads((plans.out / MANIFEST).read_text())
    assert told["plan"]["about"] == "Which policy adds better?"
    assert {"speciate", "python", "numpy", "scipy"} <= set(told["versions"][0])
    assert told["settings"]["sum/uniform"]["selection"]["policy"] == "uniform"
    assert told["settings"]["sum/uniform"]["population"]["islands"] == 1
    assert len(told["runs"]) == 4


def test_seeds_and_conditions_may_be_added_later(plans: PlanFolder) -> None:
    begin(plans)
    plans.change("seeds = 2", "seeds = 3")
    plans.write(plans.path.read_text() + "\n[conditions.third]")
    begin(plans)
    recorded = read_manifest(plans.out)
    assert recorded is not None
    assert len(recorded.digests) == 9
    assert len(recorded.versions) == 1


@pytest.mark.parametrize(("old", "new"), [("amount = 12", "amount = 13"), ('"uniform"', '"beam"')])
def test_runs_of_other_settings_are_not_mixed(plans: PlanFolder, old: str, new: str) -> None:
    begin(plans)
    plans.run_here()
    plans.change(old, new)
    with pytest.raises(ConfigError, match=r"under other settings .*choose another --out"):
        plans.open()


def test_a_condition_that_never_ran_may_be_mended(plans: PlanFolder) -> None:
    begin(plans)
    plans.change('"uniform"', '"beam"')
    begin(plans)
    recorded = read_manifest(plans.out)
    assert recorded is not None
    assert recorded.digests == {job.key: job.digest for job in plans.jobs()}


def test_what_was_recorded_of_runs_that_the_plan_dropped_is_kept(plans: PlanFolder) -> None:
    begin(plans)
    plans.change("seeds = 2", "seeds = 1")
    begin(plans)
    recorded = read_manifest(plans.out)
    assert recorded is not None
    plans.change("seeds = 1", "seeds = 2")
    check_same(recorded, plans.jobs(), plans.out)
    assert len(recorded.digests) == 4


def test_versions_of_every_session_are_kept(plans: PlanFolder) -> None:
    begin(plans)
    path = plans.out / MANIFEST
    path.write_text(path.read_text().replace('"speciate": "', '"speciate": "0.0-'))
    begin(plans)
    recorded = read_manifest(plans.out)
    assert recorded is not None
    assert recorded.versions[0]["speciate"].startswith("0.0-")
    assert not recorded.versions[1]["speciate"].startswith("0.0-")


@pytest.mark.parametrize("text", ["{}", "no JSON", '{"runs": []}'])
def test_a_damaged_manifest_is_said(plans: PlanFolder, text: str) -> None:
    plans.out.mkdir()
    (plans.out / MANIFEST).write_text(text)
    with pytest.raises(RunFolderError, match="no manifest"):
        plans.open()
