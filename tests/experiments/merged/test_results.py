from __future__ import annotations

import csv
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from speciate.ensembles import node_folder
from speciate.experiments import conclude_merged, estimate, gains, state_of
from speciate.experiments.merging import merge_job
from speciate.experiments.worker import Request, perform
from speciate.statistics import cell_distributions, expected_cells
from speciate.testing.plans import ENSEMBLES, PlanFolder


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open() as file:
        return list(csv.DictReader(file))


def test_all_ensembles_are_scored_in_one_company(played: PlanFolder) -> None:
    concluded = conclude_merged(played.open())
    assert not concluded.results.missing
    pool = played.jobs()[0].load_pool()
    assert pool is not None
    assert {run.merged.pool for run in concluded.results.measured} == {pool.hash}
    assert {run.merged.opponents for run in concluded.results.measured} == {2}
    assert {run.proposals for run in concluded.results.measured} == {16}


def test_a_group_counts_with_the_mean_of_its_conditions(played: PlanFolder) -> None:
    (analysis,) = conclude_merged(played.open()).analyses
    for result in analysis.measures:
        if result.measure.name == "novelty":
            assert not result.of("solo").by_seed  # a node alone has none
            continue
        members = [result.of(name).by_seed for name in ("solo-imp", "solo-other")]
        assert result.of("solo").by_seed == {
            seed: pytest.approx((members[0][seed] + members[1][seed]) / 2) for seed in (0, 1)
        }


def test_tables_say_what_the_archives_are(played: PlanFolder) -> None:
    concluded = conclude_merged(played.open())
    out = concluded.written.files[0].parent
    ensembles = rows(out, "ensembles")
    assert [row["status"] for row in ensembles] == ["done"] * 12
    for row, job in zip(ensembles, played.jobs(), strict=True):
        merged = merge_job(job)
        assert int(row["filled"]) == len(merged.elites)
        assert float(row["qd_score"]) == pytest.approx(sum(one.score for one in merged.elites))
        assert float(row["coverage"]) == pytest.approx(len(merged.elites) / 36)
    assert len(rows(out, "nodes")) == 2 * (4 * 2 + 2)
    assert {row["family"] for row in rows(out, "comparisons")} == {"planned", "members"}
    page = concluded.written.files[0].read_text()
    for words in ("0.85 ± 0.087", "45.9", "A gain of both in coverage is not shown", "a paper, other rules"):
        assert words in page


def test_a_prediction_is_the_closed_form_of_where_proposals_fell(played: PlanFolder) -> None:
    concluded = conclude_merged(played.open())
    (analysis,) = concluded.analyses
    assert analysis.predicted is not None
    alone = {
        name: [run for run in concluded.results.measured if run.job.condition == f"solo-{name}"]
        for name in ("imp", "other")
    }
    cells = {
        name: {
            cell: sum(run.visits.get(cell, 0) for run in runs) for cell in {c for r in runs for c in r.visits}
        }
        for name, runs in alone.items()
    }
    names, shares = cell_distributions(cells, dict.fromkeys(alone, 32))
    by_name = {one.condition: one for one in analysis.predicted.predictions}
    assert names == ["imp", "other"]
    assert by_name["solo-imp"].expected == pytest.approx(expected_cells(shares, [16, 0]))
    assert (
        by_name["both"].expected == by_name["mixed"].expected == pytest.approx(expected_cells(shares, [8, 8]))
    )
    assert [one.proposers for one in analysis.predicted.subsets] == [("imp", "other")]


def test_a_lost_merger_is_made_again_and_results_are_the_same(played: PlanFolder) -> None:
    first = {path.name: path.read_bytes() for path in conclude_merged(played.open()).written.files}
    (played.jobs()[0].folder / "merged.json").unlink()
    again = {path.name: path.read_bytes() for path in conclude_merged(played.open()).written.files}
    assert {name for name in first if first[name] != again[name]} == set()


def test_an_ensemble_cut_short_goes_on_and_comes_to_the_same(plans: PlanFolder, played: PlanFolder) -> None:
    job, whole = plans.jobs()[0], played.jobs()[0]
    assert state_of(job.folder) == "new"
    shutil.copytree(whole.folder, job.folder)
    (job.folder / "merged.json").unlink()
    shutil.rmtree(node_folder(job.folder, "other"))
    assert state_of(job.folder) == "half"
    missing = conclude_merged(plans.open()).results.missing
    assert [one.state for one in missing] == ["half"] + ["new"] * 11
    perform(Request.of(job))
    assert state_of(job.folder) == "done"
    merged = [json.loads((folder / "merged.json").read_text()) for folder in (job.folder, whole.folder)]
    assert merged[0] == merged[1]


def test_a_merger_in_another_company_or_damaged_is_made_again(plans: PlanFolder, played: PlanFolder) -> None:
    job, whole = plans.jobs()[0], played.jobs()[0]
    shutil.copytree(whole.folder, job.folder)
    kept = job.folder / "merged.json"
    right = kept.read_text()
    kept.write_text("{")
    assert merge_job(job).pool == json.loads(right)["pool"]
    assert kept.read_text() == right
    own = replace(job, pool={})
    assert merge_job(own).pool != json.loads(right)["pool"]


def test_an_ensemble_that_a_cap_cut_short_does_not_count(plans: PlanFolder) -> None:
    plans.change("[settings.ensemble]", "[settings.budget]\nevaluations = 3\n[settings.ensemble]")
    job = plans.jobs()[0]
    perform(Request.of(job))
    (missing,) = [one for one in conclude_merged(plans.open()).results.missing if one.job.key == job.key]
    assert missing.reason == "a cap ended it before its rounds were played (evaluations)"


def test_a_gain_is_spoken_of_only_where_all_are_beaten(plans: PlanFolder, played: PlanFolder) -> None:
    concluded = conclude_merged(played.open())
    (analysis,) = concluded.analyses
    plan = concluded.results.plan
    everything_counts = plan.model_copy(update={"alpha": 0.999})
    told = gains(analysis, everything_counts)
    assert len(told) == len(analysis.measures)
    assert all("is not shown" in line for line in told)  # two seeds without a difference
    assert gains(analysis, plan.model_copy(update={"gain": ()})) == []


def test_how_long_it_takes_is_guessed_from_a_try(plans: PlanFolder) -> None:
    plans.write(ENSEMBLES.replace("seeds = 2", "seeds = 1"))
    one, two = estimate(plans.jobs(), 1), estimate(plans.jobs()[:3], 1)
    assert one > 0
    assert two > 0
    assert not plans.out.exists()
