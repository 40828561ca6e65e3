from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from speciate.store import Store, open_store
from speciate.testing.stores import NewStore, StoreContract


class TestSqlStore(StoreContract):
    @pytest.fixture
    def new_store(self, tmp_path: Path) -> Iterator[NewStore]:
        opened: list[Store] = []
        numbers = count()

        def new() -> Store:
            opened.append(open_store(tmp_path / f"run {next(numbers)}"))
            return opened[-1]

        yield new
        for store in opened:
            store.close()
