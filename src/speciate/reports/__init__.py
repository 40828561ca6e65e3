"""What a run came to: data first, pictures second. Reads the store and never the engine."""

from speciate.reports.manifest import RunFacts, read_facts
from speciate.reports.status import RunStatus
from speciate.reports.summary import ArchiveSummary, BestCandidate, Summary, Uncertain, summarise

__all__ = [
    "ArchiveSummary",
    "BestCandidate",
    "RunFacts",
    "RunStatus",
    "Summary",
    "Uncertain",
    "read_facts",
    "summarise",
]
