"""Small runs in rounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from speciate.testing.runs import SmallRuns


@pytest.fixture
def runs(tmp_path: Path) -> SmallRuns:
    return SmallRuns(tmp_path)
