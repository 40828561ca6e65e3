from __future__ import annotations

from pathlib import Path

import pytest

from speciate.testing.plans import PlanFolder


@pytest.fixture
def plans(tmp_path: Path) -> PlanFolder:
    return PlanFolder(tmp_path / "plans")
