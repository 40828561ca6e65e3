"""The sections of a report's page: each a pure function from a `Report` to Markdown."""

from speciate.reports.sections.outline import render
from speciate.reports.sections.single import SectionName, single_json, single_section

__all__ = ["SectionName", "render", "single_json", "single_section"]
