from __future__ import annotations

from pathlib import Path

import pytest

from speciate.testing.plans import ENSEMBLES, PlanFolder


@pytest.fixture
def plans(tmp_path: Path) -> PlanFolder:
    folder = PlanFolder(tmp_path / "plans")
    folder.write(ENSEMBLES)
    return folder


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlanFolder:
    """The plan with all of its ensembles played. Not to be changed."""
    folder = PlanFolder(tmp_path_factory.mktemp("ensembles") / "plans")
    folder.write(ENSEMBLES)
    folder.run_here()
    return folder
