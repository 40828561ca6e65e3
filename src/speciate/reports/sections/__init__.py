"""The sections of a report's page: each a pure function from a `Report` to Markdown."""

from speciate.reports.sections.outline import render

__all__ = ["render"]
