"""A report as one JSON object: the same figures as on its page and in its pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from speciate.records import Json
from speciate.reports.lineage import operators_along
from speciate.reports.prompts import asking_json
from speciate.reports.report import Report
from speciate.reports.scratchpad import notebook_json
from speciate.reports.seed_distance import distance_rows


def report_json(report: Report) -> dict[str, Json]:
    """Returns the summary of the run as `show` prints it, and the figures of each section under further keys.

    Scores are in the user's own direction; a cost of null is unknown; numbers that JSON cannot say are null.
    """
    closed = len(report.curve.best)
    return {
        **report.summary.as_json(),
        "remarks": list(report.remarks),
        "curve": plain_json(report.curve),
        "milestones": plain_json(report.milestones),
        "pareto": plain_json(report.front),
        "path": plain_json(report.path),
        "operators_on_path": plain_json(operators_along(report.path)),
        "lineage": plain_json(report.tree),
        "stepping_stones": plain_json(report.stones),
        "distance_from_seed": {
            **_fields(report.distances),
            "parts": plain_json(distance_rows(report.distances, closed)),
        },
        "archive_map": plain_json(report.cells),
        "islands": plain_json(report.islands),
        "branches": plain_json(report.branches),
        "proposer_work": plain_json(report.proposers),
        "operator_work": plain_json(report.operators),
        "proposer_shares": plain_json(report.shares),
        "screens": plain_json(report.gates),
        "tried_again": plain_json(report.tried_again),
        "prompts": asking_json(report.asking),
        "scratchpad": None if report.notebook is None else notebook_json(report.notebook),
        "endings": plain_json(report.endings),
        "failures": plain_json(report.failures),
        "rejections": plain_json(report.rejections),
        "replies": {"most_a_candidate": report.most_replies, "proposers": plain_json(report.replies)},
        "timing": plain_json(report.timing),
        "staleness": {f"{share:g}": report.staleness.quantile(share) for share in (0.5, 0.9, 1.0)},
    }


def plain_json(value: Any) -> Json:
    """Returns records, arrays and sequences of them as JSON; numbers that JSON cannot say become null.

    Args:
        value: dataclasses, arrays, mappings with keys that have a name, sequences, numbers, texts, None.

    Raises:
        TypeError: something else is in it.
    """
    match value:
        case None | bool() | int():
            return value
        case str():
            return str(value)  # of an enum, its value
        case float():
            return value if math.isfinite(value) else None
        case np.ndarray():
            return plain_json(value.tolist())
        case Mapping():
            return {str(key): plain_json(inner) for key, inner in value.items()}
        case Sequence():
            return [plain_json(inner) for inner in value]
        case _ if is_dataclass(value):
            return _fields(value)
        case _:
            raise TypeError(f"a report cannot hold a {type(value).__name__}")


def _fields(value: Any) -> dict[str, Json]:
    return {field.name: plain_json(getattr(value, field.name)) for field in fields(value)}
