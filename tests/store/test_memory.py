import pytest

from speciate.store import MemoryStore
from speciate.testing.stores import NewStore, StoreContract


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def new_store(self) -> NewStore:
        return MemoryStore
