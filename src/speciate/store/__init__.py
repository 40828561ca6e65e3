"""The history of a run: append-only, and the truth."""

from speciate.store.base import Session, Store, Stored, StoreReader
from speciate.store.memory import MemoryStore
from speciate.store.open import DATABASE, open_reader, open_store

__all__ = [
    "DATABASE",
    "MemoryStore",
    "Session",
    "Store",
    "StoreReader",
    "Stored",
    "open_reader",
    "open_store",
]
