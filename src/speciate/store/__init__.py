"""The history of a run: append-only, and the truth."""

from speciate.store.base import Session, Store, Stored, StoreReader
from speciate.store.candidate import Candidate, Status
from speciate.store.check import problems
from speciate.store.lock import FolderLock
from speciate.store.memory import MemoryStore
from speciate.store.occupants import Occupants
from speciate.store.open import DATABASE, holds_run, open_reader, open_store
from speciate.store.read_only import ReadOnlyStore
from speciate.store.reader import RunHistory
from speciate.store.screens import DUPLICATES, CallCounts, ScreenCounts
from speciate.store.tallies import Counts, CurvePoint, ProposerCounts, Unanswered

__all__ = [
    "DATABASE",
    "DUPLICATES",
    "CallCounts",
    "Candidate",
    "Counts",
    "CurvePoint",
    "FolderLock",
    "MemoryStore",
    "Occupants",
    "ProposerCounts",
    "ReadOnlyStore",
    "RunHistory",
    "ScreenCounts",
    "Session",
    "Status",
    "Store",
    "StoreReader",
    "Stored",
    "Unanswered",
    "holds_run",
    "open_reader",
    "open_store",
    "problems",
]
