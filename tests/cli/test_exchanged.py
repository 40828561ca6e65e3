"""What a node says of messages that it refuses."""

from __future__ import annotations

from speciate.cli.exchanged import MOST_REFUSALS, refusals
from speciate.records import Received


def _came(node: str, round: int, refused: str | None) -> Received:
    return Received(ordinal=0, node=node, incarnation="i", round=round, refused=refused)


def test_refusals_are_counted_by_sender_and_reason() -> None:
    came = [_came("a", round, "too old") for round in range(3)]
    came += [_came("b", 0, "too old"), _came("a", 9, None)]
    assert refusals(came) == ["refused from a: too old (3 times)", "refused from b: too old"]


def test_many_reasons_are_not_all_told() -> None:
    lines = refusals([_came("a", number, f"reason {number}") for number in range(MOST_REFUSALS + 4)])
    assert len(lines) == MOST_REFUSALS + 1
    assert lines[-1] == "and 4 more refused for other reasons"
