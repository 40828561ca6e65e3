from collections.abc import Iterator

import pytest

from speciate.tasks import Limits
from speciate.testing.sandbox import Slot, answering_task, lent_slot


@pytest.fixture(scope="module")
def slot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slot]:
    """Lends the one slot of a pool to all hostile candidates of a module, one after another."""
    limits = Limits(cpu_seconds=0.8, wall_seconds=4, memory_mb=128, processes=8, output_mb=1)
    folder = tmp_path_factory.mktemp("hostile task")
    with lent_slot(answering_task(folder, limits=limits, files={"table.txt": "visible"})) as lent:
        yield lent
