from __future__ import annotations

import subprocess
import sys

import pytest

from speciate.experiments import state_of
from speciate.experiments.worker import Request, perform
from speciate.store import open_store
from speciate.testing.plans import PlanFolder


def test_a_request_crosses_the_pipe_unchanged(plans: PlanFolder) -> None:
    job = plans.jobs()[1]
    request = Request.model_validate_json(Request.of(job).model_dump_json())
    assert request.config == job.settings
    assert request.config.model_fields_set == job.settings.model_fields_set
    assert (request.source, request.folder) == (job.source, job.folder)


def test_another_initial_program_is_evolved_and_gone_on_with(plans: PlanFolder) -> None:
    (plans.folder / "other.py").write_text("# EVOLVE-BLOCK-START\nA = 1.5\nB = 2.0\n# EVOLVE-BLOCK-END\n")
    plans.write(plans.path.read_text() + 'initial = "other.py"')
    job = plans.jobs()[1]
    perform(Request.of(job))
    perform(Request.of(job))  # it is over, and stays as it is
    assert state_of(job.folder) == "done"


def test_a_store_without_a_run_is_begun(plans: PlanFolder) -> None:
    job = plans.jobs()[0]
    open_store(job.folder).close()
    assert state_of(job.folder) == "new"
    perform(Request.of(job))
    assert state_of(job.folder) == "done"


@pytest.mark.parametrize("given", [b"", b'{"source": '])
def test_a_worker_whose_experiment_ends_too_early_does_nothing(given: bytes) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "speciate.experiments.worker"], input=given, capture_output=True, check=False
    )
    assert done.returncode == 1
    assert b"the experiment ended before it said what to run" in done.stderr
