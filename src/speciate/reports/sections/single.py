"""Parts of a report that can be looked at alone, on a terminal or as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from speciate.records import Json
from speciate.reports.as_json import report_json
from speciate.reports.report import Report
from speciate.reports.sections.ancestry import ancestry, stones
from speciate.reports.sections.archive import archive, descent, islands
from speciate.reports.sections.failed import failed
from speciate.reports.sections.novelty import novelty
from speciate.reports.sections.replies import replies
from speciate.reports.sections.work import proposers

SectionName: TypeAlias = Literal["ancestry", "failures", "islands", "novelty", "proposers"]


@dataclass(frozen=True, slots=True)
class _Section:
    """The pieces of a page that belong to it, and the keys of `report_json`."""

    pieces: tuple[Callable[[Report], str], ...]
    keys: tuple[str, ...]
    empty: str


_SECTIONS: Mapping[SectionName, _Section] = {
    "ancestry": _Section(
        (ancestry, stones), ("path", "operators_on_path", "stepping_stones"), "There is no best yet."
    ),
    "failures": _Section((failed,), ("endings", "failures", "rejections"), "Nothing failed."),
    "islands": _Section((archive, islands, descent), ("islands", "branches"), "Nobody lives yet."),
    "novelty": _Section((novelty,), ("screens", "tried_again"), "Nothing was screened yet."),
    "proposers": _Section(
        (proposers, replies),
        ("proposer_work", "operator_work", "proposer_shares", "replies"),
        "Nobody was asked yet.",
    ),
}


def single_section(report: Report, name: SectionName) -> str:
    """Returns one part of the page in Markdown; never empty."""
    section = _SECTIONS[name]
    return "\n\n".join(filter(None, (piece(report) for piece in section.pieces))) or section.empty


def single_json(report: Report, name: SectionName) -> dict[str, Json]:
    """Returns the figures of one part, under the keys that they have in `report_json`."""
    whole = report_json(report)
    return {key: whole[key] for key in _SECTIONS[name].keys}
